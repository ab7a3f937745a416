import os
import threading
from pathlib import Path

import pytest

from jupyter_ac.store import signing_key
from jupyter_ac.store.signing_key import FILE, KEY_BYTES


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let Jupyter's data directory be one of the test's own."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


def test_the_key_is_made_once_and_is_the_users_alone(tmp_path: Path) -> None:
    made = signing_key.signing_key(tmp_path / "config")
    assert len(made.key) == KEY_BYTES
    assert made.notice is None
    assert (tmp_path / "config" / FILE).stat().st_mode & 0o777 == 0o600
    assert signing_key.signing_key(tmp_path / "config") == made
    assert [place.name for place in (tmp_path / "config").iterdir()] == [FILE]


def test_processes_that_make_it_at_once_get_the_same(tmp_path: Path) -> None:
    found: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: found.append(signing_key.signing_key(tmp_path).key))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1


def test_a_key_inside_of_the_repository_is_not_taken(tmp_path: Path, data_dir: Path) -> None:
    planted = tmp_path / "repo" / ".jupyter"
    planted.mkdir(parents=True)
    (planted / FILE).write_bytes(b"x" * KEY_BYTES)
    (planted / FILE).chmod(0o600)
    made = signing_key.signing_key(planted, [tmp_path / "repo"])
    assert made.key != b"x" * KEY_BYTES
    assert (data_dir / "jupyter_ac" / FILE).read_bytes() == made.key
    (tmp_path / "link").symlink_to(planted)
    assert signing_key.signing_key(tmp_path / "link", [tmp_path / "repo"]) == made


def test_a_repository_that_holds_the_home_directory_is_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    made = signing_key.signing_key(tmp_path / "config", [tmp_path])
    assert (tmp_path / "config" / FILE).read_bytes() == made.key


@pytest.mark.parametrize("what", ["link", "short", "writable", "pipe"])
def test_what_is_no_key_of_the_users_is_set_aside(tmp_path: Path, what: str) -> None:
    place = tmp_path / FILE
    if what == "link":
        (tmp_path / "target").write_bytes(b"x" * KEY_BYTES)
        place.symlink_to("target")
    elif what == "pipe":
        os.mkfifo(place)
    else:
        place.write_bytes(b"x" * (KEY_BYTES if what == "writable" else 3))
        place.chmod(0o622 if what == "writable" else 0o600)
    made = signing_key.signing_key(tmp_path)
    assert made.key != b"x" * KEY_BYTES
    assert signing_key.signing_key(tmp_path) == made
    assert os.path.lexists(tmp_path / f"{FILE}.unusable")


def test_without_any_folder_the_key_lasts_as_long_as_the_process_and_that_is_said(
    tmp_path: Path, data_dir: Path
) -> None:
    data_dir.write_text("a file")
    (tmp_path / "config").write_text("a file")
    made = signing_key.signing_key(tmp_path / "config")
    assert len(made.key) == KEY_BYTES
    assert "JUPYTER_AC_CONFIG_DIR" in (made.notice or "")
    assert signing_key.signing_key(tmp_path / "config").key != made.key
