"""Opens histories with a signing key that all test processes share."""

import sqlite3
from pathlib import Path
from typing import Final

from jupyter_ac.chat.history.schema import MIGRATIONS, history_database
from jupyter_ac.store.row_signing import RowSigner
from jupyter_ac.store.sqlite import Database

KEY: Final = b"k" * 32
PLACE: Final = Path("/repository/.git")


def history_in(folder: Path, key: bytes = KEY, place: Path = PLACE) -> Database:
    """The history of a folder, as a host of one user opens it.

    Args:
        folder: where the file is.
        key: the user's; another one is somebody else.
        place: what signatures are bound to; another one is a copy elsewhere.
    """
    return history_database(folder, RowSigner(key, place))


def history_in_memory() -> sqlite3.Connection:
    """A connection to an empty history, as the functions get it that run inside a transaction."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for script in MIGRATIONS:
        connection.executescript(script)
    RowSigner(KEY, PLACE).install(connection)
    return connection
