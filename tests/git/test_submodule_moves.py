from pathlib import Path

from jupyter_ac.git.moving import rename_folder
from jupyter_ac.git.repository import discover
from tests.support.changing import changer_of
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.ugly import add_submodule, ugly, with_user


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
