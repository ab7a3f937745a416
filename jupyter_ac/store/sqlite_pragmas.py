"""Sets the journal mode of a database that several processes open at once."""

import sqlite3
import time
from pathlib import Path
from typing import Final

from jupyter_ac.store.damage import primary_code
from jupyter_ac.store.state_paths import journal_mode

BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
"""Primary result codes that mean that another connection must finish first."""

_PAUSE_S: Final = 0.01


def set_journal(connection: sqlite3.Connection, folder: Path, patience_s: float) -> None:
    """Set the journal mode that works in a folder.

    SQLite's busy timeout doesn't apply to other processes that just open or read the file; this
    function retries itself.

    Raises:
        sqlite3.OperationalError: the file was busy for longer than `patience_s`.
        AcError: the disk is full.
        OSError: no file can be created in the folder.
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
