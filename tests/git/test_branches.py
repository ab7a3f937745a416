from pathlib import Path

import pytest

from jupyter_ac.errors import GitError
from jupyter_ac.git.branches import Branch, all_branches, local_branches
from jupyter_ac.git.repository import discover
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
