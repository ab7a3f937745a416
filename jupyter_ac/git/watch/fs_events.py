"""What the operating system tells of changes in folders: `watchfiles`, in threads of its own.

The threads belong to one set of folders, and end with it. They sleep in the library, which looks
ten times a second whether something has come in; that costs about 0.04 % of a core.
"""

import asyncio
import atexit
import threading
from collections.abc import Callable, Collection
from contextlib import ExitStack, suppress
from importlib import import_module
from typing import Final, Protocol, TypeAlias, cast

from jupyter_ac.errors import AcError

Change: TypeAlias = tuple[int, str]
"""What happened (`ADDED`, `MODIFIED`, `DELETED`), and the absolute path."""

Hear: TypeAlias = Callable[[Collection[Change] | None], None]
"""Is given changes; None when some were lost, and nothing more will come."""

ADDED: Final = 1
MODIFIED: Final = 2
DELETED: Final = 3

_QUIET_MS: Final = 100
"""Changes are told when nothing more has come in for so long."""

_MOST_MS: Final = 1000
"""Changes are told after so long, whatever comes in."""

_END_S: Final = 2.0

_GROUP: Final = 1000
"""So many folders are watched at once: meanwhile the library lets no other thread run."""

_MOST_GROUPS: Final = 8
"""The system has a limit for them too."""


class NoNotices(AcError):
    """The operating system tells of no changes here."""


class _Notify(Protocol):
    """The part of `watchfiles.RustNotify` that is used."""

    def watch(
        self, debounce_ms: int, step_ms: int, timeout_ms: int, stop_event: threading.Event
    ) -> Collection[Change] | str:
        """Wait for changes; a word when it ended for another reason."""

    def close(self) -> None:
        """Watch nothing more."""


class Notices:
    """Tells of changes in folders, not in the folders in them, until closed.

    Args:
        groups: watch the folders.
        hear: called on the event loop.
    """

    def __init__(self, groups: Collection[_Notify], hear: Hear) -> None:
        self._hear = hear
        self._loop = asyncio.get_running_loop()
        self._stop = threading.Event()
        # Daemons, so that the interpreter doesn't wait for them; they must not outlive it either.
        self._threads = [
            threading.Thread(target=self._run, args=(group,), name="file notices", daemon=True)
            for group in groups
        ]
        atexit.register(self._end)
        for thread in self._threads:
            thread.start()

    async def aclose(self) -> None:
        """End the threads."""
        self._stop.set()
        await asyncio.to_thread(self._end)
        atexit.unregister(self._end)

    def _end(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(_END_S)

    def _run(self, group: _Notify) -> None:
        try:
            while not isinstance(found := group.watch(_MOST_MS, _QUIET_MS, 0, self._stop), str):
                self._tell(found)
        except RuntimeError:
            # A name that isn't UTF-8, for one; the library then tells nothing more.
            self._tell(None)
        finally:
            group.close()

    def _tell(self, found: Collection[Change] | None) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._hear_unless_closed, found)

    def _hear_unless_closed(self, found: Collection[Change] | None) -> None:
        if not self._stop.is_set():
            self._hear(found)


async def notices_of(folders: Collection[str], hear: Hear) -> Notices:
    """Tell of changes in folders.

    Args:
        folders: absolute paths; they must exist.
        hear: called on the event loop.

    Raises:
        NoNotices: the system's limit is reached, a folder is gone, or `watchfiles` can't be used.
    """
    return Notices(await asyncio.to_thread(_start, folders), hear)


def _start(folders: Collection[str]) -> list[_Notify]:
    size = max(_GROUP, -(-len(folders) // _MOST_GROUPS))
    ordered = list(folders)
    with ExitStack() as stack:
        started: list[_Notify] = []
        for at in range(0, len(ordered), size):
            started.append(_watch(ordered[at : at + size]))
            stack.callback(started[-1].close)
        stack.pop_all()
    return started


def _watch(folders: list[str]) -> _Notify:
    try:
        # Its import takes longer than a host's start may.
        library = import_module("watchfiles._rust_notify")
        make = cast("Callable[..., _Notify]", library.RustNotify)
        # With `ignore_permission_denied` the library would also pass over a limit that is reached.
        return make(
            folders,
            debug=False,
            force_polling=False,
            poll_delay_ms=0,
            recursive=False,
            ignore_permission_denied=False,
        )
    except (ImportError, OSError, RuntimeError, UnicodeError) as error:
        raise NoNotices(f"The system tells of no changes in files: {error}") from error
