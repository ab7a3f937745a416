import shutil
from pathlib import Path

import pytest

from jupyter_ac.errors import Conflict
from jupyter_ac.git.repository import discover
from jupyter_ac.git.restore_conflicts import refuse_overwriting
from tests.support.changing import changer_of
from tests.support.repositories import RepositoryFolder, make_repository


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    """A file that is a folder now, with a file that git doesn't know, and the reverse."""
    folder = make_repository(tmp_path / "r", {"file": "1\n", "d/x": "1\n", "a": "1\n"})
    (folder.root / "file").unlink()
    folder.write("file/in", "mine\n")
    shutil.rmtree(folder.root / "d")
    folder.write("d", "mine\n")
    return folder


async def look(folder: RepositoryFolder, restored: set[str], going: set[str]) -> None:
    changer = changer_of(await discover(folder.root))
    await changer.change(lambda git: refuse_overwriting(git, restored, going))


@pytest.mark.parametrize(
    ("restored", "going", "said"),
    [
        ({"a", "file"}, set(), "The folder 'file' is in the way"),
        ({"a", "d/x"}, set(), "'d' is in the way"),
        ({"d/x", "file"}, {"d"}, "The folder 'file' is in the way"),
        ({"d/x", "file"}, {"file/in"}, "'d' is in the way"),
    ],
)
async def test_what_git_does_not_know_is_not_removed(
    folder: RepositoryFolder, restored: set[str], going: set[str], said: str
) -> None:
    with pytest.raises(Conflict, match=said):
        await look(folder, restored, going)


async def test_what_is_to_go_and_what_is_empty_leave_room(folder: RepositoryFolder) -> None:
    await look(folder, {"a", "d/x", "file"}, {"d", "file/in"})
    (folder.root / "file/in").unlink()
    (folder.root / "file/empty").mkdir()
    await look(folder, {"file"}, set())
    assert (folder.root / "file/empty").is_dir(), "it only looks"


async def test_what_git_ignores_or_another_repository_is_not_removed_either(
    folder: RepositoryFolder,
) -> None:
    folder.write(".git/info/exclude", "in\n")
    with pytest.raises(Conflict, match="'file'"):
        await look(folder, {"file"}, set())
    shutil.rmtree(folder.root / "file")
    make_repository(folder.root / "file")
    with pytest.raises(Conflict, match="'file'"):
        await look(folder, {"file"}, set())


async def test_a_submodule_is_where_it_belongs(folder: RepositoryFolder) -> None:
    make_repository(folder.root / "sub", {"in": "1\n"})
    folder.git("-c", "advice.addEmbeddedRepo=false", "add", "sub")
    folder.git("commit", "-q", "-m", "submodule")
    await look(folder, {"sub", "a"}, set())
    assert (folder.root / "sub/.git").is_dir()


async def test_a_link_holds_nothing_that_could_be_lost(folder: RepositoryFolder) -> None:
    (folder.root / "d").unlink()
    (folder.root / "d").symlink_to("file")
    await look(folder, {"d/x", "d/in"}, set())
    assert (folder.root / "d").is_symlink(), "it only looks"
