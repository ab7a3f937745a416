"""The part of a write that runs in a thread, without locks; the rest is in `test_writing.py`."""

import hashlib
import os
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, BinaryFile, Conflict, InvalidParams, RefusedPath, TooLarge
from jupyter_ac.git.files import MAX_FILE_BYTES
from jupyter_ac.git.paths import locate
from jupyter_ac.git.replacing import WriteRequest, WriteResult, encode_text, remove, write
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.temp_files import TempFile, temp_file
from jupyter_ac.ids import RepoPath

TAG = "0123456789abcdef"


@pytest.fixture
def place(tmp_path: Path) -> Repository:
    (tmp_path / "a").write_text("old")
    return Repository(tmp_path, tmp_path / ".git", tmp_path / ".git", "r")


def test_a_text_is_its_utf8_bytes_unless_it_is_no_text() -> None:
    assert encode_text("a", "é\r\n\ufeff") == b"\xc3\xa9\r\n\xef\xbb\xbf"
    with pytest.raises(InvalidParams):
        encode_text("a", "\udce9")
    with pytest.raises(TooLarge):
        encode_text("a", "é" * (MAX_FILE_BYTES // 2 + 1))
    with pytest.raises(BinaryFile):
        encode_text("a", "\0")


def test_the_result_says_what_is_on_disk(place: Repository) -> None:
    done = write(place, locate(place, "./a"), WriteRequest(b"new", TAG))
    assert done == WriteResult(RepoPath("a"), hashlib.sha256(b"new").hexdigest())
    assert write(place, locate(place, "a"), WriteRequest(b"new", TAG)) == WriteResult(
        done.path, done.sha256, changed=False
    )


def test_a_folder_that_became_a_link_since_it_was_looked_at_is_not_followed(
    place: Repository, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (place.root / "d").mkdir()
    located = locate(place, "d/new")
    (place.root / "d").rmdir()
    (place.root / "d").symlink_to(elsewhere)
    with pytest.raises(RefusedPath, match="isn't a folder"):
        write(place, located, WriteRequest(b"x", TAG))
    assert list(elsewhere.iterdir()) == []


def test_a_file_that_became_a_link_since_it_was_looked_at_is_not_followed(
    place: Repository, tmp_path_factory: pytest.TempPathFactory
) -> None:
    secret = tmp_path_factory.mktemp("elsewhere") / "secret"
    secret.write_text("theirs")
    located = locate(place, "a")
    (place.root / "a").unlink()
    (place.root / "a").symlink_to(secret)
    with pytest.raises(RefusedPath):
        write(place, located, WriteRequest(b"x", TAG))
    assert secret.read_text() == "theirs"


def test_a_file_that_vanishes_while_it_is_replaced_is_a_conflict(
    place: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = os.fsync

    def vanish(descriptor: int) -> None:
        really(descriptor)
        (place.root / "a").unlink(missing_ok=True)

    monkeypatch.setattr("os.fsync", vanish)
    over = hashlib.sha256(b"old").hexdigest()
    with pytest.raises(Conflict, match="no longer exists"):
        write(place, locate(place, "a"), WriteRequest(b"new", TAG, over))
    assert list(place.root.iterdir()) == []


def test_what_is_swept_may_be_gone_already(place: Repository) -> None:
    (place.root / "d").mkdir()
    (place.root / "d/left").write_text("")
    remove(place, "d/left")
    remove(place, "d/left")
    remove(place, "gone/left")
    with pytest.raises(AcError):
        remove(place, "d")
    assert sorted(path.name for path in place.root.iterdir()) == ["a", "d"]


@pytest.mark.parametrize("is_new", [True, False])
def test_a_folder_that_goes_because_it_was_empty_is_made_again(
    place: Repository, monkeypatch: pytest.MonkeyPatch, is_new: bool
) -> None:
    """Whoever renames a folder's last file takes the folder away."""
    folder, robbed = place.root / "d/e", list[bool]()

    def rob(descriptor: int, tag: str, data: bytes) -> AbstractContextManager[TempFile]:
        if not robbed:
            folder.rmdir()
            robbed.append(True)
        return temp_file(descriptor, tag, data)

    monkeypatch.setattr("jupyter_ac.git.replacing.temp_file", rob)
    write(place, locate(place, "d/e/f"), WriteRequest(b"new", TAG, is_new=is_new))
    assert (folder / "f").read_bytes() == b"new"
    assert robbed
