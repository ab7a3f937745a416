"""A SQLite database file with its own thread.

Defines the policy: journal, busy timeout, migrations, handling of damaged and newer files, and
errors of the disk. Knows no table. Invariant: a function passed to `run` is applied atomically,
also in case of `kill -9`.
"""

import asyncio
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

from filelock import FileLock, Timeout

from jupyter_ac.errors import AccessDenied, Busy, InvalidParams, NotFound, NotReady, RefusedPath
from jupyter_ac.os_errors import kind_of
from jupyter_ac.store.damage import (
    SIDE_FILES,
    UnreadableTableError,
    is_damage,
    is_damaged,
    is_undecodable,
    require_file,
    require_ours,
    require_sound,
    schema_version,
    statements,
)
from jupyter_ac.store.hardening import harden
from jupyter_ac.store.path_checks import require_real_folder
from jupyter_ac.store.row_signing import RowSigner
from jupyter_ac.store.salvage import drop_orphans, salvage
from jupyter_ac.store.sqlite_errors import explained_sqlite
from jupyter_ac.store.sqlite_pragmas import set_journal

T = TypeVar("T")

BUSY_TIMEOUT_S: Final = 5.0

_CLOSE_TIMEOUT_S: Final = 10.0
_NEW_S: Final = 5.0

_logger = logging.getLogger(__name__)


