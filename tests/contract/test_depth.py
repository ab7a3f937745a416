"""A repository whose folders lie a thousand deep, and deeper than the system can look."""

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_ac.errors import RemoteError
from tests.contract.contract import contract
from tests.contract.doors import DOORS, Client, Door, HostEnvironment
from tests.services.llm.pages import objects
from tests.support.model_process import BackgroundLoop
from tests.support.repositories import RepositoryFolder, make_repository

LIMIT_S = 120.0
DEPTH = 1001
DEEP = "d/" * DEPTH + "lantern.py"
BEYOND = "x/" * 2500 + "never.py"
"""Longer than a path may be: git holds it, no disk does."""

SOURCE = "class Lantern:\n    def light_up(self):\n        return 1\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RepositoryFolder]:
    made = make_repository(tmp_path_factory.mktemp("deep") / "deep", {"a.py": "print(1)\n"})
    _make_folders(made.root)
    (made.root / DEEP).write_text(SOURCE)
    made.commit("deep")
    blob = made.git("rev-parse", "HEAD:a.py").strip()
    made.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{BEYOND}")
    made.git("commit", "-m", "deeper")
    yield made
    # Python's own removal of a tree is not up to such a depth.
    subprocess.run(["rm", "-rf", str(made.root)], check=True)


def _make_folders(root: Path) -> None:
    at = root
    for _ in range(DEPTH):
        at /= "d"
        at.mkdir()


@pytest.fixture(scope="module")
def door(
    background: BackgroundLoop,
    host_environment: HostEnvironment,
    folder: RepositoryFolder,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Door]:
    home = tmp_path_factory.mktemp("home")
    opened = DOORS["stdio"](background, folder, host_environment(home))
    opened.run(opened.start())
    yield opened
    opened.run(opened.aclose())


async def _refused(page: Client, name: str, *args: object) -> str:
    with pytest.raises(RemoteError) as caught:
        await page.repo(name, *args, timeout_s=LIMIT_S)
    return caught.value.remote_type


@contract
async def test_what_lies_deep_is_listed_read_and_found(door: Door) -> None:
    async with door.open() as page:
        tree = await page.repo("get_file_tree", timeout_s=LIMIT_S)
        assert DEEP in str(tree)
        rows = await page.repo("get_tree_rows", timeout_s=LIMIT_S)
        assert DEEP in str(await page.repo("get_flat_file_list", timeout_s=LIMIT_S))
        assert "lantern.py" in str(rows)
        assert await page.repo("get_file_content", DEEP, timeout_s=LIMIT_S) == SOURCE
        for words in (("light_up",), ("light_.p", False, True)):
            found = await page.repo("search_files", *words, timeout_s=LIMIT_S)
            assert [row["file"] for row in objects(found)] == [DEEP]
        async with asyncio.timeout(LIMIT_S):
            while not (symbols := objects(await page.call("search_symbols", "light_up"))):
                await asyncio.sleep(0.05)
        assert [row["file"] for row in symbols] == [DEEP]
        assert "Lantern" in str(await page.call("lsp_get_hover", DEEP, 1, 8))
        assert "light_up" in str(await page.call("lsp_get_completions", DEEP, 3, 1, ""))
        assert "light_up" in str(await page.call("get_file_map_block", DEEP))
        await page.call("set_selected_files", [DEEP])
        assert DEEP in str(await page.call("get_context_breakdown"))
        await page.call("set_selected_files", [])


@pytest.mark.soak
@contract
@pytest.mark.timeout(600)
async def test_what_lies_deep_is_changed_and_moved(door: Door) -> None:
    async with door.open() as page:
        await page.repo("write_file", DEEP, SOURCE + "# more\n", timeout_s=LIMIT_S)
        assert "+# more" in str(await page.repo("get_unstaged_diff", timeout_s=LIMIT_S))
        await page.repo("stage_all", timeout_s=LIMIT_S)
        assert "+# more" in str(await page.repo("get_staged_diff", timeout_s=LIMIT_S))
        await page.repo("unstage_files", [DEEP], timeout_s=LIMIT_S)
        await page.repo("discard_changes", [DEEP], timeout_s=LIMIT_S)
        moved = DEEP.replace("d/", "e/")
        await page.repo("rename_file", DEEP, moved, timeout_s=LIMIT_S)
        await page.repo("rename_directory", "e/e", "e/f", timeout_s=LIMIT_S)
        await page.repo("rename_directory", "e", "g/h/i", timeout_s=LIMIT_S)
        assert (
            await page.repo("get_file_content", "g/h/i/f/" + moved[4:], timeout_s=LIMIT_S) == SOURCE
        )
        await page.repo("reset_hard", timeout_s=LIMIT_S)
        assert await page.repo("get_file_content", DEEP, timeout_s=LIMIT_S) == SOURCE


@contract
async def test_what_is_deeper_than_a_path_can_be_is_refused_in_words(door: Door) -> None:
    async with door.open() as page:
        refused = [
            await _refused(page, "get_file_content", BEYOND),
            await _refused(page, "write_file", BEYOND, "x"),
            await _refused(page, "create_file", BEYOND, "x"),
            await _refused(page, "delete_file", BEYOND),
            await _refused(page, "rename_file", BEYOND, "b.py"),
            await _refused(page, "stage_files", [BEYOND]),
            await _refused(page, "discard_changes", [BEYOND]),
            await _refused(page, "rename_file", "a.py", "y/" * 2040 + "a.py"),
        ]
        assert set(refused) == {"refused_path"}
        # Not there, or what git has made of it in vain.
        assert await _refused(page, "rename_directory", "x", "y") in {"not_found", "git"}
        found = await page.repo("search_files", "print", timeout_s=LIMIT_S)
        assert [row["file"] for row in objects(found)] == ["a.py"]


@contract
async def test_frames_nested_deep_are_refused_in_words(door: Door) -> None:
    async with door.open() as page:
        deep: object = []
        for _ in range(200):
            deep = [deep]
        with pytest.raises(RemoteError) as caught:
            await page.repo("get_file_content", deep, timeout_s=LIMIT_S)
        assert caught.value.remote_code == -32602
