from pathlib import Path

import pytest

from jupyter_ac.errors import NotFound
from jupyter_ac.hosts.cli.folders import absolute


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
