import os
import subprocess
from pathlib import Path

import pytest

from jupyter_ac.index.indexing.file_reader import Reader, blob_hash
from tests.support.swapping import exchange_before_opening, folder_and_outside


def test_a_plain_file_is_read_up_to_a_limit(tmp_path: Path) -> None:
    (tmp_path / "bed").mkdir()
    (tmp_path / "bed/fern.py").write_bytes(b"12345")
    reader = Reader(str(tmp_path))
    found = reader.look("bed/fern.py")
    assert found is not None
    assert found.st_size == 5
    assert reader.read("bed/fern.py", 3) == b"123"


def test_links_are_not_followed_out_of_the_tree(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.py").write_text("password = 1")
    root = tmp_path / "root"
    root.mkdir()
    (root / "file.py").symlink_to(outside / "secret.py")
    (root / "folder").symlink_to(outside)
    (root / "deep").mkdir()
    (root / "deep" / "folder").symlink_to(outside)
    reader = Reader(str(root))
    for path in ("file.py", "folder/secret.py", "deep/folder/secret.py"):
        assert reader.look(path) is None
        with pytest.raises((FileNotFoundError, OSError), match=path.rpartition("/")[2]):
            reader.read(path, 10)


def test_what_is_no_file_is_none_and_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    reader = Reader(str(tmp_path))
    for path in ("pipe.py", "folder.py", "missing.py", "nul\0.py"):
        assert reader.look(path) is None
    with pytest.raises(FileNotFoundError):
        reader.read("pipe.py", 10)


def test_names_that_are_not_utf_8_are_read(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.py")
    (tmp_path / name).write_text("x = 1")
    assert Reader(str(tmp_path)).read(name, 10) == b"x = 1"


def test_a_folder_that_is_exchanged_with_a_link_leads_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, outside = folder_and_outside(tmp_path)
    exchange_before_opening(monkeypatch, folder, outside)
    with pytest.raises(OSError, match=r"folder/file\.py"):
        Reader(str(folder.parent)).read("folder/file.py", 10)


@pytest.mark.parametrize("data", [b"", b"word\n", bytes(range(256))])
def test_a_content_has_the_name_that_git_gives_it(data: bytes) -> None:
    command = ["git", "hash-object", "--stdin"]
    told = subprocess.run(command, input=data, capture_output=True, check=True).stdout
    assert blob_hash(data) == told.decode().strip()


def test_a_repository_with_long_hashes_has_long_names() -> None:
    # From git's own tests of its object format: the empty blob.
    empty = "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"
    assert blob_hash(b"", len(empty)) == empty
