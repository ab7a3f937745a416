"""Watches folders for changes with `watchfiles`, in separate threads.

The threads belong to one set of folders, and end with it. They sleep in the library, which polls
for events ten times a second; that costs about 0.04 % of a core.
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
"""The kind of change (`ADDED`, `MODIFIED`, `DELETED`), and the absolute path."""

OnChanges: TypeAlias = Callable[[Collection[Change] | None], None]
"""Callback for changes; None if some were lost and no more will come."""

ADDED: Final = 1
MODIFIED: Final = 2
DELETED: Final = 3

_QUIET_MS: Final = 100
"""Debounce: changes are reported when no further one arrived for this time."""

_MOST_MS: Final = 1000
"""Changes are reported after this time, even if further ones arrive."""

_END_S: Final = 2.0

_GROUP: Final = 1000
"""Number of folders that are registered at once: the library holds the interpreter lock meanwhile.
"""

_MOST_GROUPS: Final = 8
"""The system also limits the number of instances."""


class WatchUnavailable(AcError):
    """The operating system doesn't report changes here."""


class _Notify(Protocol):
    """The part of `watchfiles.RustNotify` that is used."""

    def watch(
        self, debounce_ms: int, step_ms: int, timeout_ms: int, stop_event: threading.Event
    ) -> Collection[Change] | str:
        """Wait for changes; returns a word if it ended for another reason."""

    def close(self) -> None:
        """Stop watching."""


class FolderWatch:
    """Reports changes in folders (not in their subfolders) until closed.

    Args:
        groups: watchers of the folders.
        on_changes: callback, called on the event loop.
    """

    def __init__(self, groups: Collection[_Notify], on_changes: OnChanges) -> None:
        self._on_changes = on_changes
        self._loop = asyncio.get_running_loop()
        self._stop = threading.Event()
        # Daemon threads, so that the interpreter doesn't wait for them; `atexit` ends them before
        # it exits.
        self._threads = [
            threading.Thread(target=self._run, args=(group,), name="folder watch", daemon=True)
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
                self._report(found)
        except RuntimeError:
            # For example for a name that isn't UTF-8; the library reports nothing more then.
            self._report(None)
        finally:
            group.close()

    def _report(self, found: Collection[Change] | None) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._deliver, found)

    def _deliver(self, found: Collection[Change] | None) -> None:
        if not self._stop.is_set():
            self._on_changes(found)


async def watch_folders(folders: Collection[str], on_changes: OnChanges) -> FolderWatch:
    """Start watching folders.

    Args:
        folders: absolute paths; they must exist.
        on_changes: callback, called on the event loop.

    Raises:
        WatchUnavailable: the system's limit is reached, a folder doesn't exist, or `watchfiles`
            can't be used.
    """
    return FolderWatch(await asyncio.to_thread(_start, folders), on_changes)


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
        # Imported here because the import takes longer than a host's start may.
        library = import_module("watchfiles._rust_notify")
        make = cast("Callable[..., _Notify]", library.RustNotify)
        # With `ignore_permission_denied` the library would also ignore that a limit is reached.
        return make(
            folders,
            debug=False,
            force_polling=False,
            poll_delay_ms=0,
            recursive=False,
            ignore_permission_denied=False,
        )
    except (ImportError, OSError, RuntimeError, UnicodeError) as error:
        raise WatchUnavailable(f"The system doesn't report changes of files: {error}") from error
