import os
import sqlite3
import stat
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError
from jupyter_ac.store import state_paths
from jupyter_ac.store.state_paths import (
    JournalMode,
    StateFolder,
    has_state,
    is_local,
    journal_mode,
    state_dir,
    state_folder,
)


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let Jupyter's data directory be one of the test's own."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_state_lives_in_the_git_directory_for_its_owner_only(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert not has_state(tmp_path / ".git")
    place = state_folder(tmp_path / ".git")
    assert has_state(tmp_path / ".git")
    assert place == StateFolder(tmp_path / ".git" / "jupyter_ac")
    assert _mode(place.directory) == 0o700
    assert state_dir(tmp_path / ".git") == place.directory
    assert list(place.directory.iterdir()) == []


def test_a_folder_that_was_open_to_others_is_closed(tmp_path: Path) -> None:
    found = tmp_path / ".git" / "jupyter_ac"
    found.mkdir(parents=True)
    found.chmod(0o777)
    state_dir(tmp_path / ".git")
    assert _mode(found) == 0o700


def test_a_link_is_not_followed(tmp_path: Path, data_dir: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".git" / "jupyter_ac").symlink_to(tmp_path / "elsewhere")
    place = state_folder(tmp_path / ".git")
    assert place.directory.is_relative_to(data_dir / "jupyter_ac")
    assert "is a link" in (place.notice or "")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_file_in_the_way_sends_state_to_the_data_directory(
    tmp_path: Path, data_dir: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "jupyter_ac").write_text("x")
    place = state_folder(tmp_path / ".git")
    assert place.directory.parent == data_dir / "jupyter_ac"
    assert _mode(place.directory) == 0o700
    assert place.notice is not None
    assert place.notice.startswith("The repository's git directory can't contain the history (")
    assert "earlier conversations there are not shown" in place.notice
    assert str(tmp_path) not in place.notice


def test_what_was_kept_in_the_data_directory_is_named_when_the_usual_place_is_back(
    tmp_path: Path, data_dir: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "jupyter_ac").write_text("x")
    instead = state_dir(tmp_path / ".git")
    (tmp_path / ".git" / "jupyter_ac").unlink()
    assert state_folder(tmp_path / ".git").notice is None
    (instead / "history.sqlite").write_text("what was said")
    place = state_folder(tmp_path / ".git")
    assert place.directory == tmp_path / ".git" / "jupyter_ac"
    assert f"`jupyter_ac/{instead.name}` of Jupyter's data directory" in (place.notice or "")
    assert str(data_dir) not in (place.notice or "")


def test_two_repositories_have_two_places_and_one_has_always_the_same(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "jupyter_ac").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert state_dir(tmp_path / "a") == state_dir(tmp_path / "link")
    assert state_dir(tmp_path / "a") != state_dir(tmp_path / "b")


def test_a_read_only_file_system_sends_state_to_the_data_directory(
    tmp_path: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    real = os.mkdir

    def refuse(path: str, mode: int = 0o777) -> None:
        if ".git" in os.fspath(path):
            raise OSError(30, "Read-only file system")
        real(path, mode)

    monkeypatch.setattr(os, "mkdir", refuse)
    place = state_folder(tmp_path / ".git")
    assert place.directory.is_relative_to(data_dir)
    assert "(read-only file system)" in (place.notice or "")


def test_a_folder_of_another_user_is_not_used(
    tmp_path: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git" / "jupyter_ac").mkdir(parents=True)
    data_dir.mkdir()
    if os.geteuid() == 0:
        os.chown(tmp_path / ".git" / "jupyter_ac", 12345, 12345)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
        with pytest.raises(AcError):
            state_folder(tmp_path / ".git")
        return
    assert "belongs to another user" in (state_folder(tmp_path / ".git").notice or "")


def test_no_place_at_all_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("git", "data"):
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / "jupyter_ac").write_text("x")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    with pytest.raises(AcError, match="No folder for the history"):
        state_folder(tmp_path / "git")


def test_the_journal_is_wal_where_the_trial_succeeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_paths, "_MOUNTS", tmp_path / "nowhere")  # as on macOS
    assert journal_mode(tmp_path) is JournalMode.WAL
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_says_nothing_about_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect

    def connect_to_one_page(path: Path, isolation_level: None) -> sqlite3.Connection:
        connection = connect(path, isolation_level=isolation_level)
        connection.execute("PRAGMA max_page_count=1")
        return connection

    monkeypatch.setattr(state_paths, "_MOUNTS", tmp_path / "nowhere")
    monkeypatch.setattr(sqlite3, "connect", connect_to_one_page)
    with pytest.raises(AcError, match="The disk is full"):
        journal_mode(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("kind", "journal"),
    [
        ("ext4", JournalMode.WAL),
        ("overlay", JournalMode.WAL),
        ("nfs4", JournalMode.TRUNCATE),
        ("9p", JournalMode.TRUNCATE),
    ],
)
def test_only_local_file_systems_get_wal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, journal: JournalMode
) -> None:
    folder = tmp_path / "with space" / "deep"
    folder.mkdir(parents=True)
    point = os.path.realpath(tmp_path / "with space").replace(" ", "\\040")
    (tmp_path / "mounts").write_text(
        "1 0 0:1 / / rw - cifs //server/share rw\n"
        f"2 1 0:2 / {point} rw,relatime shared:1 - {kind} source rw\n"
        f"3 1 0:3 / {point}er rw - fuse source rw\n"
        "broken line\n"
    )
    monkeypatch.setattr(state_paths, "_MOUNTS", tmp_path / "mounts")
    assert journal_mode(folder) is journal
    assert is_local(folder) is (journal is JournalMode.WAL)
