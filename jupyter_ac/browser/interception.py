"""Intercepts the requests of a page: answered, blocked, delayed or paused before they are sent.

Only requests that a rule's pattern matches, or all in manual mode, wait for this process at all.
What becomes of one is decided in the listener; the answer is sent by a task, because a listener
that waited for the browser would wait for itself. Requests of WebSockets aren't intercepted.
"""

import asyncio
import base64
import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Final, cast

from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.interception_rules import Mock, Rule, RuleSet, answer_headers, parse_rules
from jupyter_ac.browser.paused_requests import NetworkRows, PausedRequest, PausedRequests, stage_of
from jupyter_ac.browser.recorded_rows import InterceptionStatus
from jupyter_ac.errors import AcError, BrowserError

log = logging.getLogger(__name__)

MAX_DELAYED: Final = 500
"""Further requests aren't delayed."""

_COMMANDS_AT_ONCE: Final = 64
_PREFLIGHT_STATUS: Final = 204


class Interception:
    """The interception of requests of one page and its frames.

    Args:
        session: of the page.
        rows: the list of its requests.
        on_change: called when `status` has changed; it must return at once.
        is_headless: nobody sees the browser's prompts.

    Attributes:
        paused: the requests that wait: `resume`, `fail`, `fulfill` them there.
    """

    def __init__(
        self,
        session: CdpSession,
        rows: NetworkRows,
        on_change: Callable[[], None] = lambda: None,
        *,
        is_headless: bool = False,
    ) -> None:
        self.paused = PausedRequests(rows, on_change)
        self._sessions = [session]
        self._on_change = on_change
        self._is_headless = is_headless
        self._rules = RuleSet()
        self._stages: tuple[str, ...] = ()
        self._applying = asyncio.Lock()
        self._commands = asyncio.Semaphore(_COMMANDS_AT_ONCE)
        self._delayed = 0
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def rules(self) -> Mapping[str, object]:
        """The rules as they were set; see `InterceptionRules`."""
        return self._rules.source

    async def set_rules(self, rules: object) -> None:
        """Take rules in the place of those before; paused requests stay paused.

        Args:
            rules: see `InterceptionRules`; an empty object: no rules.

        Raises:
            InvalidParams, TooLarge: they are wrong; those before stay.
            BrowserError, TimedOut, NotConnected: the page can't be reached; likewise.
        """
        parsed = parse_rules(rules)
        async with self._applying:
            before, self._rules = self._rules, parsed
            try:
                await self._apply_all()
            except AcError:
                self._rules = before
                raise
        self._on_change()

    async def enable(self, *, request: bool = True, response: bool = False) -> InterceptionStatus:
        """Switch manual mode on: requests wait until they are resumed, failed or fulfilled.

        Args:
            request: whether they wait before they are sent.
            response: whether they wait when the response comes.

        Raises:
            BrowserError, TimedOut, NotConnected: the page can't be reached.
        """
        stages = [("Request", request), ("Response", response)]
        async with self._applying:
            before, self._stages = self._stages, tuple(name for name, is_on in stages if is_on)
            try:
                await self._apply_all()
            except AcError:
                self._stages = before
                raise
        self._on_change()
        return self.status()

    async def disable(self) -> InterceptionStatus:
        """Switch manual mode off; what is paused goes on, and rules stay.

        Raises:
            BrowserError, TimedOut, NotConnected: the page can't be reached.
        """
        async with self._applying:
            self._stages = ()
            # Each by itself: while there are rules, the interception of the browser stays on.
            for each in self.paused.release():
                self._spawn(self._go_on(each))
            await self._apply_all()
        self._on_change()
        return self.status()

    def status(self) -> InterceptionStatus:
        """Return the state."""
        return InterceptionStatus(
            enabled=bool(self._stages),
            stages=[stage.lower() for stage in self._stages],
            paused=self.paused.count,
            rules=self._rules.counts(),
        )

    def add_frame(self, session: CdpSession) -> None:
        """Also intercept in a frame or worker that has a session of its own."""
        self._sessions.append(session)
        if self._patterns():
            self._spawn(self._apply_to_new(session))

    def remove_frame(self, session_id: str) -> None:
        """A session has ended, that of a frame or of the page itself: nothing waits there."""
        for session in self._sessions:
            if session.session_id == session_id:
                self.paused.forget(session)
        self._sessions[1:] = [each for each in self._sessions[1:] if each.session_id != session_id]

    def take(self, method: str, params: Json, session_id: str | None = None) -> None:
        """Handle an event of the page, after the list of requests has taken it; returns at once.

        Args:
            method: its name.
            params: its parameters.
            session_id: that it comes from; None: the page itself.
        """
        session = self._session(session_id)
        if session is None:
            return
        if method == "Fetch.requestPaused":
            self._decide(session, params)
        elif method == "Fetch.authRequired":
            # What the browser itself does: it asks its user, if there is one.
            response = "CancelAuth" if self._is_headless else "Default"
            answer: Json = {"authChallengeResponse": {"response": response}}
            self._answer(session, params, "Fetch.continueWithAuth", answer)
        elif method == "Page.frameNavigated":
            frame = cast("Json", params.get("frame") or {})
            ended = str(frame.get("id")) if frame.get("parentId") else None
            self._end_document(session, ended, str(frame.get("loaderId")))
            if session is not self._sessions[0] and self._patterns():
                self._spawn(self._apply(session))
        elif method == "Page.frameDetached" and params.get("reason") != "swap":
            self._end_document(session, str(params.get("frameId")))
        elif method in {"Inspector.targetCrashed", "Inspector.detached"}:
            self.paused.forget(session)
        if method.startswith(("Network.", "Fetch.requestPaused")):
            self.paused.take(session, method, params)

    async def aclose(self) -> None:
        """End all work; the browser lets requests go on when the session ends."""
        for session in self._sessions:
            self.paused.forget(session)
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _session(self, session_id: str | None) -> CdpSession | None:
        if session_id is None:
            return self._sessions[0]
        return next((each for each in self._sessions if each.session_id == session_id), None)

    def _patterns(self) -> list[Json]:
        found: list[Json] = [{"urlPattern": "*", "requestStage": stage} for stage in self._stages]
        if "Request" not in self._stages:
            found += [{"urlPattern": pattern} for pattern in self._rules.patterns()]
        return found

    async def _apply_all(self) -> None:
        page, *frames = list(self._sessions)
        await asyncio.gather(self._apply(page), *(self._apply_if_there(each) for each in frames))

    async def _apply_if_there(self, session: CdpSession) -> None:
        """A frame may go at any time."""
        try:
            await self._apply(session)
        except AcError as error:
            log.debug("a frame can't be intercepted: %s", error)

    async def _apply_to_new(self, session: CdpSession) -> None:
        """Apply twice: what comes while a document is on its way doesn't hold for that one."""
        await self._apply(session)
        await session.call("Runtime.evaluate", {"expression": "0"})
        await self._apply(session)

    async def _apply(self, session: CdpSession) -> None:
        patterns = self._patterns()
        if patterns:
            await session.call("Fetch.enable", {"patterns": patterns, "handleAuthRequests": True})
        else:
            await session.call("Fetch.disable")

    def _decide(self, session: CdpSession, params: Json) -> None:
        request = cast("Json", params.get("request") or {})
        if stage_of(params) == "Response":
            self._pause(session, params)
            return
        rule = self._rules.decide(str(request.get("url", "")))
        headers = cast("Json", request.get("headers") or {})
        is_preflight = request.get("method") == "OPTIONS" and _asks(headers)
        if rule.action == "mock":
            mock = _preflight(headers) if is_preflight else rule.mock
            self._answer(session, params, "Fetch.fulfillRequest", _fulfilment(mock, headers))
        elif rule.action == "block":
            blocked: Json = {"errorReason": "BlockedByClient"}
            self._answer(session, params, "Fetch.failRequest", blocked)
        elif is_preflight:
            self._answer(session, params, "Fetch.continueRequest", {})
        elif rule.action == "delay":
            self._delay(session, params, rule)
        elif rule.action == "pause" or "Request" in self._stages:
            self._pause(session, params)
        else:
            self._answer(session, params, "Fetch.continueRequest", {})

    def _pause(self, session: CdpSession, params: Json) -> None:
        fetch_id = str(params.get("requestId"))
        request = PausedRequest(
            session=session,
            fetch_id=fetch_id,
            network_id=str(params.get("networkId") or fetch_id),
            stage=stage_of(params),
            event=params,
        )
        goes_on = self.paused.add(request)
        if goes_on is not None:
            self._spawn(self._go_on(goes_on))

    def _end_document(self, session: CdpSession, frame_id: str | None, loader: str = "") -> None:
        for each in self.paused.end_document(session, frame_id, loader):
            failed: Json = {"errorReason": "Aborted"}
            self._answer(session, each.event, "Fetch.failRequest", failed)

    def _delay(self, session: CdpSession, params: Json, rule: Rule) -> None:
        if self._delayed >= MAX_DELAYED:
            self._answer(session, params, "Fetch.continueRequest", {})
            return
        self._delayed += 1

        async def later() -> None:
            try:
                await asyncio.sleep(rule.delay_ms / 1000)
            finally:
                self._delayed -= 1
            await self._send(session, params, "Fetch.continueRequest", {})

        self._spawn(later())

    async def _go_on(self, request: PausedRequest) -> None:
        await self._send(request.session, request.event, f"Fetch.continue{request.stage}", {})

    def _answer(self, session: CdpSession, event: Json, method: str, params: Json) -> None:
        self._spawn(self._send(session, event, method, params))

    async def _send(self, session: CdpSession, event: Json, method: str, params: Json) -> None:
        command = {"requestId": event.get("requestId"), **params}
        async with self._commands:
            try:
                await session.call(method, command)
            except BrowserError as error:
                # The page has gone on, or the browser refuses the answer: then the request must
                # neither wait for ever nor reach the server.
                log.debug("an intercepted request can't be answered: %s", error)
                failed = {"requestId": event.get("requestId"), "errorReason": "Failed"}
                await session.call("Fetch.failRequest", failed)

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        async def run() -> None:
            try:
                await work
            except AcError as error:
                log.debug("an intercepted request can't be answered: %s", error)

        task = asyncio.create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: work.close())  # if it is cancelled before it begins


def _asks(headers: Mapping[str, object]) -> bool:
    return any(name.casefold() == "access-control-request-method" for name in headers)


def _preflight(headers: Mapping[str, object]) -> Mock:
    """The answer to a browser that asks whether a page may read an answer that is made up."""
    sent = {name.casefold(): str(value) for name, value in headers.items()}
    allowed = (
        ("Access-Control-Allow-Methods", sent.get("access-control-request-method", "*")),
        ("Access-Control-Allow-Headers", sent.get("access-control-request-headers", "*")),
    )
    return Mock(_PREFLIGHT_STATUS, allowed)


def _fulfilment(mock: Mock, request_headers: Mapping[str, object]) -> Json:
    return {
        "responseCode": mock.status,
        "responseHeaders": answer_headers(mock.headers, mock.body, request_headers),
        "body": base64.b64encode(mock.body).decode(),
    }
