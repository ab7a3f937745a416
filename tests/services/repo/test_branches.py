from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.services.repo.branches import BranchMethods
from tests.support.repositories import make_repository


async def test_the_branch_has_the_seeds_shape(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    part = BranchMethods(await discover(folder.root))
    sha = folder.git("rev-parse", "HEAD")
    assert await part.get_current_branch() == {"branch": "main", "sha": sha, "detached": False}
    folder.git("checkout", "-q", "--detach")
    assert await part.get_current_branch() == {"branch": None, "sha": sha, "detached": True}


async def test_cleanness_is_true_or_false(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    part = BranchMethods(await discover(folder.root))
    assert await part.is_clean() is True
    folder.write("a", "changed\n")
    assert await part.is_clean() is False


async def test_the_branches_and_which_is_current(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x\n"})
    folder.git("branch", "side")
    part = BranchMethods(await discover(folder.root))
    listed = await part.list_branches()
    assert listed["current"] == "main"
    assert listed["branches"] == await part.list_all_branches()
    sha = folder.git("rev-parse", "HEAD")
    assert listed["branches"][1] == {
        "name": "side",
        "sha": sha,
        "message": "first",
        "is_current": False,
        "is_remote": False,
    }
    folder.git("checkout", "-q", "--detach")
    assert (await part.list_branches())["current"] is None
