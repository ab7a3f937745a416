from pathlib import Path

import pytest

from jupyter_ac.errors import GitError
from jupyter_ac.git.head import Head, current_branch, is_clean, last_commit
from jupyter_ac.git.repository import discover
from tests.support.repositories import make_repository


async def test_the_branch_and_its_commit(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("checkout", "-q", "-b", "häst/side-1")
    sha = folder.git("rev-parse", "HEAD")
    assert await current_branch(await discover(folder.root)) == Head(
        "häst/side-1", sha, detached=False
    )


async def test_before_the_first_commit_the_branch_has_a_name_only(tmp_path: Path) -> None:
    repository = await discover(make_repository(tmp_path / "r").root)
    assert await current_branch(repository) == Head("main", "", detached=False)
    assert await is_clean(repository)


async def test_a_detached_head_has_a_commit_only(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("checkout", "-q", "--detach")
    sha = folder.git("rev-parse", "HEAD")
    assert await current_branch(await discover(folder.root)) == Head(None, sha, detached=True)


async def test_a_worktree_has_a_branch_of_its_own(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "w"))
    assert (await current_branch(await discover(tmp_path / "w"))).branch == "side"
    assert (await current_branch(await discover(folder.root))).branch == "main"


async def test_a_broken_head_is_said(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    repository = await discover(folder.root)
    (folder.root / ".git" / "HEAD").write_text("nonsense\n")
    with pytest.raises(GitError):
        await current_branch(repository)
    with pytest.raises(GitError):
        await is_clean(repository)


async def test_untracked_files_leave_the_tree_clean(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.write("new", "x")
    assert await is_clean(await discover(folder.root))


@pytest.mark.parametrize("change", ["modified", "staged", "deleted"])
async def test_changes_to_tracked_files_make_it_unclean(tmp_path: Path, change: str) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    if change == "modified":
        folder.write("a", "longer")
    elif change == "deleted":
        (folder.root / "a").unlink()
    else:
        folder.write("b", "x")
        folder.git("add", "b")
    assert not await is_clean(await discover(folder.root))


async def test_very_many_changes_are_told_by_the_first(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {f"{index:04}": "x" for index in range(2000)})
    for index in range(2000):
        folder.write(f"{index:04}", "changed")
    assert not await is_clean(await discover(folder.root))


@pytest.mark.parametrize("damage", ["commit gone", "branch emptied"])
async def test_a_commit_that_can_not_be_read_is_not_taken_for_none(
    tmp_path: Path, damage: str
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    repository = await discover(folder.root)
    sha = folder.git("rev-parse", "HEAD")
    assert await last_commit(repository) == sha
    if damage == "commit gone":
        (folder.root / ".git/objects" / sha[:2] / sha[2:]).unlink()
    else:
        (folder.root / ".git/refs/heads/main").write_text("")
    for ask in (current_branch, last_commit):
        with pytest.raises(GitError, match="git can't"):
            await ask(repository)


async def test_before_the_first_commit_there_is_none(tmp_path: Path) -> None:
    assert await last_commit(await discover(make_repository(tmp_path / "r").root)) == ""
