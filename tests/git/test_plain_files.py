import os
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, GitError
from jupyter_ac.git.plain_files import read_regular, require_regular
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
