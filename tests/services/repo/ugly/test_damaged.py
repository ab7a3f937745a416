"""Damaged repositories: the error is clear, nothing gets worse, and all is well when mended.

Files that may not be read can't be tried where the tests run as root, whom no mode stops.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.repositories import RepositoryFolder
from tests.support.ugly import repo_client, ugly

CHANGING: list[tuple[object, ...]] = [
    ("unstage_files", ["a"]),
    ("discard_changes", ["a", "b"]),
    ("checkout_branch", "side"),
    ("checkout_review_parent", "side"),
    ("reset_hard",),
    ("commit", "message"),
]


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    """Two commits and a change that is only on disk."""
    folder = ugly(tmp_path / "r", {"a": "1\n", "b": "1\n"})
    folder.git("branch", "side")
    folder.write("a", "2\n")
    folder.commit("second")
    folder.write("a", "mine\n")
    return folder


@contextmanager
def damaged(place: Path, change: Callable[[bytes], bytes | None]) -> Iterator[None]:
    """Give a file other bytes, or take it away, and put it back at the end."""
    kept = place.read_bytes()
    bytes_now = change(kept)
    place.chmod(0o644)
    if bytes_now is None:
        place.unlink()
    else:
        place.write_bytes(bytes_now)
    try:
        yield
    finally:
        place.write_bytes(kept)


def stored(folder: RepositoryFolder, name: str) -> Path:
    sha = folder.git("rev-parse", name)
    return folder.root / ".git/objects" / sha[:2] / sha[2:]


@pytest.mark.parametrize("index", [b"rubbish" * 20, b"", b"DIRC"])
async def test_a_damaged_index(folder: RepositoryFolder, index: bytes) -> None:
    async with repo_client(folder) as client:
        with damaged(folder.root / ".git/index", lambda _: index):
            for method, *arguments in (
                ("get_file_tree",),
                ("get_flat_file_list",),
                ("is_clean",),
                ("get_staged_diff",),
                ("get_unstaged_diff",),
                ("search_files", "1"),
                ("stage_files", ["a"]),
                ("stage_all",),
                ("rename_file", "a", "c"),
                *CHANGING,
            ):
                assert "index" in await client.refusal(str(method), *arguments)
            assert await client.text("get_file_content", "a") == "mine\n"
            assert await client.text("get_file_content", "a", "HEAD") == "2\n"
            assert (await client.fields("get_current_branch"))["branch"] == "main"
        assert (folder.root / "a").read_text() == "mine\n"
        assert await client.lists() == {"modified": ["a"]}
        await client.do("stage_all")


@pytest.mark.parametrize("what", ["commit", "tree", "branch", "branch emptied"])
async def test_without_the_last_commit_no_file_is_thrown_away(
    folder: RepositoryFolder, what: str
) -> None:
    """The repository was taken for a new one, and "discard" removed the files."""
    branch = folder.root / ".git/refs/heads/main"
    place, left = {
        "commit": (stored(folder, "HEAD"), None),
        "tree": (stored(folder, "HEAD^{tree}"), None),
        "branch": (branch, b"rubbish\n"),
        "branch emptied": (branch, b""),
    }[what]
    async with repo_client(folder) as client:
        with damaged(place, lambda _: left):
            if not what.startswith("branch"):
                assert "git can't" in await client.refusal("is_clean")
                assert "git can't" in await client.refusal("get_file_tree")
            if what != "tree":
                assert "git can't" in await client.refusal("get_current_branch")
            for method, *arguments in CHANGING[1:-1]:
                assert await client.refusal(str(method), *arguments)
            assert (folder.root / "a").read_text() == "mine\n"
            assert (folder.root / "b").read_text() == "1\n"
        folder.git("reset", "-q")
        assert await client.lists() == {"modified": ["a"]}
        await client.do("discard_changes", ["a"])
        assert (folder.root / "a").read_text() == "2\n"


@pytest.mark.parametrize("change", [lambda _: None, lambda _: b"rubbish"])
async def test_a_damaged_file_of_a_commit(
    folder: RepositoryFolder, change: Callable[[bytes], bytes | None]
) -> None:
    async with repo_client(folder) as client:
        with damaged(stored(folder, "HEAD:a"), change):
            for method, *arguments in (
                ("get_unstaged_diff",),
                ("get_file_content", "a", "HEAD"),
                ("get_diff_to_branch", "HEAD"),
                ("discard_changes", ["a"]),
            ):
                assert await client.refusal(method, *arguments)
            assert (await client.fields("get_current_branch"))["branch"] == "main"
            assert "b" in await client.files()
        await client.do("discard_changes", ["a"])
        assert await client.text("get_file_content", "a", "HEAD") == "2\n"
        assert await client.lists() == {}


@pytest.mark.parametrize("name", ["HEAD", "config"])
async def test_a_repository_that_git_can_not_open(folder: RepositoryFolder, name: str) -> None:
    async with repo_client(folder) as client:
        with damaged(folder.root / ".git" / name, lambda kept: b"[rubbish\n" + kept):
            for method in ("get_file_tree", "is_clean", "get_current_branch", "stage_all"):
                said = await client.refusal(method)
                assert "git" in said
                assert str(folder.root) not in said
        assert await client.lists() == {"modified": ["a"]}


async def test_a_branch_that_points_nowhere_stops_only_what_needs_it(
    folder: RepositoryFolder,
) -> None:
    async with repo_client(folder) as client:
        broken = folder.write(".git/refs/heads/broken", "1" * 40 + "\n")
        assert await client.lists() == {"modified": ["a"]}
        assert (await client.fields("get_current_branch"))["branch"] == "main"
        assert "refs/heads/broken" in await client.refusal("list_branches")
        await client.do("stage_all")
        await client.do("commit", "all the same")
        broken.unlink()
        assert len(await client.rows("list_all_branches")) == 2


async def test_a_pipe_where_a_file_was_is_not_waited_for(folder: RepositoryFolder) -> None:
    (folder.root / "b").unlink()
    os.mkfifo(folder.root / "b")
    async with repo_client(folder) as client:
        assert (await client.lists())["modified"] == ["a", "b"]
        assert await client.leaves() == ["a", "b"]
        assert "not a file" in await client.refusal("get_file_content", "b")
        assert await client.text("get_file_content", "b", "HEAD") == "1\n"
        await client.do("stage_files", ["a"])
        await client.do("discard_changes", ["b"])
        assert (folder.root / "b").read_text() == "1\n"
        assert await client.lists() == {"staged": ["a"]}
