import os
from pathlib import Path

import pytest

from jupyter_ac.errors import RefusedPath
from jupyter_ac.store.path_checks import (
    is_regular_or_missing,
    names_a_super_journal,
    require_real_folder,
)


def test_only_a_folder_in_its_own_place_is_plain(tmp_path: Path) -> None:
    (tmp_path / "folder" / "below").mkdir(parents=True)
    (tmp_path / "link").symlink_to("folder")
    (tmp_path / "file").write_text("x")
    require_real_folder(tmp_path / "folder")
    for name in ("link", "link/below", "file"):
        with pytest.raises(RefusedPath):
            require_real_folder(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        require_real_folder(tmp_path / "missing")


def test_links_pipes_and_folders_are_no_files(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to("file")
    os.mkfifo(tmp_path / "pipe")
    found = {
        name: is_regular_or_missing(tmp_path / name)
        for name in ("file", "link", "pipe", "none", ".")
    }
    assert found == {"file": True, "link": False, "pipe": False, "none": True, ".": False}


def test_a_super_journal_is_known_by_its_end(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 20 + bytes.fromhex("d9d505f920a163d7"))
    (tmp_path / "b").write_bytes(b"x")
    assert names_a_super_journal(tmp_path / "a")
    assert not names_a_super_journal(tmp_path / "b")
    assert not names_a_super_journal(tmp_path / "missing")
