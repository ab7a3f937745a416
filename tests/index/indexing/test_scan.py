import errno
import os
from pathlib import Path

import pytest

from jupyter_ac.ids import RepoPath
from jupyter_ac.index import parsing
from jupyter_ac.index.indexing import scan
from jupyter_ac.index.indexing.file_reader import SHA1_DIGITS, Reader, blob_hash
from jupyter_ac.index.indexing.scan import ScannedFile, ScanResult, scan_tree

A, B = RepoPath("a.py"), RepoPath("b.txt")


def looked(
    root: Path, listing: dict[RepoPath, str], before: dict[RepoPath, ScannedFile]
) -> ScanResult:
    return scan_tree(str(root), listing, before, list(before), SHA1_DIGITS)


def test_a_second_look_finds_what_has_changed(tmp_path: Path) -> None:
    (tmp_path / A).write_text("x = 1\n")
    (tmp_path / B).write_text("no language\n")
    found = looked(tmp_path, {A: "", B: ""}, {})
    assert found.gone == []
    assert found.changed[A][:2] == (blob_hash(b"x = 1\n"), "python")
    assert found.changed[A].is_to_read
    assert found.changed[B][:2] == ("", "")
    assert not found.changed[B].is_to_read
    before = dict(found.changed)
    assert looked(tmp_path, {A: "", B: ""}, before) == ScanResult({}, [])
    (tmp_path / A).write_text("x = 2\n")
    (tmp_path / B).unlink()
    found = looked(tmp_path, {A: "", B: ""}, before)
    assert (list(found.changed), found.gone) == ([A], [B])


def test_a_file_that_git_knows_is_not_read(tmp_path: Path) -> None:
    (tmp_path / A).write_text("not looked at")
    assert looked(tmp_path, {A: "abc"}, {}).changed[A].blob == "abc"


def test_of_a_file_whose_name_promises_a_secret_only_the_name_is_known(tmp_path: Path) -> None:
    name = RepoPath(".env.py")
    (tmp_path / name).write_text("def secret(): ...\n")
    assert not looked(tmp_path, {name: ""}, {}).changed[name].is_to_read
    assert not looked(tmp_path, {name: "abc"}, {}).changed[name].is_to_read


def test_a_touched_file_is_read_and_is_not_changed(tmp_path: Path) -> None:
    (tmp_path / A).write_text("x = 1\n")
    before = looked(tmp_path, {A: ""}, {}).changed
    os.utime(tmp_path / A, (1, 1))
    assert looked(tmp_path, {A: ""}, before) == ScanResult({}, [])


def test_a_large_file_is_not_read_and_said_to_be_large(tmp_path: Path) -> None:
    with (tmp_path / A).open("wb") as file:
        file.truncate(3_200_000)
    seen = looked(tmp_path, {A: ""}, {}).changed[A]
    assert (seen.problem, seen.is_to_read) == ("too large (3.2 MB)", False)
    assert scan.MAX_BYTES == parsing.MAX_BYTES


def test_a_file_that_may_not_be_read_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied")

    (tmp_path / A).write_text("x")
    with monkeypatch.context() as patched:
        patched.setattr(Reader, "read", refused)  # root may read everything
        before = looked(tmp_path, {A: ""}, {}).changed
    assert before[A].problem == "can't be read (Permission denied)"
    assert looked(tmp_path, {A: ""}, before).changed[A].is_to_read


def test_links_and_files_behind_links_are_gone(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.py").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    (tmp_path / "b.py").symlink_to(tmp_path / "folder" / "a.py")
    listing = {RepoPath("link/a.py"): "", RepoPath("b.py"): ""}
    assert looked(tmp_path, listing, {}) == ScanResult({}, [])
