import errno
import os
import sqlite3

import pytest

from jupyter_ac.errors import AccessDenied, AcError, Busy, NotReady, TooLarge, Unsupported
from jupyter_ac.store.sqlite_errors import explained_sqlite


def of_sqlite(code: int, text: str = "words of SQLite") -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return error


def of_the_system(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@pytest.mark.parametrize(
    ("error", "kind", "remedy"),
    [
        (of_the_system(errno.ENOSPC), TooLarge, "free some space"),
        (of_the_system(errno.EDQUOT), TooLarge, "free some space"),
        (of_the_system(errno.EACCES), AccessDenied, "change its permissions"),
        (of_the_system(errno.EMFILE), Busy, "raise the limit"),
        (of_sqlite(sqlite3.SQLITE_FULL), TooLarge, "free some space"),
        (of_sqlite(0, "database or disk is full"), TooLarge, "free some space"),
        (of_sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT), Busy, "try again"),
        (of_sqlite(sqlite3.SQLITE_READONLY), Unsupported, "change its permissions"),
        (of_sqlite(sqlite3.SQLITE_CANTOPEN), NotReady, "check disk and folder"),
        (of_sqlite(sqlite3.SQLITE_IOERR_WRITE), NotReady, "check disk and folder"),
        (of_sqlite(sqlite3.SQLITE_ERROR), NotReady, "move it away"),
    ],
)
def test_each_has_a_type_and_a_remedy(error: Exception, kind: type[AcError], remedy: str) -> None:
    found = explained_sqlite(error, "h.sqlite")
    assert type(found) is kind
    assert "h.sqlite" in found.message
    assert remedy in found.message


def test_a_file_that_is_only_read_says_why() -> None:
    found = explained_sqlite(of_sqlite(sqlite3.SQLITE_READONLY), "h.sqlite", "It is newer.")
    assert found.message == "It is newer."
