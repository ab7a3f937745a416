"""Histories of tests: with a key that every process of the tests has."""

import sqlite3
from pathlib import Path
from typing import Final

from jupyter_ac.chat.history.database import history_database
from jupyter_ac.chat.history.schema import MIGRATIONS
from jupyter_ac.store.row_signing import RowSigner
from jupyter_ac.store.sqlite import Database

KEY: Final = b"k" * 32


def history_in(folder: Path, key: bytes = KEY) -> Database:
    """The history of a folder, as a host of one user opens it."""
    return history_database(folder, RowSigner(key, folder))


def history_in_memory() -> sqlite3.Connection:
    """A connection to an empty history, as the functions get it that run inside a transaction."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for script in MIGRATIONS:
        connection.executescript(script)
    RowSigner(KEY, Path("/repository/.git")).install(connection)
    return connection
