"""Frames of other origins and workers of a watched page: recorded from their first moment.

The browser holds each of them until the commands that start the recording are sent, and one that
lets it run; nothing waits for an answer in between.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Final, TypeAlias

from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.errors import AcError, Busy

log = logging.getLogger(__name__)

MAX_CHILDREN: Final = 200
"""Children of one page that are recorded; more only run."""

ENABLE_S: Final = 10.0

_BUSY_PAUSE_S: Final = 0.05

Command: TypeAlias = tuple[str, Mapping[str, object]]

DOMAINS: Final[tuple[Command, ...]] = (
    ("Inspector.enable", {}),  # first: it says at once that a page has crashed
    ("Page.enable", {}),
    (
        "Network.enable",
        {"maxTotalBufferSize": 50_000_000, "maxResourceBufferSize": 10_000_000},
    ),
    ("Runtime.enable", {}),
    ("Log.enable", {}),
    ("Target.setAutoAttach", {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}),
)
"""What starts the recording of a session; workers lack some of it."""

RUN: Final[Command] = ("Runtime.runIfWaitingForDebugger", {})
"""Lets run what the browser holds."""

Spawn: TypeAlias = Callable[[Coroutine[object, object, None]], None]
"""Runs a coroutine in a task that the target owns."""

Adopt: TypeAlias = Callable[[CdpSession], None]
"""Has the events of a session listened to."""


class ChildSessions:
    """The sessions below that of a page.

    Args:
        adopt: called with each new session before its first event.
        spawn: runs what has to wait.
    """

    def __init__(self, adopt: Adopt, spawn: Spawn) -> None:
        self._adopt = adopt
        self._spawn = spawn
        self._sessions: dict[str, CdpSession] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def listed(self) -> list[CdpSession]:
        """Give the sessions, the oldest first."""
        return list(self._sessions.values())

    def attached(self, parent: CdpSession, params: Json) -> None:
        """Take `Target.attachedToTarget` of a page's session or of a child's."""
        session_id = params.get("sessionId")
        if not isinstance(session_id, str) or not session_id or session_id in self._sessions:
            return
        session = CdpSession(parent.connection, session_id)
        if len(self._sessions) >= MAX_CHILDREN:
            self._spawn(_release(parent, session))
            return
        self._sessions[session_id] = session
        self._adopt(session)
        self._spawn(_record(session))

    def detached(self, params: Json) -> bool:
        """Take `Target.detachedFromTarget`; return whether it was one of these."""
        session = self._sessions.pop(str(params.get("sessionId")), None)
        if session is not None:
            session.connection.forget(session.session_id)
        return session is not None

    def clear(self) -> None:
        """Drop all of them: their page is gone."""
        for session in self._sessions.values():
            session.connection.forget(session.session_id)
        self._sessions.clear()


async def _record(session: CdpSession) -> None:
    """Start the recording, then let the target run; the commands go out in this order at once."""
    await send_all([(session, command) for command in (*DOMAINS, RUN)])


async def _release(parent: CdpSession, session: CdpSession) -> None:
    """Let a target run without recording it."""
    detach = ("Target.detachFromTarget", {"sessionId": session.session_id})
    await send_all([(session, RUN), (parent, detach)])


async def send_all(commands: Sequence[tuple[CdpSession, Command]]) -> None:
    """Send commands at once, and again while too many others wait: else a target would never run.

    What the browser refuses is left out: workers lack some domains.
    """
    end = time.monotonic() + ENABLE_S
    while True:
        calls = [session.call(name, params, ENABLE_S) for session, (name, params) in commands]
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, AcError):
                log.debug("a frame or worker is recorded in part: %s", outcome.message)
            elif isinstance(outcome, BaseException):
                raise outcome
        is_complete = not any(isinstance(outcome, Busy) for outcome in outcomes)
        if is_complete or time.monotonic() > end:
            return
        await asyncio.sleep(_BUSY_PAUSE_S)
