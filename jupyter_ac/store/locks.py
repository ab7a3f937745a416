"""Locks between processes that use one repository, and named locks in order among tasks too.

The operating system holds them, so they end with their process. Waiting never blocks the event loop
and is always limited.
"""

import asyncio
import errno
import json
import os
import secrets
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

from filelock import FileLock, Timeout

from jupyter_ac.errors import AccessDenied, Busy, NotFound, RefusedPath, Unsupported
from jupyter_ac.os_errors import FORBIDDEN, NOT_A_FOLDER, explained_os_error
from jupyter_ac.store.path_checks import make_real_folder

FOLDER: Final = "locks"
WAIT_S: Final = 5.0

_PASSING: Final = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO, errno.ESTALE}
)
_REPLACED: Final = NOT_A_FOLDER | {errno.EISDIR, errno.ENXIO, errno.EEXIST}
_FIRST_PAUSE_S: Final = 0.001
_LONGEST_PAUSE_S: Final = 0.02
_MAX_RECORD_BYTES: Final = 4096
# The folder's content is untrusted: links are not followed, and pipes don't block.
_READ_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WRITE_FLAGS: Final = (
    os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
)


@asynccontextmanager
async def hold(state_dir: Path, name: str, wait_s: float = WAIT_S) -> AsyncIterator[None]:
    """Hold a lock of this repository for the body.

    Not re-entrant: two tasks of one process exclude each other like two processes.

    Args:
        state_dir: the repository's state folder, links above it resolved.
        name: of the lock, one word, shown in errors.
        wait_s: time limit for waiting on another holder.

    Raises:
        Busy: it was held the whole time; the message contains its age.
        Unsupported: the file system doesn't support locks.
        AccessDenied, NotFound: the folder can't be written, or doesn't exist.
        RefusedPath: a link or something else is at its path, or at the lock's.
        AcError: the disk is full or fails, or too many files are open.
    """
    folder = state_dir / FOLDER
    lock = FileLock(folder / f"{name}.lock", thread_local=False)
    record = folder / f"{name}.held"
    try:
        _create_folder(folder)
        await _acquire(lock, name, record, wait_s)
    except FileNotFoundError:
        raise NotFound(
            f"The folder of the lock {name!r} doesn't exist; open the repository where it is."
        ) from None
    except NotImplementedError as error:  # a file system without locks
        raise Unsupported(_no_lock(name)) from error
    except OSError as error:
        if error.errno in _PASSING:
            raise explained_os_error(error, f"The lock {name!r}") from error
        if error.errno in FORBIDDEN:
            raise AccessDenied(_no_lock(name)) from error
        if error.errno in _REPLACED:
            raise RefusedPath(
                f"The lock {name!r} can't be acquired: something else is at the path of its file. "
                "Remove it."
            ) from error
        raise Unsupported(_no_lock(name)) from error
    try:
        _record_holder(record)
        yield
    finally:
        with suppress(OSError):
            record.unlink()
        lock.release()


def _no_lock(name: str) -> str:
    return (
        f"The lock {name!r} can't be acquired in the state folder; "
        "make it writable, on a file system that supports locks."
    )


def _create_folder(folder: Path) -> None:
    """Create the folder of the locks, and its parent if somebody has removed it.

    Raises:
        OSError: it can't be created.
        RefusedPath: something else is at its path.
    """
    make_real_folder(folder.parent)
    make_real_folder(folder)


async def _acquire(lock: FileLock, name: str, record: Path, wait_s: float) -> None:
    deadline = time.monotonic() + wait_s
    pause_s = _FIRST_PAUSE_S
    while True:
        try:
            # One try takes microseconds; in a thread the lock could be acquired after a
            # cancellation.
            lock.acquire(timeout=0)
        except Timeout:
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                raise Busy(_who_holds(name, record)) from None
            # Random, so that a holder which retries at a fixed rate doesn't always win.
            share = 0.25 + secrets.randbelow(750) / 1000
            await asyncio.sleep(min(pause_s * share, left_s))
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)
        else:
            return


def _record_holder(record: Path) -> None:
    """Record the holder for the message of a waiting process; the lock works without it."""
    with (
        suppress(OSError),
        os.fdopen(os.open(record, _WRITE_FLAGS, 0o600), "w", encoding="utf-8") as file,
    ):
        json.dump({"pid": os.getpid(), "since": time.time()}, file)


def _who_holds(name: str, record: Path) -> str:
    remedy = "wait for it to end or stop that process"
    try:
        with os.fdopen(os.open(record, _READ_FLAGS), "rb") as file:
            noted = json.loads(file.read(_MAX_RECORD_BYTES))
        age_s, pid = max(0.0, time.time() - float(noted["since"])), int(noted["pid"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return f"Another process holds the lock {name!r}; {remedy}."
    return f"Process {pid} has held the lock {name!r} for {age_s:.0f} s; {remedy}."


QUEUE_S: Final = 30.0
"""Time limit for waiting on tasks of the same process."""


class NamedLocks:
    """Locks of one repository by name. Belongs to one event loop.

    Args:
        state_dir: the repository's state folder, which contains the lock files.
        wait_s: time limit for waiting on other processes.
    """

    def __init__(self, state_dir: Path, wait_s: float = WAIT_S) -> None:
        self._state_dir = state_dir
        self._wait_s = wait_s
        self._queues: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @property
    def is_held(self) -> bool:
        """Whether a task of this process holds a lock, or is about to get it."""
        return any(queue.locked() for queue in list(self._queues.values()))

    @asynccontextmanager
    async def hold_all(self, names: Iterable[str], refusal: str) -> AsyncIterator[None]:
        """Hold several locks for the body, acquired in sorted order to prevent deadlocks.

        Raises the same errors as `hold`.
        """
        async with AsyncExitStack() as stack:
            for name in sorted(set(names)):
                await stack.enter_async_context(self.hold(name, refusal))
            yield

    @asynccontextmanager
    async def hold(self, name: str, refusal: str) -> AsyncIterator[None]:
        """Hold a lock exclusively for the body; not re-entrant.

        Args:
            name: of the lock, one word.
            refusal: the failed operation for the message, as a sentence without its end: "a.py
                can't be written".

        Raises:
            Busy: others held it the whole time.
            AcError: the file system doesn't support locks.
        """
        queue = self._queues.setdefault(name, asyncio.Lock())
        try:
            async with asyncio.timeout(QUEUE_S):
                await queue.acquire()
        except TimeoutError:
            raise Busy(
                f"{refusal} now: too many operations are waiting; try again in a moment."
            ) from None
        try:
            lock = hold(self._state_dir, name, self._wait_s)
            try:
                await lock.__aenter__()
            except Busy as error:
                raise Busy(f"{refusal} now. {error.message}") from None
            try:
                yield
            finally:
                await lock.__aexit__(None, None, None)
        finally:
            queue.release()
