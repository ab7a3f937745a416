"""A watched target: its session, those of its frames and workers, its dialog, its end.

Every event goes to the takers that were made for its session, in the order in which it came. A call
never outlasts what makes its answer impossible: a dialog, a crash, the end of the target.
"""

import asyncio
import functools
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Final, TypeAlias

from jupyter_ac.browser.browser_link import BrowserLink
from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.child_sessions import DOMAINS, ENABLE_S, RUN, ChildSessions
from jupyter_ac.browser.page_dialog import PageDialog
from jupyter_ac.browser.target_rows import (
    DetachReason,
    DialogRow,
    TargetChange,
    TargetRow,
    TargetState,
)
from jupyter_ac.errors import AcError, BrowserError, NotConnected, NotFound, TimedOut

log = logging.getLogger(__name__)

_METHOD_NOT_FOUND: Final = -32601

_BETWEEN: Final = "Not attached to an active page"
"""What a browser says between two documents of a page; soon after, it takes the same command."""

_BETWEEN_S: Final = 10.0
_BETWEEN_PAUSE_S: Final = 0.02
_TITLE_PAUSES_S: Final = (0.0, 1.0)

Taker: TypeAlias = Callable[[str, Json], None]
"""Takes an event of a session: its name and parameters. It returns at once."""

MakeTakers: TypeAlias = Callable[["Target", CdpSession], Sequence[Taker]]
"""Called for each new session of a target, its own first; after a crash again."""

OnChange: TypeAlias = Callable[[TargetChange], None]


