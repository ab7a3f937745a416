"""What a process may read that follows sources."""

import os
import sys
from pathlib import Path

import pytest

from jupyter_ac.worker.path_guard import PathGuard, close_in


def test_only_what_is_below_a_folder_is_allowed_links_followed(tmp_path: Path) -> None:
    inside, beside = tmp_path / "in", tmp_path / "inner"
    for folder in (inside, beside):
        folder.mkdir()
    (inside / "out").symlink_to(beside)
    (inside / "same").symlink_to(inside)
    (tmp_path / "link").symlink_to(inside)
    fence = PathGuard([tmp_path / "link"])
    for allowed in ("in", "in/a.py", "in/none/b.py", "link/a.py", "in/same/a.py"):
        assert fence.allows(str(tmp_path / allowed)), allowed
    for refused in ("", "inner", "inner/a.py", "in/out", "in/out/a.py", "in/../inner/a.py"):
        assert not fence.allows(str(tmp_path / refused)), refused


def test_opening_and_listing_what_lies_elsewhere_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    fence = PathGuard([tmp_path / "in"])
    for event in ("open", "os.listdir", "os.scandir"):
        for path in (str(tmp_path), os.fsencode(tmp_path), None):
            with pytest.raises(FileNotFoundError):
                fence.check(event, (path, "r", 0))
        fence.check(event, (str(tmp_path / "in/a.py"), "r", 0))
        fence.check(event, (3, "r", 0))
    fence.check("import", ("secret", None))


def test_a_process_is_closed_in_for_good(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hooks: list[object] = []
    monkeypatch.setattr(sys, "addaudithook", hooks.append)
    close_in([tmp_path])
    assert len(hooks) == 1
