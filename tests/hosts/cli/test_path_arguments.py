from pathlib import Path

import pytest

from jupyter_ac.errors import NotFound
from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.cli.command import WrongUsage
from jupyter_ac.hosts.cli.path_arguments import absolute, selected_paths
from tests.support.repositories import make_repository


def test_a_folder_is_found_from_where_the_command_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert absolute(Path()) == tmp_path
    assert absolute(Path("a/b")) == tmp_path / "a/b"


def test_in_a_folder_that_is_gone_only_absolute_ones_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert absolute(tmp_path) == tmp_path
    with pytest.raises(NotFound, match="go to another one"):
        absolute(Path())


async def test_a_file_that_cant_be_sent_can_be_selected(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "garden", {"docs/a.py": "2\n"})
    folder.write("image.png", b"\x89PNG\0\0")
    repository = await discover(folder.root)
    names = ["a.py", "../image.png"]
    assert selected_paths(repository, names, folder.root / "docs") == ["docs/a.py", "image.png"]
    with pytest.raises(WrongUsage, match=r"There is no file 'nosuch.py'"):
        selected_paths(repository, ["nosuch.py"], folder.root)