class Target:
    """A target that is watched; made by `Debugger.watch`.

    Args:
        link: its browser.
        target_id: the browser's id of it.
        make_takers: as above.
        on_change: told what happens to it.

    Attributes:
        link: as above.
        id: the browser's id of it.
        session: for commands whose answer no dialog and no crash can delay.
        state: connecting, attached, crashed, or unwatched when it is over.
    """

    def __init__(
        self, link: BrowserLink, target_id: str, make_takers: MakeTakers, on_change: OnChange
    ) -> None:
        self.link = link
        self.id = target_id
        self.session = CdpSession(link.connection, "")
        self.state: TargetState = "connecting"
        self._make_takers = make_takers
        self._on_change = on_change
        self._children = ChildSessions(self._adopt, self._spawn)
        self._dialog = PageDialog()
        self._interruption: asyncio.Future[AcError] | None = None
        self._navigation = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._reactions: Mapping[str, Callable[[CdpSession, Json], None]] = {
            "Target.attachedToTarget": self._on_child,
            "Target.detachedFromTarget": self._on_child_gone,
            "Page.javascriptDialogOpening": self._on_dialog,
            "Page.javascriptDialogClosed": self._on_dialog_closed,
            "Page.frameNavigated": self._on_navigated,
            "Page.navigatedWithinDocument": self._on_new_address,
            "Page.loadEventFired": self._on_load,
            "Inspector.targetCrashed": self._on_crash,
            "Inspector.targetReloadedAfterCrash": self._on_revived,
        }

    @property
    def dialog(self) -> DialogRow | None:
        """The dialog that blocks the page, or None."""
        return self._dialog.row

    @property
    def url(self) -> str:
        """Of its document, as far as the browser has said."""
        info = self.link.infos.get(self.id)
        return info.url if info is not None else ""

    @property
    def sessions(self) -> list[CdpSession]:
        """Its own session and those of its frames and workers."""
        return [self.session, *self._children.listed()]

    def row(self) -> TargetRow:
        """Give what is shown of it."""
        return target_row(self.link, self.id, self)

    async def attach(self, session_id: str = "") -> None:
        """Attach to the target and start its recording.

        Args:
            session_id: of a popup that the browser has attached by itself, and holds.

        Raises:
            NotFound: the browser doesn't have it.
            NotConnected: it was closed meanwhile, or its browser.
            TimedOut: it doesn't answer: its script runs on and on, or a dialog is open.
            BrowserError: the browser refuses.
        """
        try:
            own_id = session_id or await self.link.popups.attach(self.id)
        except BrowserError as error:
            raise NotFound("There is no such page in the browser any more.") from error
        self.session = CdpSession(self.link.connection, own_id)
        self._adopt(self.session)
        await self._enable(is_held=bool(session_id))
        if self.state != "connecting":
            raise NotConnected("The page was closed while it was being connected.")
        self.state = "attached"
        self._on_change(TargetChange("attached", self.id))

    async def call(
        self,
        method: str,
        params: Mapping[str, object] | None = None,
        timeout_s: float | None = None,
        *,
        session: CdpSession | None = None,
        even_crashed: bool = False,
    ) -> Json:
        """Send a command that the page itself has to answer.

        Args:
            method: with its domain.
            params: its parameters.
            timeout_s: limit of the wait; None: that of `CdpConnection.call`.
            session: of one of its frames; None: its own.
            even_crashed: it is one that brings a crashed page back.

        Raises:
            Busy: a dialog is open, or opens before the answer; `details["dialog"]` has it.
            NotConnected: the target has crashed or is gone, or that happens before the answer.
            BrowserError, TimedOut: see `CdpConnection.call`.
        """
        end = time.monotonic() + (_BETWEEN_S if timeout_s is None else timeout_s)
        asked = session or self.session
        while True:
            self._check(even_crashed=even_crashed)
            try:
                return await self._call_once(asked.call(method, params, timeout_s))
            except BrowserError as error:
                if _BETWEEN not in error.message or time.monotonic() > end:
                    raise
            await asyncio.sleep(_BETWEEN_PAUSE_S)

    async def _call_once(self, calling: Coroutine[object, object, Json]) -> Json:
        if self._interruption is None:
            self._interruption = asyncio.get_running_loop().create_future()
        interruption = self._interruption
        call = asyncio.ensure_future(calling)
        try:
            waiting: list[asyncio.Future[Json] | asyncio.Future[AcError]] = [call, interruption]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if call.done():
                return call.result()
            raise interruption.result()
        finally:
            call.cancel()

    async def handle_dialog(self, *, accept: bool, text: str = "") -> None:
        """Answer the page's dialog.

        Args:
            accept: OK, rather than Cancel.
            text: for a prompt's field.

        Raises:
            NotFound: no dialog is open.
        """
        await self._dialog.answer(accept=accept, text=text)

    def expect_navigation(self) -> Callable[[float], Awaitable[bool]]:
        """Give what waits until the page shows another document or address from now on.

        It takes a time limit, and returns whether that has happened.

        Raises:
            Busy: when awaited: a dialog opens; the page may ask whether it may be left.
            NotConnected: when awaited: the page crashes or goes.
        """
        return functools.partial(self._wait_for_navigation, self._navigation)

    async def aclose(self) -> None:
        """Detach from the target, as far as it is still there; bounded."""
        self.end("unwatched")
        if self.session.session_id and not self.link.connection.is_closed:
            detach = {"sessionId": self.session.session_id}
            try:
                await self.link.connection.call("Target.detachFromTarget", detach)
            except AcError as error:
                log.debug("detaching: %s", error.message)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def end(self, reason: DetachReason) -> None:
        """Take note that the target is gone, or that its page has crashed."""
        if self.state == "unwatched" or (reason == "crashed" and self.state == "crashed"):
            return
        was_shown = self.state == "attached" or (self.state == "crashed" and reason != "crashed")
        self._dialog.closed()
        self._moved()
        self._children.clear()
        if reason == "crashed":
            self.state = "crashed"
            # The browser will not answer what is pending.
            self.link.connection.fail_calls(self.session.session_id, _crashed())
        else:
            self.state = "unwatched"
            self._interrupt(NotConnected("The page was closed or is no longer watched."))
            if self.session.session_id:
                self.link.connection.forget(self.session.session_id)
            for task in self._tasks:
                task.cancel()
        if was_shown:
            self._on_change(TargetChange("detached", self.id, reason))

    def _moved(self) -> None:
        """Wake all who wait for a navigation; who waits from now on waits for the next one."""
        self._navigation.set()
        self._navigation = asyncio.Event()

    async def _wait_for_navigation(self, navigation: asyncio.Event, timeout_s: float) -> bool:
        try:
            async with asyncio.timeout(timeout_s):
                await navigation.wait()
        except TimeoutError:
            return False
        self._check(even_crashed=self.state == "crashed")
        return True

    def _check(self, *, even_crashed: bool) -> None:
        self._dialog.check()
        if self.state == "crashed" and not even_crashed:
            raise _crashed()
        if self.state in {"unwatched", "connecting"}:
            raise NotConnected("The page is not connected.")

    def _interrupt(self, error: AcError) -> None:
        if self._interruption is not None:
            self._interruption.set_result(error)
            self._interruption = None

    async def _enable(self, *, is_held: bool = False) -> None:
        """Start the recording; a worker lacks some domains, which is no failure.

        What the browser holds may answer only once it runs: nothing is waited for before that.
        """
        commands = (*DOMAINS, RUN) if is_held else DOMAINS
        calls = [self.session.call(name, params, ENABLE_S) for name, params in commands]
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, TimedOut):
                raise TimedOut(
                    "The page doesn't answer: its script doesn't end, or it shows a dialog."
                ) from outcome
            if isinstance(outcome, BaseException) and not _is_unknown_method(outcome):
                raise outcome

    def _adopt(self, session: CdpSession) -> None:
        takers = tuple(self._make_takers(self, session))
        session.listen(functools.partial(self._take, session, takers))

    def _take(
        self, session: CdpSession, takers: tuple[Taker, ...], method: str, params: Json
    ) -> None:
        react = self._reactions.get(method)
        if react is not None:
            react(session, params)
        for taker in takers:
            try:
                taker(method, params)
            except Exception:
                log.exception("the event %s can't be recorded", method)

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _on_child(self, session: CdpSession, params: Json) -> None:
        self._children.attached(session, params)
        self._on_change(TargetChange("updated", self.id))

    def _on_child_gone(self, _session: CdpSession, params: Json) -> None:
        if self._children.detached(params):
            self._on_change(TargetChange("updated", self.id))

    def _on_dialog(self, session: CdpSession, params: Json) -> None:
        self._interrupt(self._dialog.opened(session, params))
        self._moved()
        if self.link.row["is_headless"]:
            self._spawn(self._dialog.dismiss_unseen())
        self._on_change(TargetChange("updated", self.id))

    def _on_dialog_closed(self, _session: CdpSession, _params: Json) -> None:
        self._dialog.closed()
        self._on_change(TargetChange("updated", self.id))

    def _on_navigated(self, session: CdpSession, params: Json) -> None:
        frame = params.get("frame")
        if session is self.session and isinstance(frame, dict) and "parentId" not in frame:
            self._moved()
            self._on_revived(session, params)
            url = f"{frame.get('url', '')}{frame.get('urlFragment', '')}"
            self.link.moved(self.id, url)
            self._on_change(TargetChange("navigated", self.id, url=url))

    def _on_new_address(self, session: CdpSession, params: Json) -> None:
        if session is self.session and params.get("frameId") == self.id:
            self._moved()
            url = str(params.get("url", ""))
            self.link.moved(self.id, url)
            self._on_change(TargetChange("navigated", self.id, url=url, is_same_document=True))

    def _on_load(self, session: CdpSession, _params: Json) -> None:
        if session is self.session:
            self._spawn(self._refresh())

    async def _refresh(self) -> None:
        """Learn the title of a document that was loaded; the browser may know it a little later."""
        for pause_s in _TITLE_PAUSES_S:
            await asyncio.sleep(pause_s)
            try:
                await self.link.refresh()
            except AcError as error:
                log.debug("titles can't be read: %s", error.message)
            self._on_change(TargetChange("updated", self.id))

    def _on_crash(self, session: CdpSession, _params: Json) -> None:
        if session is self.session:
            self.end("crashed")

    def _on_revived(self, session: CdpSession, _params: Json) -> None:
        """A page has come back after a crash: by an event of that name, or by a new document."""
        if session is self.session and self.state == "crashed":
            self._spawn(self._record_again())

    async def _record_again(self) -> None:
        """Record a page that was reloaded after a crash; the browser has kept the session."""
        try:
            await self._enable()
        except AcError as error:
            log.debug("a page that was reloaded can't be recorded: %s", error.message)
            return
        if self.state == "crashed":
            self.state = "attached"
            self._on_change(TargetChange("attached", self.id))


def target_row(link: BrowserLink, target_id: str, target: Target | None) -> TargetRow:
    """Give what is shown of a target, watched or not."""
    info = link.infos.get(target_id)
    return {
        "id": target_id,
        "browser": link.row["id"],
        "type": info.type if info is not None else "",
        "title": info.title if info is not None else "",
        "url": info.url if info is not None else "",
        "opener": info.opener_id if info is not None else "",
        "state": target.state if target is not None else "unwatched",
        "dialog": target.dialog if target is not None else None,
        "children": len(target.sessions) - 1 if target is not None else 0,
    }


def _crashed() -> NotConnected:
    return NotConnected("The page has crashed; reload it.")


def _is_unknown_method(error: BaseException) -> bool:
    return isinstance(error, BrowserError) and error.details.get("cdp_code") == _METHOD_NOT_FOUND
