"""Translates errors of SQLite and the disk to typed errors with a remedy."""

import errno
import sqlite3
from typing import Final

from jupyter_ac.errors import AcError, Busy, NotReady, TooLarge, Unsupported
from jupyter_ac.os_errors import explained_os_error
from jupyter_ac.store.damage import primary_code
from jupyter_ac.store.sqlite_pragmas import BUSY

_NO_SPACE: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_OF_THE_PATH: Final = frozenset(
    {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM}
)


def explained_sqlite(error: Exception, name: str, read_only: str | None = None) -> AcError:
    """Return the error to show to the user.

    Args:
        error: of SQLite, of the operating system, or about invalid text.
        name: of the database file.
        read_only: why the file is read-only, as a sentence; None if it isn't.
    """
    if isinstance(error, OSError):
        return _full(name) if error.errno in _NO_SPACE else explained_os_error(error, name)
    code = primary_code(error) if isinstance(error, sqlite3.Error) else 0
    if code == sqlite3.SQLITE_FULL or "disk is full" in str(error):
        return _full(name)
    if code in BUSY:
        return Busy(f"Another process is writing {name}; try again in a moment.")
    if code == sqlite3.SQLITE_READONLY:
        return Unsupported(
            read_only or f"{name}, or a file beside it, can only be read; change its permissions."
        )
    if code in _OF_THE_PATH:
        return NotReady(f"{name} can't be opened or written ({error}); check disk and folder.")
    return NotReady(f"{name} can't be used: {error}; move it away, then a new one is created.")


def _full(name: str) -> AcError:
    return TooLarge(f"The disk is full: {name} can't be written; free some space.")
