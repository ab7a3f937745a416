import os
from functools import partial
from pathlib import Path

import pytest

from jupyter_ac.errors import Conflict
from jupyter_ac.git.committing import commit
from jupyter_ac.git.made_commit import NAME, Undoable, record_commit, undo_commit, undoable
from jupyter_ac.git.repository import discover
from jupyter_ac.git.review.start import begin
from tests.support.changing import changer_of
from tests.support.repositories import RepositoryFolder, diverge, make_repository


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return owned(make_repository(tmp_path / "r", {"a.txt": "1\n", "b.txt": "1\n"}))


def owned(folder: RepositoryFolder) -> RepositoryFolder:
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    return folder


async def made(folder: RepositoryFolder, content: str = "2\n") -> str:
    folder.write("a.txt", content)
    folder.git("add", "a.txt")
    changer = changer_of(await discover(folder.root))
    return (await changer.change(partial(commit, message="made\n\nWhy.\n"))).sha


async def undo(folder: RepositoryFolder) -> Undoable:
    return await changer_of(await discover(folder.root)).change(undo_commit)


async def test_a_commit_is_undone_once_and_its_changes_stay_staged(
    folder: RepositoryFolder,
) -> None:
    before = folder.git("rev-parse", "HEAD")
    sha = await made(folder)
    folder.write("b.txt", "unstaged\n")
    found = await undo(folder)
    assert (found.sha, found.parent, found.branch) == (sha, before, "main")
    assert (found.message, found.subject) == ("made\n\nWhy.", "made")
    assert folder.git("rev-parse", "main") == before
    assert folder.git("status", "--porcelain") == "M  a.txt\n M b.txt"
    assert "undo of" in folder.git("reflog", "-1", "--format=%gs")
    with pytest.raises(Conflict, match="No commit was made here"):
        await undo(folder)


async def test_the_first_commit_is_undone_to_a_branch_without_any(tmp_path: Path) -> None:
    folder = owned(make_repository(tmp_path / "r"))
    await made(folder)
    assert (await undo(folder)).parent == ""
    assert folder.git("symbolic-ref", "HEAD") == "refs/heads/main"
    assert folder.git("status", "--porcelain") == "A  a.txt"
    folder.commit("again")


async def test_a_first_commit_on_no_branch_is_not_undone(tmp_path: Path) -> None:
    folder = owned(make_repository(tmp_path / "r"))
    sha = await made(folder)
    folder.git("checkout", "--quiet", "--detach")
    with pytest.raises(Conflict, match="git switch --create"):
        await undo(folder)
    assert folder.git("rev-parse", "HEAD") == sha


async def test_only_the_commit_that_was_made_here_is_undone(folder: RepositoryFolder) -> None:
    with pytest.raises(Conflict, match="No commit was made here"):
        await undo(folder)
    await made(folder)
    folder.git("commit", "--quiet", "--amend", "-m", "amended")
    amended = folder.git("rev-parse", "HEAD")
    with pytest.raises(Conflict, match="another one is checked out now"):
        await undo(folder)
    assert folder.git("rev-parse", "HEAD") == amended


async def test_a_pushed_commit_is_not_undone(folder: RepositoryFolder, tmp_path: Path) -> None:
    bare = tmp_path / "remote.git"
    folder.git("init", "--quiet", "--bare", str(bare))
    folder.git("remote", "add", "origin", str(bare))
    folder.git("push", "--quiet", "origin", "main")
    sha = await made(folder)
    assert (await undoable(await discover(folder.root))).sha == sha
    folder.git("push", "--quiet", "origin", "main")
    with pytest.raises(Conflict, match=r"pushed already: it is part of origin/main.*git revert"):
        await undo(folder)
    assert folder.git("rev-parse", "HEAD") == sha


async def test_a_merge_is_not_undone(folder: RepositoryFolder) -> None:
    diverge(folder, "a.txt")
    folder.git("merge", "side", ok=(1,))
    await made(folder, "both\n")
    with pytest.raises(Conflict, match="is a merge"):
        await undo(folder)


async def test_nothing_is_undone_in_the_middle_of_something(folder: RepositoryFolder) -> None:
    diverge(folder, "b.txt")
    await made(folder)
    folder.git("merge", "side", ok=(1,))
    with pytest.raises(Conflict, match=r"A merge is in progress.*git merge --abort"):
        await undo(folder)
    folder.git("merge", "--abort")
    await undo(folder)


async def test_nothing_is_undone_during_a_review(folder: RepositoryFolder) -> None:
    diverge(folder, "b.txt")
    await made(folder)
    changer = changer_of(await discover(folder.root))
    await changer.change_files(lambda git: begin(git, "side", ""))
    with pytest.raises(Conflict, match="review"):
        await undo(folder)


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"sha": 1}', '{"sha": "--all"}', "[" * 9999, '{"sha": "HEAD"}']
)
async def test_what_is_no_note_of_ours_is_none(folder: RepositoryFolder, content: str) -> None:
    await made(folder)
    (folder.root / ".git" / NAME).write_text(content)
    with pytest.raises(Conflict, match="No commit was made here"):
        await undo(folder)


async def test_a_disk_that_refuses_costs_the_way_back_only(folder: RepositoryFolder) -> None:
    place = folder.root / ".git" / NAME
    place.mkdir()
    sha = await made(folder)
    assert folder.git("rev-parse", "HEAD") == sha
    place.rmdir()
    os.mkfifo(place)
    with pytest.raises(Conflict, match="No commit was made here"):
        await undo(folder)
    record_commit(await discover(folder.root), sha)
    await undo(folder)


async def test_no_hook_runs_when_a_commit_is_undone(folder: RepositoryFolder) -> None:
    before = folder.git("rev-parse", "HEAD")
    await made(folder)
    mark = folder.root / ".git/ran"
    hook = folder.write(".git/hooks/reference-transaction", f"#!/bin/sh\ntouch {mark}\nexit 1\n")
    hook.chmod(0o755)
    await undo(folder)
    assert folder.git("rev-parse", "HEAD") == before
    assert not mark.exists()


async def test_each_working_tree_has_a_note_of_its_own(
    folder: RepositoryFolder, tmp_path: Path
) -> None:
    folder.git("worktree", "add", "--quiet", str(tmp_path / "beside"), "-b", "beside")
    await made(RepositoryFolder((tmp_path / "beside").resolve()))
    with pytest.raises(Conflict, match="No commit was made here"):
        await undo(folder)
    await undo(RepositoryFolder((tmp_path / "beside").resolve()))
