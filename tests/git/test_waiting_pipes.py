import os
import threading
from pathlib import Path

import pytest

from jupyter_ac.errors import GitError
from jupyter_ac.git.repository import discover
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.git.waiting_pipes import find_blocking_pipe
from tests.support.repositories import make_repository


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
