from pathlib import Path

import pytest

from jupyter_ac.errors import GitError
from jupyter_ac.git.checkpoints.listing import is_ignored, list_files
from jupyter_ac.git.repository import discover
from tests.support.repositories import diverge, make_repository


async def test_tracked_untracked_and_ignored_files(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", ".gitignore": "*.o\nout/\n", "out/k": ""})
    folder.git("add", "--force", "out/k")
    folder.commit()
    for name in (
        "new",
        "build/x.o",
        "out/y",
        "deep/out/z",
        "caf\udce9",
        ".jupyter_ac-0123456789abcdef.tmp",
    ):
        folder.write(name)
    (folder.root / "a").unlink()
    listed = await list_files(await discover(folder.root))
    assert listed.names == {"a", ".gitignore", "out/k", "new", "caf\udce9"}
    assert listed.ignored == {"build/x.o", "out/y", "deep/out/"}
    assert folder.git("hash-object", "-t", "blob", "/dev/null") in listed.blobs
    assert listed.is_skipped("deep/out", ())
    assert not listed.is_skipped("deep/out", {"deep/out"})
    assert not listed.is_skipped("build", ())


async def test_a_file_in_conflict_is_listed_once(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    diverge(folder, "a")
    folder.git("merge", "side", ok=(1,))
    listed = await list_files(await discover(folder.root))
    assert listed.names == {"a"}
    assert len(listed.blobs) == 3


async def test_an_index_that_git_cannot_read_is_said(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.write(".git/index", "nonsense")
    with pytest.raises(GitError):
        await list_files(await discover(folder.root))


def test_what_is_ignored() -> None:
    assert is_ignored("a/b/c", {"a/"})
    assert is_ignored("a", {"a"})
    assert not is_ignored("a/b", {"a"})
    assert not is_ignored("a", {"a/"})
