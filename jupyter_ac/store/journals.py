"""Choosing the journal of a database that several processes open at once."""

import sqlite3
import time
from pathlib import Path
from typing import Final

from jupyter_ac.store.damage import primary_code
from jupyter_ac.store.state_paths import journal_mode

BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
"""Primary codes that say that another connection has to finish first."""

_PAUSE_S: Final = 0.01


def set_journal(connection: sqlite3.Connection, folder: Path, patience_s: float) -> None:
    """Choose the journal that works in a folder.

    SQLite doesn't wait for other processes that open or read the file just then, whatever the
    connection's timeout says; this does.

    Raises:
        sqlite3.OperationalError: the file was busy for longer than `patience_s`.
        AcError: the disk is full.
        OSError: nothing can be made in the folder.
    """
    mode = journal_mode(folder)
    end = time.monotonic() + patience_s
    while True:
        try:
            connection.execute(f"PRAGMA journal_mode={mode}")
        except sqlite3.OperationalError as error:
            if primary_code(error) not in BUSY or time.monotonic() > end:
                raise
            time.sleep(_PAUSE_S)
        else:
            return
