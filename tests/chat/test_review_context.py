"""What a model is sent about a branch under review, read from a real repository."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.prompt.blocks import Category
from jupyter_ac.chat.review_context import CHANGES, MAP_BEFORE, SUMMARY, ReviewContext
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.git.review.end import end
from jupyter_ac.git.review.start import begin, begin_and_show
from jupyter_ac.ids import RepoPath
from tests.support.changing import changer_of
from tests.support.exclusions import none_excluded
from tests.support.repositories import RepositoryFolder, make_repository

WAIT_S = 60


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    """`feature` changes one file, renames one, removes one and adds one."""
    files: dict[str, str | bytes] = {
        "pump.py": "def prime_pump():\n    return 1\n",
        "old.py": "def legacy_valve():\n    return 2\n",
        "named.py": "def stable_name():\n    return 3\n\n\nX = 1\nY = 2\n",
        "same.py": "def untouched():\n    return 4\n",
    }
    folder = make_repository(tmp_path / "r", files)
    folder.git("checkout", "-q", "-b", "feature")
    folder.write("pump.py", "def start_pump():\n    return 1\n")
    (folder.root / "old.py").unlink()
    folder.git("mv", "named.py", "renamed.py")
    folder.commit("Start the pump `now`")
    folder.write("new.py", "```\n")
    folder.commit("Add a fence")
    folder.git("checkout", "-q", "main")
    return folder


@asynccontextmanager
async def reading_context(folder: RepositoryFolder) -> AsyncIterator[ReviewContext]:
    context = ReviewContext(await discover(folder.root), none_excluded)
    try:
        yield context
    finally:
        await context.aclose()


async def start(folder: RepositoryFolder) -> Repository:
    repository = await discover(folder.root)
    await changer_of(repository).change_files(lambda git: begin_and_show(git, "feature", ""))
    return repository


def paths(*names: str) -> list[RepoPath]:
    return [RepoPath(name) for name in names]


async def test_without_a_review_nothing_is_sent(folder: RepositoryFolder) -> None:
    async with reading_context(folder) as context:
        reading = await context.read(paths("pump.py"), 0)
        assert (reading.branch, reading.parts, reading.diffs, reading.notices) == ("", (), (), ())
        assert await context.without_text() == frozenset()


async def test_the_first_half_of_the_seeds_begin_is_no_review_yet(folder: RepositoryFolder) -> None:
    async with reading_context(folder) as context:
        repository = await discover(folder.root)
        await changer_of(repository).change_files(lambda git: begin(git, "feature", ""))
        assert (await context.read((), 0)).branch == ""


async def test_summary_map_of_before_and_diffs_of_ticked_files(folder: RepositoryFolder) -> None:
    async with reading_context(folder) as context:
        await start(folder)
        chosen = paths("pump.py", "same.py", "old.py", "renamed.py", "new.py")
        reading = await context.read(chosen, WAIT_S)
        assert reading.branch == "feature"
        assert reading.notices == ()
        summary, before = reading.parts
        assert summary.path == SUMMARY
        assert before.path.startswith(MAP_BEFORE)
        assert reading.pending == ""
        assert summary.block.category is Category.REVIEW
        assert "Start the pump `now`" in summary.block.text
        assert "- renamed: named.py -> renamed.py +0 -0" in summary.block.text
        assert "- deleted: old.py +0 -2" in summary.block.text
        for name in ("prime_pump", "legacy_valve", "stable_name"):
            assert name in before.block.text
        assert "start_pump" not in before.block.text
        assert "untouched" not in before.block.text
        diffs = {diff.path: diff.block.text for diff in reading.diffs}
        assert list(diffs) == [
            f"{CHANGES}{name}" for name in ("pump.py", "old.py", "renamed.py", "new.py")
        ]
        assert "-def prime_pump():\n+def start_pump():" in diffs[RepoPath(f"{CHANGES}pump.py")]
        assert "deleted file" in diffs[RepoPath(f"{CHANGES}old.py")]
        assert "rename from named.py" in diffs[RepoPath(f"{CHANGES}renamed.py")]


async def test_text_of_a_diff_cannot_close_its_fence(folder: RepositoryFolder) -> None:
    async with reading_context(folder) as context:
        await start(folder)
        (diff,) = (await context.read(paths("new.py"), 0)).diffs
        assert diff.block.text.splitlines()[1] == "````"
        assert diff.block.text.splitlines()[-1] == "````"


async def test_the_blocks_stay_the_same_whatever_is_on_disk(
    folder: RepositoryFolder,
) -> None:
    async with reading_context(folder) as context:
        repository = await start(folder)
        first = await context.read(paths("pump.py"), WAIT_S)
        folder.write("pump.py", "something else\n")
        assert await context.read(paths("pump.py"), 0) == first
        other = ReviewContext(repository, none_excluded)
        try:
            assert await other.read(paths("pump.py"), WAIT_S) == first
        finally:
            await other.aclose()


async def test_deleted_files_are_known_and_the_end_forgets_them(folder: RepositoryFolder) -> None:
    async with reading_context(folder) as context:
        repository = await start(folder)
        assert await context.without_text() == {"old.py"}
        await changer_of(repository).change_files(end)
        assert await context.without_text() == frozenset()
        assert (await context.read(paths("pump.py"), 0)).parts == ()


async def test_a_map_that_is_not_ready_comes_later(
    folder: RepositoryFolder,
) -> None:
    async with reading_context(folder) as context:
        await start(folder)
        early = await context.read((), 0)
        assert [part.path for part in early.parts] == [SUMMARY]
        assert early.pending.startswith(MAP_BEFORE)
        later = await context.read((), WAIT_S)
        assert [part.path for part in later.parts] == [SUMMARY, early.pending]


async def test_a_secret_in_a_diff_is_announced(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "s", {"a.py": "1\n", "keys.env": "A=1\n"})
    folder.git("checkout", "-q", "-b", "feature")
    (folder.root / "keys.env").unlink()
    folder.commit("drop")
    folder.git("checkout", "-q", "main")
    repository = await start(folder)
    context = ReviewContext(repository, none_excluded)
    try:
        (diff,) = (await context.read(paths("keys.env"), 0)).diffs
        assert diff.warnings
    finally:
        await context.aclose()


async def test_links_that_lead_out_are_selected_for_their_differences(
    folder: RepositoryFolder,
) -> None:
    folder.git("checkout", "-q", "feature")
    for name, target in (("out", "/etc/passwd"), ("gone", "nowhere"), ("inside", "pump.py")):
        (folder.root / name).symlink_to(target)
    folder.commit("links")
    folder.git("checkout", "-q", "main")
    async with reading_context(folder) as context:
        repository = await start(folder)
        files = RepositoryFiles(
            repository, excluded=none_excluded, without_text=context.without_text
        )
        chosen = await files.known(["out", "gone", "inside", "old.py", "/etc/passwd", "nowhere"])
        assert chosen == ["out", "gone", "inside", "old.py"]
        reading = await files.read(chosen)
        assert [file.path for file in reading.files] == ["inside"]
        assert reading.problems == ()
        (first, *_) = (await context.read(chosen, 0)).diffs
        assert "+/etc/passwd" in first.block.text
        assert "root:" not in first.block.text
