"""What the operating system tells of changes in folders: `watchfiles`, in a thread of its own.

The thread belongs to one set of folders, and ends with it. It sleeps in the library, which looks
ten times a second whether something has come in; that costs about 0.04 % of a core.
"""

import asyncio
import atexit
import threading
from collections.abc import Callable, Collection
from contextlib import suppress
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
        notify: watches the folders.
        hear: called on the event loop.
    """

    def __init__(self, notify: _Notify, hear: Hear) -> None:
        self._notify = notify
        self._hear = hear
        self._loop = asyncio.get_running_loop()
        self._stop = threading.Event()
        # A daemon, so that the interpreter doesn't wait for it; it must not outlive it either.
        self._thread = threading.Thread(target=self._run, name="file notices", daemon=True)
        atexit.register(self._end)
        self._thread.start()

    async def aclose(self) -> None:
        """End the thread."""
        self._stop.set()
        await asyncio.to_thread(self._end)
        atexit.unregister(self._end)

    def _end(self) -> None:
        self._stop.set()
        self._thread.join(_END_S)

    def _run(self) -> None:
        try:
            while not isinstance(
                found := self._notify.watch(_MOST_MS, _QUIET_MS, 0, self._stop), str
            ):
                self._tell(found)
        except RuntimeError:
            # A name that isn't UTF-8, for one; the library then tells nothing more.
            self._tell(None)
        finally:
            self._notify.close()

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


def _start(folders: Collection[str]) -> _Notify:
    try:
        # Its import takes longer than a host's start may.
        library = import_module("watchfiles._rust_notify")
        make = cast("Callable[..., _Notify]", library.RustNotify)
        # With `ignore_permission_denied` the library would also pass over a limit that is reached.
        return make(
            list(folders),
            debug=False,
            force_polling=False,
            poll_delay_ms=0,
            recursive=False,
            ignore_permission_denied=False,
        )
    except (ImportError, OSError, RuntimeError, UnicodeError) as error:
        raise NoNotices(f"The system tells of no changes in files: {error}") from error
