"""Popups of one browser: held by it until their recording has begun, from their first request on.

Only the browser itself can hold new pages, and then it holds all of them; pages that nobody has
asked for are let go at once. It holds none while no page is watched.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Final, TypeAlias

from jupyter_ac.browser.cdp import BROWSER, CdpConnection, CdpSession, Json
from jupyter_ac.browser.child_sessions import RUN, Command, send_all
from jupyter_ac.errors import AcError, NotConnected

log = logging.getLogger(__name__)

_PAGES: Final[list[Json]] = [{"type": "page"}]

TakePopup: TypeAlias = Callable[[str, str, str], bool]
"""Told the ids of a page that is held, of its session, and of the page that opened it, "" for none.

It returns at once whether that page is wanted: then whoever takes it lets it run."""


class PopupSessions:
    """The sessions of one browser that are of pages, asked for or not.

    Belongs to one event loop.

    Args:
        connection: to the browser.

    Attributes:
        take_popup: as above; at first no page is one.
        is_holding: whether the browser holds new pages.
    """

    def __init__(self, connection: CdpConnection) -> None:
        self.take_popup: TakePopup = _take_none
        self.is_holding = False
        self._connection = connection
        self._attaching = asyncio.Lock()
        self._wanted: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def attach(self, target_id: str) -> str:
        """Attach to a target, and return the id of the session.

        Raises:
            NotConnected: the browser has ended, or gives no session.
            BrowserError: there is no such target any more.
            TimedOut: it doesn't answer.
        """
        params = {"targetId": target_id, "flatten": True}
        async with self._attaching:
            answer = await self._connection.call("Target.attachToTarget", params)
            session_id = answer.get("sessionId")
            if not isinstance(session_id, str) or not session_id:
                raise NotConnected("The browser gave no session for the page.")
            self._wanted.add(session_id)
        return session_id

    async def hold(self, is_wanted: Callable[[], bool]) -> None:
        """Have new pages held as long as that is wanted; a browser that refuses holds none.

        Args:
            is_wanted: looked at when earlier changes are done.
        """
        async with self._attaching:
            is_on = is_wanted()
            if is_on is self.is_holding or self._connection.is_closed:
                return
            params = {
                "autoAttach": is_on,
                "waitForDebuggerOnStart": is_on,
                "flatten": True,
                "filter": _PAGES,
            }
            self.is_holding = False
            try:
                await self._connection.call("Target.setAutoAttach", params)
            except AcError as error:
                log.debug("popups are not held: %s", error.message)
            else:
                self.is_holding = is_on

    def attached(self, params: Json) -> None:
        """Take `Target.attachedToTarget` of the browser itself; returns at once."""
        session_id, info = params.get("sessionId"), params.get("targetInfo")
        if not isinstance(session_id, str) or not session_id or not isinstance(info, dict):
            return
        target_id, opener = str(info.get("targetId", "")), str(info.get("openerId") or "")
        if params.get("waitingForDebugger") is not True:
            self._spawn(self._leave(session_id))
        elif self.take_popup(target_id, session_id, opener):
            self._wanted.add(session_id)
        else:
            self.let_run(session_id)

    def let_run(self, session_id: str) -> None:
        """Let a page that is held run, and leave it; returns at once."""
        self._wanted.discard(session_id)
        self._spawn(self._let_run(session_id))

    def detached(self, session_id: str) -> None:
        """Take note that a session has ended."""
        self._wanted.discard(session_id)

    async def aclose(self) -> None:
        """End all work; the browser lets pages run when the connection ends."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _leave(self, session_id: str) -> None:
        """Leave a page that was there before, unless it is one that was asked for."""
        async with self._attaching:  # whose session it is, is known then
            if session_id not in self._wanted:
                await send_all([self._detachment(session_id)])

    async def _let_run(self, session_id: str) -> None:
        held = CdpSession(self._connection, session_id)
        await send_all([(held, RUN), self._detachment(session_id)])

    def _detachment(self, session_id: str) -> tuple[CdpSession, Command]:
        browser = CdpSession(self._connection, BROWSER)
        return browser, ("Target.detachFromTarget", {"sessionId": session_id})

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        async def run() -> None:
            try:
                await work
            except AcError as error:
                log.debug("a page is left by itself: %s", error.message)

        task = asyncio.get_running_loop().create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: work.close())  # if it is cancelled before it begins


def _take_none(_target_id: str, _session_id: str, _opener: str) -> bool:
    return False
