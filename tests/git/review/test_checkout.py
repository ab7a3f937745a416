from pathlib import Path

import pytest

from jupyter_ac.errors import GitError
from jupyter_ac.git.head import Head
from jupyter_ac.git.repository import discover
from jupyter_ac.git.review.checkout import CheckoutTarget, check_out, has_changes
from jupyter_ac.git.write_commands import Git
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
