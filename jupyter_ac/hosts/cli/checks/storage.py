"""Checks of the storage: the history database, the caches, the working tree."""

import asyncio
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from jupyter_ac.chat.history.schema import HISTORY_FILE, MIGRATIONS
from jupyter_ac.git.watch.fs_events import WatchUnavailable, watch_folders
from jupyter_ac.git.watch.listener import watch_limit
from jupyter_ac.hosts.cli.checks.context import CheckContext, CheckResult, fail, ok, warn
from jupyter_ac.settings.paths import CACHE_VARIABLE, cache_dir
from jupyter_ac.store.path_checks import is_regular_or_missing
from jupyter_ac.store.state_paths import JournalMode, is_local, journal_mode, state_folder

_LOW_BYTES: Final = 200 << 20
_MIB: Final = 1 << 20
_NOTICES: Final = "See that `watchfiles` is installed; raise fs.inotify.max_user_instances."


async def state(here: CheckContext) -> CheckResult:
    """Report the history's path and journal mode, and check its integrity."""
    return await asyncio.to_thread(_state, here.repository.common_dir)


def _state(common_dir: Path) -> CheckResult:
    place = state_folder(common_dir)
    mode = journal_mode(place.directory)
    kept = _history(place.directory / HISTORY_FILE)
    about = f"{place.directory}, journal {mode.upper()}, {kept.text}"
    if kept.remedy:
        return CheckResult(kept.state, about, kept.remedy)
    aside = sorted(path.name for path in place.directory.glob(f"{HISTORY_FILE}.damaged-*"))
    damaged = [name for name in aside if not name.endswith(("-wal", "-shm", "-journal"))]
    if damaged:
        return warn(
            f"{about}; a damaged history was set aside as {damaged[-1]}",
            "Delete it when you miss nothing of your conversations.",
        )
    if place.notice:
        return warn(about, place.notice)
    if mode is not JournalMode.WAL:
        return ok(f"{about} (not on a local disk: slower, as safe)")
    return ok(about)


def _history(path: Path) -> CheckResult:
    if not path.exists():
        return ok("no history yet")
    if not is_regular_or_missing(path):  # SQLite would wait for a pipe
        return fail(f"{path.name} is not a regular file", "Remove it, or put the file back.")
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=5)) as database:
            (schema,) = database.execute("PRAGMA user_version").fetchone()
            (health,) = database.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        return fail(
            f"{path.name} can't be read ({error})",
            "A damaged history is set aside at the next start; nothing is deleted.",
        )
    about = f"{path.name} {path.stat().st_size / _MIB:.1f} MiB, schema {schema}"
    if health != "ok":
        return fail(f"{about}, damaged", "It is set aside at the next start; nothing is deleted.")
    if schema > len(MIGRATIONS):
        return warn(f"{about}, of a newer jupyter_ac: only read", "Update jupyter-ac.")
    return ok(about)


async def disk(here: CheckContext) -> CheckResult:
    """Check that files can be written, and that there is free space."""
    root = here.repository.root
    if not os.access(root, os.W_OK):
        return fail(f"{root} can't be written", "Make the working tree writable for you.")
    free = (await asyncio.to_thread(shutil.disk_usage, root)).free
    text = f"{root} is writable, {free / _MIB:,.0f} MiB free"
    return ok(text) if free >= _LOW_BYTES else warn(text, "Free some space.")


async def watching(here: CheckContext) -> CheckResult:
    """Check that the system sends notifications of file changes."""
    root = here.repository.root
    try:
        notices = await watch_folders([str(root)], lambda _: None)
    except WatchUnavailable as error:
        return warn(f"{error.message} The files are looked at again and again.", _NOTICES)
    await notices.aclose()
    if not await asyncio.to_thread(is_local, root):
        return ok("not on a local disk: the files are looked at again and again")
    limit = watch_limit()
    most = f", in up to {limit:,} folders" if limit is not None else ""
    return ok(f"the system tells of changes{most}")


async def cache(here: CheckContext) -> CheckResult:
    """Check that the cache folder is writable."""
    folder = cache_dir(here.environ)
    nearest = next(place for place in (folder, *folder.parents) if place.exists())
    if nearest.is_dir() and os.access(nearest, os.W_OK):
        return ok(f"{folder}{'' if folder.exists() else ', made when needed'}")
    return warn(f"{folder} can't be written", f"Make it writable or set {CACHE_VARIABLE}.")
