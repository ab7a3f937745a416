import errno
import os
import threading
from pathlib import Path

import pytest

from jupyter_ac.errors import Busy
from jupyter_ac.store import signing_key
from jupyter_ac.store.signing_key import FILE, KEY_BYTES, SigningKey


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let Jupyter's data directory be one of the test's own."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


def refuse(monkeypatch: pytest.MonkeyPatch, place: Path, number: int) -> None:
    """Let one file not be opened."""
    original = os.open

    def opened(path: str | Path, flags: int, mode: int = 0o777) -> int:
        if Path(path) == place:
            raise OSError(number, os.strerror(number))
        return original(path, flags, mode)

    monkeypatch.setattr("os.open", opened)


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


@pytest.mark.parametrize("what", ["link", "short", "empty", "writable", "pipe", "folder"])
def test_what_is_no_key_of_the_users_is_set_aside(tmp_path: Path, what: str) -> None:
    place = tmp_path / FILE
    if what == "link":
        (tmp_path / "target").write_bytes(b"x" * KEY_BYTES)
        place.symlink_to("target")
    elif what == "pipe":
        os.mkfifo(place)
    elif what == "folder":
        (place / "full").mkdir(parents=True)
    else:
        place.write_bytes(b"x" * {"writable": KEY_BYTES, "short": 3, "empty": 0}[what])
        place.chmod(0o622 if what == "writable" else 0o600)
    made = signing_key.signing_key(tmp_path)
    assert made.key != b"x" * KEY_BYTES
    (aside,) = tmp_path.glob(f"{FILE}.unusable-*")
    assert f"was set aside as {aside.name}" in (made.notice or "")
    assert signing_key.signing_key(tmp_path) == SigningKey(made.key)


def test_no_key_that_was_set_aside_takes_the_place_of_another(tmp_path: Path) -> None:
    for content in (b"one", b"two"):
        (tmp_path / FILE).unlink(missing_ok=True)
        (tmp_path / FILE).write_bytes(content)
        signing_key.signing_key(tmp_path)
    found = {place.read_bytes() for place in tmp_path.glob(f"{FILE}.unusable-*")}
    assert found == {b"one", b"two"}


def test_a_key_that_its_owner_may_not_read_is_used(tmp_path: Path) -> None:
    made = signing_key.signing_key(tmp_path)
    (tmp_path / FILE).chmod(0)
    assert signing_key.signing_key(tmp_path) == made
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


def test_a_key_made_where_there_was_a_place_is_used_when_there_is_a_better_one(
    tmp_path: Path, data_dir: Path
) -> None:
    config = tmp_path / "config"
    config.write_text("in the way")
    made = signing_key.signing_key(config)
    assert (data_dir / "jupyter_ac" / FILE).read_bytes() == made.key
    config.unlink()
    assert signing_key.signing_key(config) == made


def test_a_key_that_can_not_be_read_is_said_when_another_one_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = signing_key.signing_key(tmp_path / "config")
    with monkeypatch.context() as limited:
        refuse(limited, tmp_path / "config" / FILE, errno.EACCES)
        other = signing_key.signing_key(tmp_path / "config")
    assert other.key != made.key
    assert "can't be read (permission denied)" in (other.notice or "")
    assert signing_key.signing_key(tmp_path / "config") == made


def test_while_the_disk_fails_no_other_key_is_used(
    tmp_path: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = signing_key.signing_key(tmp_path)
    with monkeypatch.context() as limited:
        refuse(limited, tmp_path / FILE, errno.EMFILE)
        with pytest.raises(Busy, match="too many files are open"):
            signing_key.signing_key(tmp_path)
    assert signing_key.signing_key(tmp_path) == made
    assert not data_dir.exists()


def test_without_hard_links_a_key_takes_no_others_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(_draft: Path, place: Path) -> None:
        place.write_bytes(b"o" * KEY_BYTES)  # as another process does just then
        place.chmod(0o600)
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("os.link", link)
    assert signing_key.signing_key(tmp_path).key == b"o" * KEY_BYTES


def test_without_any_folder_the_key_lasts_as_long_as_the_process_and_that_is_said(
    tmp_path: Path, data_dir: Path
) -> None:
    data_dir.write_text("a file")
    (tmp_path / "config").write_text("a file")
    made = signing_key.signing_key(tmp_path / "config")
    assert len(made.key) == KEY_BYTES
    assert "JUPYTER_AC_CONFIG_DIR" in (made.notice or "")
    assert signing_key.signing_key(tmp_path / "config").key != made.key
