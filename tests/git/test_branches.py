import os
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.errors import AlreadyExists, Conflict, GitError, InvalidParams, NotFound
from jupyter_ac.git.branches import (
    Branch,
    all_branches,
    create_branch,
    local_branches,
    switch_branch,
)
from jupyter_ac.git.program_policy import allow
from jupyter_ac.git.refs import Head
from jupyter_ac.git.repository import discover
from tests.support.changing import changer_of
from tests.support.repositories import RepositoryFolder, make_repository


def with_remote(tmp_path: Path) -> RepositoryFolder:
    """A clone's refs: `main` as the remote has it, `ahead` one commit further, `theirs` unknown."""
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    for name in ("main", "ahead", "theirs"):
        folder.git("update-ref", f"refs/remotes/origin/{name}", "HEAD")
    folder.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    folder.git("checkout", "-q", "-b", "ahead")
    folder.commit("ahead of the remote")
    folder.git("update-ref", "refs/remotes/origin/theirs", "HEAD")
    folder.git("checkout", "-q", "main")
    return folder


async def test_local_branches_by_name_with_their_last_commit(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    first = folder.git("rev-parse", "HEAD")
    folder.git("checkout", "-q", "-b", "häst/a b".replace(" ", "-"))
    second = folder.commit("a subject: with \t odd | parts")
    assert await local_branches(await discover(folder.root)) == [
        Branch("häst/a-b", second, "a subject: with \t odd | parts", True, False),
        Branch("main", first, "first", False, False),
    ]


async def test_all_branches_newest_first_without_what_is_known(tmp_path: Path) -> None:
    found = await all_branches(await discover(with_remote(tmp_path).root))
    # origin/main and origin/ahead stand at commits that local branches of that name know.
    assert [(each.name, each.is_remote) for each in found] == [
        ("ahead", False),
        ("main", False),
        ("origin/theirs", True),
    ]


async def test_a_remote_that_went_on_is_listed_beside_the_local_branch(tmp_path: Path) -> None:
    folder = with_remote(tmp_path)
    folder.git("checkout", "-q", "--detach")
    folder.git("update-ref", "refs/remotes/origin/main", folder.commit("pushed by others"))
    found = await all_branches(await discover(folder.root))
    assert [each.name for each in found if each.is_remote] == ["origin/main", "origin/theirs"]
    assert not any(each.is_current for each in found)


async def test_before_the_first_commit_there_are_none(tmp_path: Path) -> None:
    repository = await discover(make_repository(tmp_path / "r").root)
    assert await local_branches(repository) == await all_branches(repository) == []


async def test_a_carriage_return_in_a_subject_is_no_new_line(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    folder.git("commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", "one\rtwo")
    (branch,) = await local_branches(await discover(folder.root))
    assert branch.subject.split() == ["one", "two"]


async def test_a_message_in_another_encoding_is_shown(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    (tmp_path / "message").write_bytes("Grüße".encode("latin-1"))
    folder.git("branch", "before")
    encoding = ("-c", "i18n.commitEncoding=ISO-8859-1")
    folder.git(*encoding, "commit", "-q", "--allow-empty", "-F", str(tmp_path / "message"))
    branches = await local_branches(await discover(folder.root))
    assert [branch.subject for branch in branches] == ["first", "Grüße"]


async def test_a_broken_ref_is_said(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    folder.write(".git/refs/heads/broken", "1" * 40 + "\n")
    with pytest.raises(GitError, match="branches"):
        await local_branches(await discover(folder.root))


async def switch(folder: RepositoryFolder, name: str) -> Head:
    changer = changer_of(await discover(folder.root))
    return await changer.change(lambda git: switch_branch(git, name))


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    """A clone: `main` here and there, `theirs` only there."""
    upstream = make_repository(tmp_path / "upstream", {"a": "1\n"})
    upstream.git("checkout", "-q", "-b", "feature/theirs")
    upstream.write("b", "theirs\n")
    upstream.commit("theirs")
    upstream.git("checkout", "-q", "main")
    upstream.git("clone", "-q", str(upstream.root), str(tmp_path / "r"))
    return RepositoryFolder((tmp_path / "r").resolve())


async def test_a_local_branch_is_checked_out(folder: RepositoryFolder) -> None:
    folder.git("branch", "side")
    head = await switch(folder, "side")
    assert head == Head("side", folder.git("rev-parse", "main"), detached=False)


async def test_a_branch_of_a_remote_becomes_a_local_one_that_tracks_it(
    folder: RepositoryFolder,
) -> None:
    for _ in range(2):
        head = await switch(folder, "origin/feature/theirs")
        assert head.branch == "feature/theirs"
        assert (folder.root / "b").read_text() == "theirs\n"
        await switch(folder, "main")
    assert folder.git("config", "branch.feature/theirs.merge") == "refs/heads/feature/theirs"


@pytest.mark.parametrize("name", ["nowhere", "origin/nowhere", "HEAD", "--detach", "", "origin"])
async def test_what_is_no_branch_is_not_checked_out(folder: RepositoryFolder, name: str) -> None:
    folder.git("tag", "v1")
    with pytest.raises(NotFound, match="no branch"):
        await switch(folder, name)
    with pytest.raises(NotFound):
        await switch(folder, "v1")
    assert folder.git("symbolic-ref", "--short", "HEAD") == "main"


async def test_changes_are_not_carried_along(folder: RepositoryFolder) -> None:
    folder.git("branch", "side")
    folder.write("a", "2\n")
    with pytest.raises(Conflict, match="commit or discard"):
        await switch(folder, "side")
    assert (folder.root / "a").read_text() == "2\n"


async def test_in_the_middle_of_a_bisect_no_branch_is_checked_out(folder: RepositoryFolder) -> None:
    folder.git("branch", "side")
    folder.git("bisect", "start")
    with pytest.raises(Conflict, match="bisect is in progress"):
        await switch(folder, "side")


async def test_an_untracked_file_in_the_way_stays(folder: RepositoryFolder) -> None:
    folder.write("b", "mine\n")
    with pytest.raises(GitError, match="b"):
        await switch(folder, "origin/feature/theirs")
    assert (folder.root / "b").read_text() == "mine\n"
    assert folder.git("symbolic-ref", "--short", "HEAD") == "main"


async def test_a_branch_of_another_worktree_is_refused(
    folder: RepositoryFolder, tmp_path: Path
) -> None:
    folder.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "w"))
    with pytest.raises(GitError, match="side"):
        await switch(folder, "side")


@pytest.mark.parametrize("is_allowed", [True, False])
async def test_a_file_that_only_its_allowed_filter_knows_unchanged(
    folder: RepositoryFolder, *, is_allowed: bool
) -> None:
    folder.git("config", "filter.upper.clean", "tr a-z A-Z")
    folder.write(".git/info/attributes", "*.up filter=upper\n")
    folder.write("a.up", "text\n")
    folder.commit("filtered")
    folder.git("branch", "side")
    os.utime(folder.root / "a.up", (1, 1))  # its times say nothing now
    repository = replace(
        await discover(folder.root), permissions=folder.root.parent / "allowed.json"
    )
    if is_allowed:
        await allow(repository, "filter", "upper", "tr a-z A-Z")
    changed = changer_of(repository).change(lambda git: switch_branch(git, "side"))
    if is_allowed:
        assert (await changed).branch == "side"
    else:
        with pytest.raises(Conflict, match="commit or discard"):
            await changed


async def create(folder: RepositoryFolder, name: str) -> Head:
    changer = changer_of(await discover(folder.root))
    return await changer.change(lambda git: create_branch(git, name))


@pytest.mark.parametrize("name", ["side", "a/häst", "with.dots", "@home"])
async def test_a_new_branch_is_checked_out_and_changes_stay(
    folder: RepositoryFolder, name: str
) -> None:
    folder.write("a", "changed\n")
    folder.write("new", "untracked\n")
    folder.git("add", "new")
    before = folder.git("status", "--porcelain"), folder.git("rev-parse", "HEAD")
    assert await create(folder, name) == Head(name, before[1], detached=False)
    assert (folder.git("status", "--porcelain"), folder.git("rev-parse", name)) == before
    assert f"branch.{name}." not in folder.git("config", "--list")


@pytest.mark.parametrize(
    "name", ["", "-f", "HEAD", "a..b", "a b", "@{-1}", "x.lock", "../x", "a~1"]
)
async def test_a_name_that_git_does_not_take_is_refused(
    folder: RepositoryFolder, name: str
) -> None:
    with pytest.raises(InvalidParams, match="git takes no branch"):
        await create(folder, name)
    assert folder.git("symbolic-ref", "--short", "HEAD") == "main"


async def test_no_branch_is_replaced_or_made_where_it_would_hide_another(
    folder: RepositoryFolder,
) -> None:
    folder.git("branch", "side")
    with pytest.raises(AlreadyExists, match="side"):
        await create(folder, "side")
    with pytest.raises(GitError, match="side"):
        await create(folder, "side/part")
    folder.git("bisect", "start")
    with pytest.raises(Conflict, match="bisect is in progress"):
        await create(folder, "other")
    assert folder.git("symbolic-ref", "--short", "HEAD") == "main"


async def test_a_branch_before_the_first_commit_and_from_a_detached_head(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "empty")
    assert (await create(folder, "first")).branch == "first"
    folder.write("a", "1\n")
    sha = folder.commit("one")
    folder.git("checkout", "-q", "--detach")
    assert await create(folder, "again") == Head("again", sha, detached=False)
