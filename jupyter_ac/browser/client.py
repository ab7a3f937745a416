"""The browser worker, as the host sees it: a child process that is started at the first call.

The worker talks to browsers, because parsing what pages write can take long: a console line of
100 MB takes 0.2 s.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from jupyter_ac.browser.profiles import remove_left
from jupyter_ac.errors import (
    AccessDenied,
    AcError,
    BrowserError,
    Busy,
    Conflict,
    ConnectionClosed,
    InvalidParams,
    NotConnected,
    NotFound,
    NotReady,
    RefusedPath,
    RemoteError,
    TimedOut,
    TooLarge,
    Unsupported,
)
from jupyter_ac.workers.process import Worker

log = logging.getLogger(__name__)

Change: TypeAlias = dict[str, object]
"""What the worker reports: `{kind, target, …}`, see `jupyter_ac/worker/browser.py`."""

GONE: Final = "gone"
"""The kind of the change that says that the worker has ended, and all targets with it."""

ROWS_OF_A_WORKER: Final = 10**9
"""More than a worker gives ids; the next one begins after them, so that none is used again."""

CALL_S: Final = 30.0
ANY_TARGET: Final = ""

_FOREVER_S: Final = 10.0**8
_KINDS: Final[Mapping[str, type[AcError]]] = {
    kind.type: kind
    for kind in (
        *(AccessDenied, Busy, Conflict, InvalidParams, NotConnected, NotFound),
        *(NotReady, RefusedPath, TimedOut, TooLarge, Unsupported),
    )
}


class BrowserClient:
    """Calls the browser worker of one repository.

    Args:
        root: of the working tree; files in stack traces are looked up there.
        report: called with each change of a target, on the event loop.
    """

    def __init__(self, root: Path, report: Callable[[Change], None]) -> None:
        self._root = root
        self._report = report
        self._worker = Worker("browser")
        self._opening = asyncio.Lock()
        self._following: asyncio.Task[None] | None = None
        self._starts = 0
        self._cleaning: set[asyncio.Task[None]] = set()

    @property
    def is_running(self) -> bool:
        """Whether the worker runs; nothing is started to find out."""
        return self._following is not None and not self._following.done()

    async def call(self, name: str, *args: object, timeout_s: float = CALL_S) -> object:
        """Call a method of the worker, which is started when it isn't running.

        Args:
            name: without the namespace: `launch`.
            args: JSON values.
            timeout_s: limit of the wait.

        Raises:
            AcError: as the worker raised it.
            NotConnected: the worker has died, and the connections to all browsers with it.
            TimedOut: no answer in time.
            NotReady: the worker can't be started.
        """
        await self._open()
        return await self._call(name, *args, timeout_s=timeout_s)

    async def act(
        self,
        target: str,
        action: str,
        arguments: Mapping[str, object] | None = None,
        timeout_s: float = CALL_S,
    ) -> object:
        """Do something with a target that is watched; see `call`.

        Args:
            target: its id.
            action: one of the worker's actions: `navigate`.
            arguments: of the action, by name.
            timeout_s: limit of the wait.
        """
        return await self.call("act", target, action, dict(arguments or {}), timeout_s=timeout_s)

    async def aclose(self) -> None:
        """End the worker, and the browsers that it has launched; bounded."""
        following, self._following = self._following, None
        if following is not None:
            following.cancel()
            await asyncio.wait([following])
        await self._worker.aclose()
        await asyncio.gather(*self._cleaning, return_exceptions=True)

    async def _call(self, name: str, *args: object, timeout_s: float) -> object:
        try:
            return await self._worker.call(f"Browser.{name}", *args, timeout_s=timeout_s)
        except RemoteError as error:
            raise local_error(error) from error
        except ConnectionClosed as closed:
            raise NotConnected(
                "The browser worker has ended, and the connections to all browsers with it; "
                "connect again."
            ) from closed

    async def _open(self) -> None:
        async with self._opening:
            if self.is_running:
                return
            last_row = self._starts * ROWS_OF_A_WORKER
            await self._call("open", str(self._root), last_row, timeout_s=CALL_S)
            self._starts += 1
            self._following = asyncio.create_task(self._follow(), name="browser worker")

    async def _follow(self) -> None:
        owner = self._worker.pid
        try:
            await self._worker.run("Browser.follow", on_event=self._take, timeout_s=_FOREVER_S)
        except AcError as error:
            log.info("the browser worker has ended: %s", error)
        self._report({"kind": GONE, "target": ANY_TARGET})
        if owner is not None:
            cleaning = asyncio.create_task(asyncio.to_thread(remove_left, owner))
            self._cleaning.add(cleaning)
            cleaning.add_done_callback(self._cleaning.discard)

    def _take(self, change: object) -> None:
        if isinstance(change, dict):
            self._report(change)


def local_error(error: RemoteError) -> AcError:
    """Return the error that the worker raised; what it didn't foresee stays as it came."""
    data = error.data if isinstance(error.data, dict) else {}
    details = {name: value for name, value in data.items() if name not in {"type", "reason"}}
    # A code that JSON-RPC defines comes with its own sentence.
    message = str(data.get("reason", error.message))
    if error.remote_type == BrowserError.type:
        command, _, reason = message.partition(": ")
        code = details.get("cdp_code")
        return BrowserError(command, code if isinstance(code, int) else 0, reason)
    kind = _KINDS.get(error.remote_type)
    return error if kind is None else kind(message, details)
