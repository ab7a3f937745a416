import os
import shutil
from pathlib import Path

import pytest

from jupyter_ac.errors import GitError
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.git.tree.snapshot import Snapshot
from jupyter_ac.git.watch.folders import (
    Reaction,
    WatchedFolders,
    _git_folders,
    folders_to_watch,
    reaction_to,
)
from jupyter_ac.git.watch.fs_events import ADDED, DELETED, MODIFIED
from tests.support.repositories import RepositoryFolder, make_repository


async def found_in(folder: RepositoryFolder) -> tuple[Repository, Snapshot, WatchedFolders]:
    repository = await discover(folder.root)
    snapshot = await TreeCache(repository).snapshot()
    return repository, snapshot, await folders_to_watch(repository, snapshot)


def inside(folder: RepositoryFolder, watched: WatchedFolders) -> set[str]:
    return {os.path.relpath(path, folder.root) for path in watched.folders}


def in_git(repository: Repository, watched: WatchedFolders) -> set[str]:
    return {os.path.relpath(path, repository.common_dir) for path in watched.git_folders}


async def test_folders_are_watched_unless_a_rule_names_them(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a/b/c.py": "x", ".gitignore": "build/\n*.log\n"})
    folder.write("build/deep/x")
    folder.write("logs/x.log")
    folder.write(".venv/.gitignore", "*\n")
    folder.write(".venv/lib/site/x.py")
    folder.write("untracked/y")
    (folder.root / "empty/inner").mkdir(parents=True)
    folder.write("forced/sub/x")
    folder.write("forced/kept.py")
    folder.git("add", "forced/kept.py")
    folder.write(".git/info/exclude", "forced/\n")
    (folder.root / "link").symlink_to("a")
    make_repository(folder.root / "nested", {"deep/x.py": "x"})
    _, _, watched = await found_in(folder)
    assert inside(folder, watched) == {
        *(".", "a", "a/b", "logs", ".venv", "untracked", "empty", "empty/inner", "forced"),
    }
    assert not watched.unnameable


async def test_of_git_those_are_watched_that_tell_of_commits_and_switches(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.py": "x"})
    folder.git("switch", "--quiet", "-c", "topic/one")
    repository, _, watched = await found_in(folder)
    assert in_git(repository, watched) == {".", "logs", "info", "refs/heads/topic"}
    folder.git("worktree", "add", "--quiet", "-b", "two", str(tmp_path / "w"))
    repository, _, watched = await found_in(RepositoryFolder(tmp_path / "w"))
    assert in_git(repository, watched) == {
        *(".", "info", "refs/heads", "worktrees/w", "worktrees/w/logs")
    }


async def test_the_git_directories_of_submodules_are_watched_but_no_others(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.py": "x"})
    make_repository(tmp_path / "part", {"p.py": "x"})
    allowed = ("-c", "protocol.file.allow=always")
    for name in ("part", "evil"):
        folder.git(*allowed, "submodule", "--quiet", "add", str(tmp_path / "part"), name)
    folder.commit()
    (tmp_path / "outside/logs").mkdir(parents=True)
    _, snapshot, _ = await found_in(folder)
    folder.write("evil/.git", f"gitdir: {tmp_path / 'outside'}\n")
    repository = await discover(folder.root)
    shutil.rmtree(tmp_path / "part")
    found = {
        os.path.relpath(path, repository.git_dir) for path in _git_folders(repository, snapshot)
    }
    assert found == {".", "logs", "info", "refs/heads", "modules/part", "modules/part/logs"}


async def test_a_folder_whose_name_is_not_utf8_is_said_to_be_left_out(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.py": "x", "caf\udce9/b.py": "x"})
    _, _, watched = await found_in(folder)
    assert watched.unnameable
    assert inside(folder, watched) == {"."}


async def test_a_repository_that_is_gone_is_an_error(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.py": "x"})
    repository, snapshot, _ = await found_in(folder)
    shutil.rmtree(folder.root)
    with pytest.raises(GitError):
        await folders_to_watch(repository, snapshot)


@pytest.mark.parametrize(
    ("kind", "path", "meaning"),
    [
        (MODIFIED, "a.py", Reaction.SCAN),
        (DELETED, "lib/b.py", Reaction.SCAN),
        (ADDED, "new.py", Reaction.SCAN),
        (ADDED, "build", Reaction.WALK),
        (DELETED, "unknown", Reaction.SCAN),
        (MODIFIED, "app.log", Reaction.NOTHING),
        (MODIFIED, "lib", Reaction.SCAN),
        (DELETED, "lib", Reaction.REWATCH),
        (ADDED, "lib", Reaction.REWATCH),
        (MODIFIED, ".gitignore", Reaction.WALK),
        (MODIFIED, "lib/.gitignore", Reaction.WALK),
        (ADDED, f".jupyter_ac-{'0' * 16}.tmp", Reaction.NOTHING),
        (ADDED, ".git/index", Reaction.SCAN),
        (ADDED, ".git/HEAD", Reaction.WALK),
        (ADDED, ".git/MERGE_HEAD", Reaction.SCAN),
        (ADDED, ".git/rebase-merge", Reaction.SCAN),
        (MODIFIED, ".git/logs/HEAD", Reaction.WALK),
        (MODIFIED, ".git/info/exclude", Reaction.WALK),
        (ADDED, ".git/index.lock", Reaction.NOTHING),
        (ADDED, ".git/COMMIT_EDITMSG", Reaction.NOTHING),
        (MODIFIED, ".git/jupyter_ac", Reaction.NOTHING),
    ],
)
async def test_what_a_change_means(tmp_path: Path, kind: int, path: str, meaning: Reaction) -> None:
    folder = make_repository(
        tmp_path / "r", {"a.py": "x", "lib/b.py": "x", ".gitignore": "build/\n*.log\n"}
    )
    folder.write("app.log")
    folder.write("build/x")
    repository, snapshot, watched = await found_in(folder)
    change = (kind, str(repository.root / path))
    assert reaction_to([change], watched, repository, snapshot) is meaning


async def test_another_worktree_s_index_means_nothing(tmp_path: Path) -> None:
    main = make_repository(tmp_path / "r", {"a.py": "x"})
    main.git("worktree", "add", "--quiet", "-b", "two", str(tmp_path / "w"))
    repository, snapshot, watched = await found_in(RepositoryFolder(tmp_path / "w"))

    def meaning(*names: str) -> Reaction:
        changes = [(ADDED, str(repository.common_dir / name)) for name in names]
        return reaction_to(changes, watched, repository, snapshot)

    assert meaning("index", "HEAD", "ORIG_HEAD") is Reaction.NOTHING
    assert meaning("index", "packed-refs") is Reaction.SCAN
    assert meaning("worktrees/w/index") is Reaction.SCAN
    assert meaning() is Reaction.NOTHING


async def test_lost_changes_mean_that_all_is_watched_anew(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.py": "x"})
    repository, snapshot, watched = await found_in(folder)
    many = [(ADDED, f"/nowhere/{number}") for number in range(5000)]
    assert reaction_to(None, watched, repository, snapshot) is Reaction.REWATCH
    assert reaction_to(many, watched, repository, snapshot) is Reaction.REWATCH
