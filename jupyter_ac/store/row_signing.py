"""Message authentication codes for database rows, as SQL functions.

`row_mac(kind, value, …)` is an HMAC-SHA256 of a row, `rows_digest(value, …)` an aggregate hash of
the rows of a group in any order, `bytes_sha256(data)` the hash of bytes. Only this program's
statements can call them: SQLite rejects them in triggers, views and generated columns of a file.

The encoding is injective: it includes the type and length of each value. The key is bound to a
folder, so rows copied to another repository don't verify.
"""

import hashlib
import hmac
import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Final, cast

MAC: Final = "row_mac"
DIGEST: Final = "rows_digest"
SHA256: Final = "bytes_sha256"

_DOMAIN: Final = b"jupyter_ac rows 1\0"


class RowSigner:
    """Signs the rows of one database.

    Args:
        key: the user's.
        place: the folder that the database belongs to, all links resolved.
    """

    def __init__(self, key: bytes, place: Path) -> None:
        self._key = hmac.digest(key, _DOMAIN + os.fsencode(place), "sha256")

    def install(self, connection: sqlite3.Connection) -> None:
        """Register the functions on a connection."""
        connection.create_function(MAC, -1, self._mac, deterministic=True)
        connection.create_function(SHA256, 1, _sha256, deterministic=True)
        connection.create_aggregate(DIGEST, -1, _Digest)

    def _mac(self, *values: object) -> bytes:
        return hmac.digest(self._key, b"".join(map(_encoded, values)), "sha256")


class _Digest:
    """Collects the rows of a group."""

    def __init__(self) -> None:
        self._rows: list[bytes] = []

    def step(self, *values: object) -> None:
        """Add a row."""
        row = hashlib.sha256()
        for value in values:
            row.update(_encoded(value))
        self._rows.append(row.digest())

    def finalize(self) -> int:
        """Return the hash of all rows, independent of their order."""
        # typeshed declares only integers as results, but SQLite accepts bytes.
        return cast("int", hashlib.sha256(b"".join(sorted(self._rows))).digest())


def signed_columns(columns: Iterable[str]) -> str:
    """Return SQL arguments that cover columns exactly: the type and the bytes of each.

    Bytes instead of text, so that invalid UTF-8 can be covered as well.
    """
    return ", ".join(f"typeof({column}), CAST({column} AS BLOB)" for column in columns)


def _encoded(value: object) -> bytes:
    data = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
    return type(value).__name__.encode() + b" " + str(len(data)).encode() + b":" + data


def _sha256(data: object) -> str | None:
    return hashlib.sha256(data).hexdigest() if isinstance(data, bytes) else None
