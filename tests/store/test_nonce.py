import re
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from filelock import FileLock

from jupyter_ac.store.nonce import MAX_NONCES, knows_nonce, write_nonce


def test_a_nonce_is_32_hex_digits_that_only_the_owner_can_read(tmp_path: Path) -> None:
    nonce = write_nonce(tmp_path)
    assert re.fullmatch(r"[0-9a-f]{32}", nonce)
    assert (tmp_path / "nonce").read_text() == f"{nonce}\n"
    assert stat.S_IMODE((tmp_path / "nonce").stat().st_mode) == 0o600
    assert knows_nonce(tmp_path, nonce)


def test_each_kernel_has_a_nonce_and_all_stay_good(tmp_path: Path) -> None:
    first, second = write_nonce(tmp_path), write_nonce(tmp_path)
    assert first != second
    assert (tmp_path / "nonce").read_text() == f"{second}\n{first}\n"
    assert knows_nonce(tmp_path, first)
    assert knows_nonce(tmp_path, second)


def test_only_so_many_are_kept(tmp_path: Path) -> None:
    written = [write_nonce(tmp_path) for _ in range(MAX_NONCES + 1)]
    assert not knows_nonce(tmp_path, written[0])
    assert all(knows_nonce(tmp_path, nonce) for nonce in written[1:])


def test_a_copy_of_the_folder_does_not_know_what_came_later(tmp_path: Path) -> None:
    original, copy = tmp_path / "original", tmp_path / "copy"
    original.mkdir()
    copy.mkdir()
    write_nonce(original)
    (copy / "nonce").write_bytes((original / "nonce").read_bytes())
    assert not knows_nonce(copy, write_nonce(original))


@pytest.mark.parametrize("asked", ["", "x", "0" * 32, "é\udce9", "\n"])
def test_other_words_are_not_known(tmp_path: Path, asked: str) -> None:
    write_nonce(tmp_path)
    assert not knows_nonce(tmp_path, asked)


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\0", b"short\n", b"G" * 32, b"a" * 33, b"a\n" * 99999]
)
def test_a_file_that_holds_something_else_holds_no_nonce(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "nonce").write_bytes(content)
    assert not knows_nonce(tmp_path, content.decode("ascii", "replace").strip())
    assert knows_nonce(tmp_path, write_nonce(tmp_path))


def test_without_a_file_or_with_a_link_there_is_no_nonce(tmp_path: Path) -> None:
    assert not knows_nonce(tmp_path, "a" * 32)
    assert not knows_nonce(tmp_path / "nowhere", "a" * 32)
    (tmp_path / "target").write_text("a" * 32)
    (tmp_path / "nonce").symlink_to("target")
    assert not knows_nonce(tmp_path, "a" * 32)


def test_kernels_that_start_at_once_lose_none(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        written = list(threads.map(lambda _: write_nonce(tmp_path), range(16)))
    assert all(knows_nonce(tmp_path, nonce) for nonce in written)
    assert {place.name for place in tmp_path.iterdir()} <= {"nonce", "nonce.lock"}


def test_a_lock_that_someone_keeps_does_not_stop_the_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jupyter_ac.store.nonce._LOCK_TIMEOUT_S", 0.1)
    with FileLock(tmp_path / "nonce.lock"):
        nonce = write_nonce(tmp_path)
    assert knows_nonce(tmp_path, nonce)
