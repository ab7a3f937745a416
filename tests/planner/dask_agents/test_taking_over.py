from pathlib import Path

import pytest

from jupyter_ac.errors import AcError
from jupyter_ac.git.repository import discover
from jupyter_ac.planner.dask_agents.bundles import unpack
from jupyter_ac.planner.dask_agents.taking_over import take_over
from jupyter_ac.planner.worktrees.snapshot_commit import snapshot_commit
from jupyter_ac.planner.worktrees.tree_entries import entries_of
from tests.planner.dask_agents.test_bundles import blob, bundled, shipped, tree
from tests.support.repositories import RepositoryFolder, make_repository

FILES = {"a.txt": "a\n", "sub/b.txt": "b\n", "sub/deep/c.txt": "c\n", "d": "d\n"}


async def apply(folder: RepositoryFolder, other: RepositoryFolder, store: Path) -> None:
    """Bring the files of another repository into one."""
    repository = await discover(folder.root)
    before = await entries_of(repository, (await snapshot_commit(repository, "x\n")).commit)
    _, _, bundle = await shipped(other)
    await take_over(repository, before, await unpack(bundle, store))


async def test_files_are_changed_made_and_removed(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {**FILES, ".gitignore": "kept\n"})
    folder.write("kept", "ignored")
    folder.write("sub/deep/kept", "ignored")
    other = make_repository(tmp_path / "o", {".gitignore": "kept\n", "a.txt": "A\n", "d/e": "e\n"})
    (other.root / "sub").symlink_to("d")
    (other.root / "run").write_text("#!/bin/sh\n")
    (other.root / "run").chmod(0o755)
    (folder.root / "sub/deep/kept").unlink()
    await apply(folder, other, tmp_path / "store")
    assert (folder.root / "a.txt").read_text() == "A\n"
    assert (folder.root / "d/e").read_text() == "e\n"
    assert (folder.root / "sub").readlink() == Path("d")
    assert (folder.root / "run").stat().st_mode & 0o100
    assert (folder.root / "kept").read_text() == "ignored"
    assert folder.git("status", "--porcelain", "--untracked-files=all").count("\n") > 0
    names = {path.name for path in folder.root.iterdir()}
    assert names == {".git", ".gitignore", "a.txt", "d", "kept", "run", "sub"}


async def test_nothing_is_written_through_a_link_that_was_there(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.txt": "a"})
    (tmp_path / "outside").mkdir()
    (folder.root / "link").symlink_to(tmp_path / "outside")
    repository = await discover(folder.root)
    made = await snapshot_commit(repository, "x\n", without=["link"])
    before = await entries_of(repository, made.commit)
    root = folder.root
    inner = tree(root, ("100644", "stolen", blob(root, b"x")))
    bundle = bundled(root, tree(root, ("040000", "link", inner)))
    with pytest.raises(AcError):
        await take_over(repository, before, await unpack(bundle, tmp_path / "store"))
    assert list((tmp_path / "outside").iterdir()) == []
