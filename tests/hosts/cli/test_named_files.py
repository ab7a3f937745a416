"""The files that a command line names, whether they can be sent or not."""

from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.cli.command import WrongUsage
from jupyter_ac.hosts.cli.named_files import selected_paths
from tests.support.repositories import make_repository


async def test_a_file_that_cant_be_sent_can_be_selected(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "garden", {"docs/a.py": "2\n"})
    folder.write("image.png", b"\x89PNG\0\0")
    repository = await discover(folder.root)
    names = ["a.py", "../image.png"]
    assert selected_paths(repository, names, folder.root / "docs") == ["docs/a.py", "image.png"]
    with pytest.raises(WrongUsage, match=r"There is no file 'nosuch.py'"):
        selected_paths(repository, ["nosuch.py"], folder.root)
