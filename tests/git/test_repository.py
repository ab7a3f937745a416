import os
import shutil
from pathlib import Path

import pytest

from jupyter_ac.errors import AccessDenied, GitError, NotFound, RefusedPath
from jupyter_ac.git.repository import discover, initialise
from tests.support.repositories import make_repository


async def test_a_folder_inside_leads_to_the_top(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "pro ject", {"a/b/c": "x"})
    repository = await discover(folder.root / "a" / "b")
    assert repository.root == folder.root
    assert repository.git_dir == repository.common_dir == folder.root / ".git"
    assert (repository.name, repository.worktree) == ("pro ject", "")


async def test_links_on_the_way_are_resolved(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    (tmp_path / "link").symlink_to(folder.root)
    assert (await discover(tmp_path / "link")).root == folder.root


@pytest.mark.parametrize("name", ["ünï", "l\udce9", "new\nline\n", "-lead", "a:b", "q'u\"o"])
async def test_a_folder_of_any_name_is_found(tmp_path: Path, name: str) -> None:
    folder = make_repository(tmp_path / name, {"a": "x"})
    assert (await discover(folder.root)).root == folder.root


async def test_a_worktree_shares_the_common_directory(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("worktree", "add", "-q", str(tmp_path / "side"))
    repository = await discover(tmp_path / "side")
    assert repository.root == Path(os.path.realpath(tmp_path / "side"))
    assert repository.common_dir == folder.root / ".git"
    assert repository.git_dir == folder.root / ".git" / "worktrees" / "side"
    assert repository.worktree == "side"


async def test_a_submodule_is_a_repository_of_its_own(tmp_path: Path) -> None:
    inner = make_repository(tmp_path / "inner", {"s": "x"})
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "sub")
    repository = await discover(folder.root / "sub")
    assert repository.root == folder.root / "sub"
    assert repository.git_dir == folder.root / ".git" / "modules" / "sub"
    assert repository.worktree == ""


async def test_without_a_repository_that_is_said(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="is in no git repository"):
        await discover(tmp_path)
    with pytest.raises(NotFound, match="no folder 'nowhere'"):
        await discover(tmp_path / "nowhere")


async def test_a_git_directory_and_a_bare_repository_have_no_files(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    for place in (folder.root / ".git", tmp_path / "bare"):
        with pytest.raises(NotFound, match="bare repository or a git directory"):
            await discover(place)


async def test_a_working_tree_that_is_claimed_from_elsewhere_is_refused(tmp_path: Path) -> None:
    victim = make_repository(tmp_path / "victim", {"secret": "x"})
    folder = make_repository(tmp_path / "r", {"a": "x"})
    for claimed in (victim.root, tmp_path, Path("/")):
        folder.git("config", "core.worktree", str(claimed))
        with pytest.raises(AccessDenied, match=r"core\.worktree"):
            await discover(folder.root)


async def test_a_bare_repository_hidden_among_files_is_not_taken(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("clone", "-q", "--bare", ".", "hidden")
    folder.git("config", "--file", "hidden/config", "core.bare", "false")
    folder.git("config", "--file", "hidden/config", "core.worktree", str(tmp_path))
    with pytest.raises((NotFound, AccessDenied)):
        await discover(folder.root / "hidden")


async def test_a_broken_repository_is_said(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    (folder.root / ".git" / "config").write_text("[core\n")
    with pytest.raises(GitError, match=r"can't read the repository of 'r': bad config line 1"):
        await discover(folder.root)


async def test_the_repository_of_another_user_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    if os.geteuid() == 0:
        monkeypatch.delenv("SUDO_UID", raising=False)
        for place in (folder.root, folder.root / ".git"):
            os.chown(place, 12345, 12345)
    else:  # who can't give files away: git says the same when told to assume it
        real = shutil.which("git")
        script = f'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {real} "$@"'
        (tmp_path / "git").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "git").chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(AccessDenied, match="belongs to another user"):
        await discover(folder.root)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("git version 2.30.9", r"git 2\.30 is too old; install git 2\.31"),
        ("nonsense", "does not output"),
    ],
)
async def test_a_git_that_is_too_old_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, reason: str
) -> None:
    (tmp_path / "git").write_text(f"#!/bin/sh\necho {said}\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(GitError, match=reason):
        await discover(_made(tmp_path / "there"))


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


async def test_a_folder_becomes_a_repository(tmp_path: Path) -> None:
    (tmp_path / "fresh").mkdir()
    repository = await initialise(tmp_path / "fresh")
    assert repository == await discover(tmp_path / "fresh")
    assert repository.git_dir.is_dir()


@pytest.mark.parametrize("spelling", ["home", "link", "home/../home"])
async def test_the_home_directory_becomes_no_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spelling: str
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "link").symlink_to(home)
    monkeypatch.setenv("HOME", str(home))
    with pytest.raises(RefusedPath, match="home directory"):
        await initialise(tmp_path / spelling)
    assert not (home / ".git").exists()
    (home / "project").mkdir()
    assert (await initialise(home / "project")).name == "project"


async def test_a_folder_around_the_home_directory_becomes_no_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "people/ann").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "people/ann"))
    for folder in (tmp_path / "people", tmp_path):
        with pytest.raises(RefusedPath, match="home directory"):
            await initialise(folder)
    assert not (tmp_path / "people/.git").exists()


@pytest.mark.parametrize("place", ["r/.git", "r/.git/hooks", "bare", "bare/refs"])
async def test_a_git_directory_becomes_no_repository(tmp_path: Path, place: str) -> None:
    make_repository(tmp_path / "r").git("init", "--quiet", "--bare", str(tmp_path / "bare"))
    (tmp_path / place).mkdir(parents=True, exist_ok=True)
    with pytest.raises(RefusedPath, match="git directory"):
        await initialise(tmp_path / place)
    assert not (tmp_path / place / ".git").exists()


async def test_a_worktree_whose_repository_was_moved_away_is_told_the_remedy(
    tmp_path: Path,
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "a"})
    folder.git("worktree", "add", "--quiet", str(tmp_path / "side"))
    folder.root.rename(tmp_path / "moved")
    with pytest.raises(NotFound):
        await discover(tmp_path / "side")
    with pytest.raises(RefusedPath, match=r"`git worktree repair`"):
        await initialise(tmp_path / "side")


async def test_a_folder_that_may_not_be_written_becomes_no_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The tests may run as root, who may write everywhere.
    monkeypatch.setattr("jupyter_ac.git.repository.os.access", lambda *_: False)
    (tmp_path / "closed").mkdir()
    with pytest.raises(AccessDenied, match="You may not write in the folder 'closed'"):
        await initialise(tmp_path / "closed")


async def test_all_of_a_disk_becomes_no_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_args: object) -> None:
        raise AssertionError

    monkeypatch.setattr("jupyter_ac.git.repository.run_git", never)
    with pytest.raises(RefusedPath, match="home directory"):
        await initialise(Path("/"))
