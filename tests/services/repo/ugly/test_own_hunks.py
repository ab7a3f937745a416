"""Hunks that the user has not staged are staged by `stage_*` and nothing else."""

from pathlib import Path

import pytest

from tests.support.ugly import repo_client, ugly
from tests.support.ugly_files import hook

STAGED = "1\nstaged\n3\n"
EDITED = "1\nstaged\n3\nmine\n"
OTHERS = [
    (("write_file", "b", "2\n"),),
    (("create_file", "new"),),
    (("delete_file", "b"),),
    (("rename_file", "b", "c"),),
    (("rename_directory", "d", "e"),),
    (("stage_files", ["b"]),),
    (("unstage_files", ["b"]),),
    (("discard_changes", ["b", "d/f"]),),
    (("get_file_tree",), ("get_staged_diff",), ("is_clean",), ("get_unstaged_diff",)),
    (("checkout_branch", "other"),),
    (("checkout_review_parent", "other"),),
]


@pytest.mark.parametrize("calls", OTHERS, ids=lambda calls: calls[0][0])
async def test_what_is_done_elsewhere_stages_no_hunk(
    tmp_path: Path, calls: tuple[tuple[object, ...], ...]
) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n2\n3\n", "b": "1\n", "d/f": "1\n"})
    folder.git("branch", "other")
    folder.write("a", STAGED)
    folder.git("add", "a")
    folder.write("a", EDITED)
    folder.write("b", "edited\n")
    async with repo_client(folder) as client:
        for name, *args in calls:
            await client.call(str(name), *args)
    assert folder.git("show", ":a") == STAGED.removesuffix("\n")
    assert (folder.root / "a").read_text() == EDITED


@pytest.mark.parametrize(
    ("call", "path"),
    [
        (("write_file", "a", f"{EDITED}more\n"), "a"),
        (("rename_file", "a", "z/a"), "z/a"),
        (("rename_directory", "d", "z"), "z/a"),
        (("commit", "message"), "a"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
async def test_what_is_done_to_the_file_itself_stages_no_hunk(
    tmp_path: Path, call: tuple[object, ...], path: str
) -> None:
    old = "d/a" if call[0] == "rename_directory" else "a"
    folder = ugly(tmp_path / "r", {old: "1\n2\n3\n"})
    folder.write(old, STAGED)
    folder.git("add", old)
    folder.write(old, EDITED)
    hook(folder, "pre-commit", "exit 0")
    async with repo_client(folder) as client:
        await client.do(str(call[0]), *call[1:])
        assert (await client.lists())["modified"] == [path]
    assert folder.git("show", f":{path}") == STAGED.removesuffix("\n")
    assert (folder.root / path).read_text().startswith(EDITED)
    assert "+mine" in folder.git("diff", "--", path)


async def test_deleting_a_file_stages_nothing(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n2\n3\n"})
    folder.write("a", STAGED)
    folder.git("add", "a")
    async with repo_client(folder) as client:
        await client.do("delete_file", "a")
        assert client.status() == ["MD a"]
        assert folder.git("show", ":a") == STAGED.removesuffix("\n")
