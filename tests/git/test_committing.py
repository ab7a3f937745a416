from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, GitError, InvalidParams
from jupyter_ac.git.committing import CommitResult, commit, reset_hard
from jupyter_ac.git.repository import discover
from tests.support.changing import changer_of
from tests.support.repositories import RepositoryFolder, configure_user, diverge, make_repository


@pytest.fixture(autouse=True)
def nobody_configured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let git know no user but the one that a test gives it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def staged(tmp_path: Path, *, known: bool = True) -> RepositoryFolder:
    """A repository with one file staged and one not."""
    folder = make_repository(tmp_path / "r", {"a": "1\n", "b": "1\n"})
    if known:
        folder.git("config", "user.name", "Ada")
        folder.git("config", "user.email", "ada@example.org")
    folder.write("a", "2\n")
    folder.write("b", "2\n")
    folder.git("add", "a")
    return folder


async def make(folder: RepositoryFolder, message: str) -> CommitResult:
    changer = changer_of(await discover(folder.root))
    return await changer.change(lambda git: commit(git, message))


def hook(folder: RepositoryFolder, name: str, script: str) -> None:
    folder.write(f".git/hooks/{name}", f"#!/bin/sh\n{script}\n").chmod(0o755)


async def test_what_is_staged_is_committed(tmp_path: Path) -> None:
    folder = staged(tmp_path)
    made = await make(folder, "Subject\n\n# no comment\n--flag\n")
    assert made.sha == folder.git("rev-parse", "HEAD")
    assert made.message == "Subject\n\n# no comment\n--flag\n"
    assert made.ran.hooks == []
    assert folder.git("log", "-1", "--format=%B") == "Subject\n\n# no comment\n--flag\n"
    assert folder.git("status", "--porcelain") == " M b"


async def test_the_first_commit(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    folder.write("a", "1\n")
    folder.git("add", "a")
    assert (await make(folder, "first")).sha == folder.git("rev-parse", "HEAD")


@pytest.mark.parametrize("message", ["", " \n\t", "nul\0", "half \ud83d", "x" * (1024 * 1024 + 1)])
async def test_a_message_that_is_none_is_refused(tmp_path: Path, message: str) -> None:
    folder = staged(tmp_path)
    before = folder.git("rev-parse", "HEAD")
    with pytest.raises(InvalidParams, match="message"):
        await make(folder, message)
    assert folder.git("rev-parse", "HEAD") == before


async def test_nothing_staged_is_said(tmp_path: Path) -> None:
    folder = staged(tmp_path)
    folder.git("reset", "-q")
    with pytest.raises(GitError, match="Nothing is staged"):
        await make(folder, "empty")
    folder.git("checkout", "-q", "--", ".")
    with pytest.raises(GitError, match="Nothing is staged"):
        await make(folder, "empty")


async def test_files_in_conflict_are_said(tmp_path: Path) -> None:
    folder = staged(tmp_path)
    folder.git("reset", "-q", "--hard")
    diverge(folder, "a")
    folder.git("merge", "side", ok=(1,))
    with pytest.raises(GitError, match="conflict"):
        await make(folder, "too early")


async def test_nobody_may_commit_until_git_knows_who(tmp_path: Path) -> None:
    folder = staged(tmp_path, known=False)
    folder.git("config", "user.useConfigOnly", "true")
    with pytest.raises(GitError, match=r"user\.email"):
        await make(folder, "by nobody")


async def test_a_hook_may_refuse_and_says_why(tmp_path: Path) -> None:
    folder = staged(tmp_path)
    hook(folder, "pre-commit", "echo 'the linter found 3 problems' >&2; exit 1")
    with pytest.raises(GitError, match="the linter found 3 problems"):
        await make(folder, "refused")
    assert folder.git("status", "--porcelain") == "M  a\n M b"


async def test_hooks_run_and_no_editor_is_asked(tmp_path: Path) -> None:
    folder = staged(tmp_path)
    hook(folder, "post-commit", "touch done")
    folder.git("config", "core.editor", "touch edited; false")
    folder.git("config", "commit.verbose", "true")
    await make(folder, "with a hook")
    assert (folder.root / "done").exists()
    assert not (folder.root / "edited").exists()


async def test_a_commit_that_cannot_be_signed_fails_without_asking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = staged(tmp_path)
    folder.git("config", "commit.gpgSign", "true")
    configure_user(monkeypatch, tmp_path, {"gpg.program": "false"})
    with pytest.raises(GitError, match="sign"):
        await make(folder, "unsigned")


async def test_a_reset_goes_back_to_the_last_commit_and_leaves_the_untracked(
    tmp_path: Path,
) -> None:
    folder = staged(tmp_path)
    folder.write("new", "mine\n")
    changer = changer_of(await discover(folder.root))
    await changer.change(reset_hard)
    assert folder.git("status", "--porcelain") == "?? new"
    assert (folder.root / "a").read_text() == "1\n"


async def test_without_a_commit_there_is_nothing_to_go_back_to(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    folder.write("a", "1\n")
    folder.git("add", "a")
    changer = changer_of(await discover(folder.root))
    with pytest.raises(AcError, match="no commit yet"):
        await changer.change(reset_hard)
    assert folder.git("status", "--porcelain") == "A  a"


async def test_a_message_that_another_git_took_away_is_given_again(tmp_path: Path) -> None:
    folder = staged(tmp_path)
    # As a git in a terminal does that writes its own at the same moment.
    hook(folder, "commit-msg", '[ -e once ] || { : > once; : > "$1"; }')
    made = await make(folder, "Keep this")
    assert folder.git("log", "-1", "--format=%s") == "Keep this"
    assert made.sha == folder.git("rev-parse", "HEAD")
