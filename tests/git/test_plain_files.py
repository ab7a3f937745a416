import os
import threading
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, GitError
from jupyter_ac.git.plain_files import (
    find_blocking_pipe,
    is_folder,
    is_link,
    read_regular,
    require_regular,
)
from jupyter_ac.git.repository import discover
from jupyter_ac.git.runner import read_git
from jupyter_ac.git.tree.cache import TreeCache
from tests.support.repositories import make_repository

FILES = (
    *(".git/index", ".git/HEAD", ".git/config", ".git/packed-refs", ".git/info/exclude"),
    *(".git/info/attributes", ".git/objects/info/alternates", ".git/refs/heads/main"),
    *(".gitignore", ".gitattributes"),
)


@pytest.mark.parametrize("name", FILES)
async def test_a_pipe_in_the_place_of_a_file_of_gits_is_named_at_once(
    tmp_path: Path, name: str
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    repository = await discover(folder.root)
    place = folder.root / name
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    cache = TreeCache(repository)
    for work in (lambda: read_git(folder.root, ("status",)), cache.snapshot):
        with pytest.raises(GitError, match="is a pipe and not a regular file"):
            await work()
    with pytest.raises(AcError, match="is a pipe and not a regular file"):
        await discover(folder.root)


async def test_in_a_worktree_both_directories_are_looked_at(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.git("worktree", "add", "-q", "../w")
    require_regular(tmp_path / "w")
    for name in (".git/worktrees/w/index", ".git/config"):
        place = folder.root / name
        stored = place.read_bytes()
        place.unlink()
        os.mkfifo(place)
        with pytest.raises(GitError, match="is a pipe"):
            require_regular(tmp_path / "w")
        place.unlink()
        place.write_bytes(stored)


def test_a_plain_file_is_read_up_to_a_limit_from_either_end(tmp_path: Path) -> None:
    place = tmp_path / "f"
    place.write_bytes(b"abcdef")
    assert read_regular(place, 2) == b"ab"
    assert read_regular(place, 2, from_end=True) == b"ef"
    os.mkfifo(tmp_path / "p")
    for name, words in (("p", "not a regular file"), (".", "directory"), ("nothing", "No such")):
        with pytest.raises(OSError, match=words):
            read_regular(tmp_path / name, 2)


def test_folders_and_links_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to("folder")
    names = ("folder", "file", "link", "nothing", "nul\0", "n" * 300, "d/" * 3000)
    assert [name for name in names if is_folder(tmp_path / name)] == ["folder"]
    assert [name for name in names if is_link(tmp_path / name)] == ["link"]


@pytest.mark.parametrize("name", [".gitignore", ".gitattributes"])
async def test_a_pipe_that_git_waits_for_is_named_and_git_ended(tmp_path: Path, name: str) -> None:
    folder = make_repository(tmp_path / "r", {"a/b/file": "1\n"})
    folder.write("a/b/file", "2\n")
    folder.write("a/b/new", "1\n")
    os.mkfifo(folder.root / "a/b" / name)
    cache = TreeCache(await discover(folder.root))
    with pytest.raises(GitError, match=rf"a/b/\{name} is a pipe .* Remove it"):
        await cache.snapshot()
    (folder.root / "a/b" / name).unlink()
    assert "a/b/new" in (await cache.snapshot()).entries


def test_only_a_pipe_that_is_waited_for_is_meant(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r", {"a/.gitignore": "x\n"}).root
    (root / "b").mkdir()
    os.mkfifo(root / "b/.gitignore")
    os.mkfifo(root / "b/other")
    (root / "c").symlink_to("b")
    assert find_blocking_pipe(root) == ""
    waiting = threading.Thread(target=(root / "b/.gitignore").read_bytes)
    waiting.start()
    while not (found := find_blocking_pipe(root)):
        pass
    assert found == "b/.gitignore"
    waiting.join()


def test_outside_of_a_working_tree_nothing_is_looked_at(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".gitignore")
    assert find_blocking_pipe(tmp_path) == ""
    assert find_blocking_pipe(tmp_path / "gone") == ""