class Database:
    """A database file that is opened on first use.

    Args:
        path: the file; its folder must exist. A link is refused.
        migrations: SQL scripts; the n-th migrates the schema from version n to n + 1.
        busy_timeout_s: time limit for waiting on another process that writes.
        repair: an SQL script that makes tables consistent after a partial recovery.
        optional: an SQL script that creates a virtual table which a file may have.
        signer: registers its SQL functions; None for a database without signatures.
    """

    def __init__(
        self,
        path: Path,
        migrations: Sequence[str],
        busy_timeout_s: float = BUSY_TIMEOUT_S,
        repair: str = "",
        optional: str = "",
        signer: RowSigner | None = None,
    ) -> None:
        self._path = path
        self._migrations = tuple(migrations)
        self._repair = repair
        self._optional = optional
        self._signer = signer
        self._busy_timeout_s = busy_timeout_s
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="jupyter_ac-sqlite")
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._closed = False
        self._read_only: str | None = None
        self._notice: str | None = None

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    def beside(self, name: str, migrations: Sequence[str]) -> "Database":
        """Return another database of the same folder, whose rows are signed with the same key."""
        return Database(self._path.with_name(name), migrations, signer=self._signer)

    @property
    def read_only(self) -> str | None:
        """Why nothing can be written, as a sentence; None if it can. Known after the first use."""
        return self._read_only

    @property
    def notice(self) -> str | None:
        """A sentence about a damaged file that was set aside; None if there was none."""
        return self._notice

    async def open(self) -> None:
        """Open and check the file and migrate its schema, before its first use.

        Raises:
            AcError: it can't be opened; the message contains the reason and the remedy.
        """
        await self._on_thread(lambda: require_sound(self._connect()))

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Apply a function to the connection in one transaction and return its result.

        It runs on the database's thread. If it raises, the transaction is rolled back. Cancelling
        the caller neither undoes nor prevents it. It may be called again after a damaged file was
        set aside. A file that was deleted or replaced meanwhile is opened again.

        Raises:
            Busy: another process held the write lock for the whole busy timeout.
            Unsupported: the file is read-only (see `read_only`) and the function writes.
            AcError: the disk is full, or the file isn't usable.
            sqlite3.IntegrityError: the function violates a constraint of the schema.
        """
        return await self._on_thread(lambda: self._apply(work))

    async def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Apply a function that only reads; it doesn't block writers of other processes.

        All reads are from one snapshot. Raises the same errors as `run`.
        """
        return await self._on_thread(lambda: self._apply(work, "BEGIN"))

    async def aclose(self) -> None:
        """Close the file after the queued work; idempotent."""
        if self._closed:
            return
        self._closed = True
        closing_work = asyncio.get_running_loop().run_in_executor(self._thread, self._disconnect)
        self._thread.shutdown(wait=False)
        done, _ = await asyncio.wait({closing_work}, timeout=_CLOSE_TIMEOUT_S)
        for finished in done:
            finished.result()

    async def _on_thread(self, work: Callable[[], T]) -> T:
        if self._closed:
            raise NotReady("The history is closed; open the panel again.")
        working = asyncio.get_running_loop().run_in_executor(self._thread, self._guard, work)
        return await asyncio.shield(working)  # else it would be cancelled with its caller

    def _guard(self, work: Callable[[], T]) -> T:
        """Do the work; if the file is damaged, replace it by a new one and repeat.

        Damage that a check of the pages doesn't confirm is accepted if the work meets it a second
        time.
        """
        try:
            return work()
        except OSError as error:
            raise explained_sqlite(error, self._path.name) from error
        except sqlite3.IntegrityError:
            raise
        except UnicodeEncodeError as error:
            raise InvalidParams(
                f"The history can't store text that isn't valid Unicode: {error.object[:80]!a}."
            ) from error
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            if not is_damage(error):
                raise explained_sqlite(error, self._path.name, self._read_only) from error
            is_certain = is_undecodable(error) or isinstance(error, UnreadableTableError)
        try:
            return self._after_damage(work, is_certain=is_certain)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise explained_sqlite(error, self._path.name, self._read_only) from error

    def _after_damage(self, work: Callable[[], T], *, is_certain: bool) -> T:
        self._set_aside(is_certain=is_certain)
        try:
            return work()
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            if is_certain or not is_damage(error):
                raise
        return self._after_damage(work, is_certain=True)

    def _apply(self, work: Callable[[sqlite3.Connection], T], begin: str = "BEGIN IMMEDIATE") -> T:
        connection = self._begin(begin)
        try:
            result = work(connection)
        except BaseException:
            _roll_back(connection)
            raise
        try:
            connection.execute("COMMIT")
        except sqlite3.Error:
            _roll_back(connection)
            raise
        return result

    def _begin(self, begin: str) -> sqlite3.Connection:
        """Begin a transaction on a known schema version."""
        connection = self._connect()
        connection.execute("BEGIN" if self._read_only else begin)
        if self._read_only is None and schema_version(connection) != len(self._migrations):
            # A process of a newer version migrated the file while it was open here.
            self._disconnect()
            connection = self._connect()
            connection.execute("BEGIN" if self._read_only else begin)
        return connection

    def _connect(self) -> sqlite3.Connection:
        if self._file is not None:  # the folder may have been deleted with the file
            with suppress(OSError):
                self._path.parent.mkdir(mode=0o700, exist_ok=True)
        self._require_folder()
        if self._connection is not None and self._file != _identity(self._path):
            # Writes to a deleted file would be lost with the connection.
            _logger.warning("%s was deleted or replaced; it is opened again", self._path.name)
            self._disconnect()
        if self._connection is None:
            self._require_safe_path()
            self._report_empty_file()
            connection = sqlite3.connect(
                self._path, timeout=self._busy_timeout_s, isolation_level=None
            )
            try:
                self._read_only = self._prepare(connection)
                self._require_safe_path()  # a link may have been created meanwhile
            except BaseException:
                connection.close()
                raise
            self._connection = connection
            self._file = _identity(self._path)
        return self._connection

    def _require_folder(self) -> None:
        """Refuse a folder that was deleted, or replaced by a link."""
        try:
            require_real_folder(self._path.parent)
        except FileNotFoundError:
            raise NotFound(
                f"{self._path.name} can't be opened: its folder doesn't exist. "
                "Open the repository at its present path."
            ) from None

    def _require_safe_path(self) -> None:
        """Refuse links, which would redirect SQLite's writes, and special files."""
        self._require_folder()
        for side in SIDE_FILES:
            part = self._path.with_name(self._path.name + side)
            if part.is_symlink():
                raise RefusedPath(
                    f"{part.name} is a link; state is stored in regular files. Remove the link."
                )
        require_file(self._path)

    def _report_empty_file(self) -> None:
        """Set a notice if an old file is empty; a new one is empty only for a moment."""
        with suppress(OSError):
            found = self._path.stat()
            if not found.st_size and time.time() - found.st_mtime > _NEW_S:
                self._notice = f"{self._path.name} was empty; a new one was started."

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _prepare(self, connection: sqlite3.Connection) -> str | None:
        """Configure the connection and migrate; return why it is read-only, or None."""
        harden(connection)
        connection.execute("PRAGMA foreign_keys=ON")
        if self._signer is not None:
            self._signer.install(connection)
        name = self._path.name
        is_writable = os.access(self._path, os.W_OK)
        if is_writable:
            self._restrict_permissions()  # before SQLite opens the files
        require_ours(connection, self._migrations, self._optional)
        found = schema_version(connection)
        reason = None
        if found > len(self._migrations):
            reason = (
                f"{name} was written by a newer version of jupyter_ac (schema {found}, this one "
                f"knows {len(self._migrations)}) and is read-only here; update jupyter_ac."
            )
        elif not is_writable:
            if found < len(self._migrations):
                raise AccessDenied(
                    f"{name} was written by an older version of jupyter_ac and may not be written, "
                    "so it can't be brought up to date; change its permissions."
                )
            reason = f"{name} may not be written and is only read; change its permissions."
        if reason is not None:
            connection.execute("PRAGMA query_only=ON")
            return reason
        set_journal(connection, self._path.parent, self._busy_timeout_s)
        connection.execute("PRAGMA synchronous=FULL")  # a commit survives a power failure
        self._migrate(connection)
        return None

    def _restrict_permissions(self) -> None:
        """Make the file, and those that SQLite created beside it, accessible only for its owner."""
        self._path.chmod(0o600)
        for side in SIDE_FILES[1:]:
            with suppress(OSError):
                self._path.with_name(self._path.name + side).chmod(0o600)

    def _migrate(self, connection: sqlite3.Connection) -> None:
        if schema_version(connection) == len(self._migrations):
            return
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have migrated during the wait.
            for script in self._migrations[schema_version(connection) :]:
                for statement in statements(script):
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version={len(self._migrations)}")
            connection.execute("COMMIT")
        except BaseException:
            _roll_back(connection)
            raise

    def _set_aside(self, *, is_certain: bool) -> None:
        """Rename a damaged file and its companions, unless another process has done so.

        The readable rows are in the new file before another process may set that one aside.

        Args:
            is_certain: the open file is damaged, although its pages may look valid.
        """
        self._disconnect()
        lock = FileLock(self._path.with_name(f"{self._path.name}.lock"))
        try:
            with lock.acquire(timeout=self._busy_timeout_s):
                is_the_same = is_certain and self._file in {None, _identity(self._path)}
                if not is_the_same and not self._is_damaged():
                    return
                suffix = f".damaged-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
                while self._path.with_name(f"{self._path.name}{suffix}").exists():
                    suffix += "-again"
                for side in SIDE_FILES:
                    part = self._path.with_name(self._path.name + side)
                    if os.path.lexists(part):
                        part.rename(part.with_name(f"{self._path.name}{suffix}{side}"))
                recovered = self._recover(self._path.with_name(f"{self._path.name}{suffix}"))
        except (OSError, Timeout) as error:
            kind = kind_of(error) if isinstance(error, OSError) else Busy
            raise kind(
                f"{self._path.name} is damaged and can't be set aside; move it away manually."
            ) from error
        self._notice = (
            f"{self._path.name} was damaged; it was set aside as {self._path.name}{suffix} "
            f"and a new one was started, {_recovery_text(recovered)}."
        )
        _logger.warning("%s", self._notice)

    def _is_damaged(self) -> bool:
        return is_damaged(self._path, self._migrations, self._optional)

    def _recover(self, damaged: Path) -> int:
        """Copy the readable rows of a damaged file into the new one; return their number."""
        connection = self._connect()
        connection.execute("PRAGMA foreign_keys=OFF")
        try:
            connection.execute("BEGIN IMMEDIATE")
            recovered = salvage(damaged, connection)
            for statement in statements(self._repair) if recovered else ():
                connection.execute(statement)
            drop_orphans(connection)
            connection.execute("COMMIT")
        except (sqlite3.Error, OSError):
            _logger.exception("the readable rows of %s were not recovered", damaged.name)
            _roll_back(connection)
            return 0
        finally:
            connection.execute("PRAGMA foreign_keys=ON")
        return recovered


def _identity(path: Path) -> tuple[int, int] | None:
    """Return device and inode of a file; None if it doesn't exist."""
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _recovery_text(rows: int) -> str:
    return f"with {rows:,} recovered rows" if rows else "nothing could be recovered"


def _roll_back(connection: sqlite3.Connection) -> None:
    with suppress(sqlite3.Error):
        if connection.in_transaction:
            connection.execute("ROLLBACK")
