from pathlib import Path

import pytest

from jupyter_ac.errors import GitError
from jupyter_ac.git.refs import Head
from jupyter_ac.git.repository import discover
from jupyter_ac.git.review.checkout import (
    CheckoutTarget,
    blocking_files,
    check_out,
    has_changes,
    revert_failed_checkout,
)
from jupyter_ac.git.write_commands import Git
from tests.support.changing import changer_of
from tests.support.repositories import RepositoryFolder, make_repository


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    folder = make_repository(tmp_path / "r", {"a": "1\n", ".gitignore": "*.log\n"})
    folder.git("checkout", "-q", "-b", "other")
    folder.write("kept.log", "other's\n")
    folder.git("add", "--force", "kept.log")
    folder.git("commit", "-qm", "other")
    folder.git("checkout", "-q", "main")
    return folder


async def test_an_ignored_file_is_not_overwritten_without_a_word(folder: RepositoryFolder) -> None:
    git = Git(await discover(folder.root))
    folder.write("kept.log", "mine\n")
    with pytest.raises(GitError, match=r"kept\.log"):
        await check_out(git, CheckoutTarget("other", folder.git("rev-parse", "other")))
    assert (folder.root / "kept.log").read_text() == "mine\n"


async def test_no_hook_runs(folder: RepositoryFolder) -> None:
    git = Git(await discover(folder.root))
    sha = folder.git("rev-parse", "other")
    hook = folder.write(".git/hooks/post-checkout", "#!/bin/sh\ntouch ran\nexit 1\n")
    hook.chmod(0o755)
    await check_out(git, CheckoutTarget(None, sha))
    assert folder.git("rev-parse", "HEAD") == sha
    assert not (folder.root / "ran").exists()


async def test_a_commit_is_not_the_branch_that_is_at_it() -> None:
    sha = "1" * 40
    assert CheckoutTarget("main", sha).is_at(Head("main", sha, detached=False))
    assert not CheckoutTarget(None, sha).is_at(Head("main", sha, detached=False))
    assert CheckoutTarget(None, sha).arguments == ("--detach", sha)
    assert CheckoutTarget("main", sha).arguments == ("main",)


async def test_changes_are_what_the_users_git_calls_so(folder: RepositoryFolder) -> None:
    git = Git(await discover(folder.root))
    folder.write("untracked")
    assert not await has_changes(git)
    folder.write("a", "2\n")
    assert await has_changes(git)
    folder.git("add", "a")
    folder.write("a", "1\n")
    assert await has_changes(git)
    folder.git("reset", "-q", "--hard")
    sha = folder.git("rev-parse", "HEAD")
    folder.git("update-index", "--add", "--cacheinfo", f"160000,{sha},lib")
    assert await has_changes(git)


async def test_only_what_is_the_other_commits_is_taken_back(tmp_path: Path) -> None:
    folder = make_repository(
        tmp_path / "r", {"a": "1\n", "b": "1\n", "gone": "1\n", "link": "1\n", "same": "1\n"}
    )
    folder.git("checkout", "-q", "-b", "other")
    for path in ("a", "b", "new", "mine", "line\nbreak"):
        folder.write(path, "2\n")
    for path in ("gone", "link"):
        (folder.root / path).unlink()
    (folder.root / "link").symlink_to("a")
    target = folder.commit("other")
    folder.git("checkout", "-q", "main")
    # What git has done of it, and what the user has done beside it.
    for path in ("a", "new", "line\nbreak"):
        folder.write(path, "2\n")
    (folder.root / "gone").unlink()
    for path in ("b", "mine"):
        folder.write(path, "the user's\n")
    await changer_of(await discover(folder.root)).change(
        lambda git: revert_failed_checkout(git, target)
    )
    assert folder.git("status", "--porcelain", "-z").split("\0")[:-1] == [
        " M b",
        "?? line\nbreak",
        "?? mine",
    ]
    assert (folder.root / "b").read_text() == "the user's\n"


async def test_where_nothing_was_begun_nothing_is_done(tmp_path: Path) -> None:
    folder: RepositoryFolder = make_repository(tmp_path / "r", {"a": "1\n"})
    head = folder.git("rev-parse", "HEAD")
    folder.write("a", "mine\n")
    await changer_of(await discover(folder.root)).change(
        lambda git: revert_failed_checkout(git, head)
    )
    assert (folder.root / "a").read_text() == "mine\n"


async def test_what_stands_where_a_commit_has_files(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "d/x": "1\n", ".gitignore": "*.log\n"})
    folder.git("checkout", "-q", "-b", "other")
    folder.git("rm", "-q", "-r", "d", "a")
    for path in ("a/below", "d", "deep/in/side", "häst\n", "kept.log", "free", "plain"):
        folder.write(path)
    folder.git("add", "--force", "kept.log")
    target = folder.commit("other")
    folder.git("checkout", "-q", "main")
    git = Git(await discover(folder.root))
    assert await blocking_files(git, target) == []
    for path in ("d/untracked", "deep", "häst\n", "kept.log", "aside"):
        folder.write(path, "mine\n")
    # A link above a file's place is in its way; what it leads to is not.
    (folder.root / "plain").symlink_to("d")
    found = ["d/untracked", "deep", "häst\n", "kept.log", "plain"]
    assert await blocking_files(git, target) == found
    assert await blocking_files(git, "HEAD") == []
    folder.git("rm", "-q", "--cached", "a")
    assert await blocking_files(git, "HEAD", target) == ["a", *found]


async def test_what_has_taken_the_place_of_a_tracked_file(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "d/x": "1\n", "gone": "1\n"})
    for path in ("a", "d/x", "gone"):
        (folder.root / path).unlink()
    (folder.root / "d").rmdir()
    folder.write("a/below", "mine\n")
    folder.write("d", "mine\n")
    assert await blocking_files(Git(await discover(folder.root)), "HEAD") == ["a/below", "d"]


async def test_a_submodules_folder_is_in_nobodys_way(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    sha = folder.git("rev-parse", "HEAD")
    folder.git("update-index", "--add", "--cacheinfo", f"160000,{sha},lib")
    folder.git("commit", "-qm", "lib")
    target = folder.git("rev-parse", "HEAD")
    folder.git("reset", "-q", "--hard", sha)
    folder.write("lib/file")
    assert await blocking_files(Git(await discover(folder.root)), target) == []
