from pathlib import Path

import pytest

from jupyter_ac.git.index_entries import read_entries
from jupyter_ac.git.index_moves import Tracked, move_in_index, renamed
from jupyter_ac.git.moving import rename_folder
from jupyter_ac.git.repository import discover
from jupyter_ac.git.write_commands import Git
from jupyter_ac.ids import RepoPath
from tests.support.changing import changer_of
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.ugly import add_submodule, ugly, with_user


def test_names_below_a_folder_change_with_it() -> None:
    assert renamed("d/e/f", "d", "x/y") == "x/y/e/f"
    assert renamed("a", "a", "b") == "b"


@pytest.mark.parametrize("tag", ["H", "S", "h"])
async def test_entries_keep_what_they_hold_and_their_marks(tmp_path: Path, tag: str) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "b": "2\n"})
    mark = {"S": "--skip-worktree", "h": "--assume-unchanged"}.get(tag)
    if mark:
        folder.git("update-index", mark, "a")
    before = folder.git("ls-files", "--stage", "a").replace("\ta", "\td/a")
    repository = await discover(folder.root)
    path = RepoPath("a")
    entries = await read_entries(repository, [path])
    git = Git(repository)
    await move_in_index(git, ("a", "d/a"), [Tracked(path, "100644", tag)], entries)
    assert folder.git("ls-files", "--stage", "d/a") == before
    assert folder.git("ls-files", "-v").split("\n") == ["H b", f"{tag} d/a"]


async def test_a_folder_of_submodules_of_submodules_moves_and_all_still_work(
    tmp_path: Path,
) -> None:
    source = make_repository(tmp_path / "source", {"in": "1\n"})
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    add_submodule(folder, source, "libs/sub")
    inside = with_user(RepositoryFolder(folder.root / "libs/sub"))
    add_submodule(inside, source, "deep")
    inside.commit("deep")
    folder.commit("submodules")
    changer = changer_of(await discover(folder.root))
    await changer.change(lambda git: rename_folder(git, "libs", "x/y/libs"))
    for path in ("x/y/libs/sub", "x/y/libs/sub/deep"):
        moved = RepositoryFolder(folder.root / path)
        assert moved.git("rev-parse", "--show-toplevel") == str(folder.root / path)
        assert moved.git("status", "--porcelain") == ""
    assert "path = x/y/libs/sub" in (folder.root / ".gitmodules").read_text()
    assert folder.git("diff", "--name-only") == ""
    assert folder.git("submodule", "status").split()[1] == "x/y/libs/sub"
