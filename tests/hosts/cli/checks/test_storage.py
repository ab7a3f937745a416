"""Where state is kept."""

import asyncio
import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from jupyter_ac.chat.history.schema import MIGRATIONS
from jupyter_ac.hosts.cli.checks import storage
from jupyter_ac.hosts.cli.checks.context import CheckState
from jupyter_ac.store.state_paths import JournalMode
from tests.hosts.cli.checks.conftest import Look
from tests.support.repositories import RepositoryFolder


def history(garden: RepositoryFolder, schema: int = len(MIGRATIONS)) -> Path:
    folder = garden.root / ".git" / "jupyter_ac"
    folder.mkdir(mode=0o700, exist_ok=True)
    with closing(sqlite3.connect(folder / "history.sqlite")) as database:
        database.execute("CREATE TABLE t (x)")
        database.execute(f"PRAGMA user_version={schema}")
        database.commit()
    return folder / "history.sqlite"


async def test_the_history_is_beside_the_repository(look: Look, garden: RepositoryFolder) -> None:
    here = await look()
    found = await storage.state(here)
    assert found.state is CheckState.OK
    assert found.text.startswith(f"{garden.root}/.git/jupyter_ac, journal ")
    assert found.text.endswith("no history yet")
    history(garden)
    assert f"schema {len(MIGRATIONS)}" in (await storage.state(here)).text


async def test_a_damaged_history(look: Look, garden: RepositoryFolder) -> None:
    history(garden).write_bytes(b"SQLite format 3\0" + b"rubbish" * 1000)
    found = await storage.state(await look())
    assert found.state is CheckState.FAIL
    assert "set aside" in found.remedy


@pytest.mark.parametrize("what", ["pipe", "link"])
async def test_what_is_no_file_is_not_opened(
    look: Look, garden: RepositoryFolder, tmp_path: Path, what: str
) -> None:
    place = history(garden)
    place.rename(tmp_path / "elsewhere.sqlite")
    if what == "pipe":
        os.mkfifo(place)
    else:
        place.symlink_to(tmp_path / "elsewhere.sqlite")
    async with asyncio.timeout(60):
        found = await storage.state(await look())
    assert found.state is CheckState.FAIL
    assert "is not a regular file" in found.text
    assert found.remedy


async def test_a_history_that_was_set_aside(look: Look, garden: RepositoryFolder) -> None:
    aside = history(garden).with_name("history.sqlite.damaged-20261122-100000-7")
    for side in ("", "-wal"):
        aside.with_name(aside.name + side).write_bytes(b"rubbish")
    found = await storage.state(await look())
    assert found.state is CheckState.WARN
    assert found.text.endswith(f"a damaged history was set aside as {aside.name}")
    assert "Delete it" in found.remedy


async def test_a_history_of_a_newer_version(look: Look, garden: RepositoryFolder) -> None:
    history(garden, schema=len(MIGRATIONS) + 1)
    found = await storage.state(await look())
    assert (found.state, found.remedy) == (CheckState.WARN, "Update jupyter-ac.")


async def test_a_repository_that_takes_no_state(
    look: Look, garden: RepositoryFolder, tmp_path: Path
) -> None:
    # A file where the folder should be: what a read-only file system does, also for root.
    (garden.root / ".git" / "jupyter_ac").write_text("")
    found = await storage.state(await look())
    assert found.state is CheckState.WARN
    assert str(tmp_path / "data") in found.text
    assert found.remedy


async def test_without_shared_memory_the_other_journal_is_named(
    look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "journal_mode", lambda _folder: JournalMode.TRUNCATE)
    found = await storage.state(await look())
    assert found.state is CheckState.OK
    assert "TRUNCATE" in found.text


async def test_the_working_tree_can_be_written(
    look: Look, garden: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await look()
    assert (await storage.disk(here)).state is CheckState.OK
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != garden.root and real(path, mode))
    found = await storage.disk(here)
    assert (found.state, bool(found.remedy)) == (CheckState.FAIL, True)


async def test_a_disk_that_is_nearly_full(look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage("/")._replace(free=1 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage)
    found = await storage.disk(await look())
    assert (found.state, found.remedy) == (CheckState.WARN, "Free some space.")


async def test_the_cache_need_not_exist(look: Look, tmp_path: Path) -> None:
    here = await look()
    assert (await storage.cache(here)).text == f"{tmp_path / 'cache'}, made when needed"
    (tmp_path / "cache").write_text("a file in its place")
    found = await storage.cache(here)
    assert found.state is CheckState.WARN
    assert "JUPYTER_AC_CACHE_DIR" in found.remedy


@pytest.mark.usefixtures("garden")
async def test_changes_are_told_by_the_system(look: Look) -> None:
    found = await storage.watching(await look())
    assert found.state is CheckState.OK
    assert found.text.startswith("the system tells of changes")


@pytest.mark.usefixtures("garden")
async def test_where_the_system_tells_of_no_changes(
    look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "is_local", lambda _: False)
    assert "not on a local disk" in (await storage.watching(await look())).text
    monkeypatch.setitem(sys.modules, "watchfiles._rust_notify", None)
    found = await storage.watching(await look())
    assert found.state is CheckState.WARN
    assert "watchfiles" in found.remedy
