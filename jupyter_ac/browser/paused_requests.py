"""Requests of a page that wait for the user: resumed, failed or fulfilled one by one."""

import asyncio
import base64
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NotRequired, Protocol, TypeAlias, TypedDict, cast

from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.interception_rules import (
    answer_headers,
    parse_body,
    parse_headers,
    parse_status,
)
from jupyter_ac.browser.request_changes import parse_reason, request_changes, response_changes
from jupyter_ac.errors import BrowserError, InvalidParams, NotFound

MAX_PAUSED: Final = 200
MAX_WAIT_S: Final = 30.0

Stage: TypeAlias = Literal["Request", "Response"]
Outcome: TypeAlias = Literal["response", "redirect", "complete", "unknown"]


class NetworkRows(Protocol):
    """The list of a page's requests."""

    def row_of(self, network_id: str) -> int | None:
        """Return the row of a request; None if there is none."""

    def mark_paused(self, request_id: str, fetch_id: str, stage: Stage) -> int:
        """Mark a request as paused, and return its row; one is made if there is none."""

    def unmark_paused(self, row_id: int) -> None:
        """Mark a request as no longer paused."""


class ResumeResult(TypedDict):
    """What became of a request that was resumed.

    Attributes:
        id: its row.
        resumed_from: the stage at which it was paused: `request` or `response`.
        outcome: `response`: its response has come, and may be paused; `redirect`: it is requested
            again elsewhere; `complete`: it has ended; `unknown`: nothing has happened yet.
        remaining: how many requests are paused.
        status: of the response, if one has come.
        redirect_id: the row of the request that follows a redirect.
        error: why it failed, if it did.
    """

    id: int
    resumed_from: str
    outcome: Outcome
    remaining: int
    status: NotRequired[int]
    redirect_id: NotRequired[int]
    error: NotRequired[str]


class FailResult(TypedDict):
    """A request that was failed.

    Attributes:
        id: its row.
        outcome: `failed`.
        reason: that the page is told.
        remaining: how many requests are paused.
    """

    id: int
    outcome: Literal["failed"]
    reason: str
    remaining: int


class FulfillResult(TypedDict):
    """A request that was answered.

    Attributes:
        id: its row.
        outcome: `fulfilled`.
        response_code: of the answer.
        remaining: how many requests are paused.
    """

    id: int
    outcome: Literal["fulfilled"]
    response_code: int
    remaining: int


@dataclass(frozen=True, eq=False)
class PausedRequest:
    """A request that waits.

    Args:
        session: that it comes from.
        fetch_id: of the browser, for commands.
        network_id: of the browser, in events.
        stage: at which it waits.
        event: of the browser, as it came.
    """

    session: CdpSession
    fetch_id: str
    network_id: str
    stage: Stage
    event: Json

    @property
    def request_headers(self) -> Mapping[str, object]:
        """The headers that it was sent with."""
        request = cast("Json", self.event.get("request") or {})
        return cast("Json", request.get("headers") or {})


@dataclass(eq=False)
class _Watch:
    """Waits for what becomes of a request."""

    request: PausedRequest
    happened: asyncio.Event = field(default_factory=asyncio.Event)
    outcome: Outcome = "unknown"
    more: Json = field(default_factory=dict)

    def end(self, outcome: Outcome, **more: object) -> None:
        if not self.happened.is_set():
            self.outcome = outcome
            self.more |= {name: value for name, value in more.items() if value is not None}
            self.happened.set()


class PausedRequests:
    """The requests of a page that wait.

    Args:
        rows: the list of its requests.
        on_change: called when their number has changed; it must return at once.
    """

    def __init__(self, rows: NetworkRows, on_change: Callable[[], None] = lambda: None) -> None:
        self._rows = rows
        self._on_change = on_change
        self._paused: dict[int, PausedRequest] = {}
        self._watches: set[_Watch] = set()

    @property
    def count(self) -> int:
        """How many requests wait."""
        return len(self._paused)

    def documents(self, frame_id: str) -> set[int]:
        """Give the rows of the documents that a frame would show if they didn't wait."""
        return {
            row
            for row, each in self._paused.items()
            if each.event.get("frameId") == frame_id
            and each.event.get("resourceType") == "Document"
        }

    def add(self, request: PausedRequest) -> PausedRequest | None:
        """Keep a request that waits.

        Returns:
            One that has to go on in its place: there are too many, or its row had one already.
        """
        if len(self._paused) >= MAX_PAUSED:
            return request
        before = self._keep(request)
        return None if before is None or before.fetch_id == request.fetch_id else before

    def take(self, session: CdpSession, method: str, params: Json) -> None:
        """Handle an event: it may be what becomes of a request, or end one that waits.

        An event of a pause is taken after `add`.
        """
        if method == "Fetch.requestPaused":
            self._paused_again(session, params)
            return
        network_id = params.get("requestId")
        for watch in self._watches_of(session, network_id):
            self._went_on(watch, method, params)
        if method == "Network.loadingFailed":
            self._drop(lambda each: each.session is session and each.network_id == network_id)

    async def resume(
        self, row_id: int, modifications: object = None, wait: float = 0.5
    ) -> ResumeResult:
        """Let a request go on, and wait for what becomes of it.

        Args:
            row_id: its row.
            modifications: see `request_changes` and `response_changes`.
            wait: seconds, at most.

        Raises:
            NotFound: it isn't paused.
            InvalidParams: the modifications are wrong; it stays paused.
            BrowserError: the browser refused them; likewise.
        """
        request = self._get(row_id)
        limit = _checked_wait(wait)
        method, changes = _changes(request, modifications)
        watch = _Watch(request)
        self._watches.add(watch)
        try:
            await self._answer(row_id, request, method, changes)
            waiting = asyncio.ensure_future(watch.happened.wait())
            try:
                await asyncio.wait([waiting], timeout=limit)
            finally:
                waiting.cancel()
        finally:
            self._watches.discard(watch)
        if watch.outcome == "unknown" and "status" in watch.more:
            watch.outcome = "response"
        result = ResumeResult(
            id=row_id,
            resumed_from=request.stage.lower(),
            outcome=watch.outcome,
            remaining=self.count,
        )
        return cast("ResumeResult", {**result, **watch.more})

    async def fail(self, row_id: int, reason: str = "BlockedByClient") -> FailResult:
        """End a request with an error.

        Raises:
            NotFound: it isn't paused.
            InvalidParams: the browser doesn't know the reason.
        """
        request = self._get(row_id)
        known = parse_reason(reason)
        await self._answer(row_id, request, "Fetch.failRequest", {"errorReason": known})
        return FailResult(id=row_id, outcome="failed", reason=known, remaining=self.count)

    async def fulfill(
        self,
        row_id: int,
        response_code: int = 200,
        response_headers: object = None,
        body: object = "",
    ) -> FulfillResult:
        """Answer a request in the server's place.

        Args:
            row_id: its row.
            response_code: from 200 to 599.
            response_headers: see `parse_headers`.
            body: as text.

        Raises:
            NotFound: it isn't paused.
            InvalidParams, TooLarge: the answer is wrong; it stays paused.
        """
        request = self._get(row_id)
        status = parse_status(response_code)
        headers = parse_headers({} if response_headers is None else response_headers)
        content = parse_body(body, is_base64=False)
        answer: Json = {
            "responseCode": status,
            "responseHeaders": answer_headers(headers, content, request.request_headers),
            "body": base64.b64encode(content).decode(),
        }
        await self._answer(row_id, request, "Fetch.fulfillRequest", answer)
        return FulfillResult(
            id=row_id, outcome="fulfilled", response_code=status, remaining=self.count
        )

    def release(self) -> list[PausedRequest]:
        """Forget all, and return them: they have to go on."""
        released = list(self._paused.values())
        self._drop(lambda _: True)
        return released

    def end_document(
        self, session: CdpSession, frame_id: str | None, loader_id: str = ""
    ) -> list[PausedRequest]:
        """Forget the requests of a document that has gone, and return them: nobody wants them.

        Args:
            session: of the document.
            frame_id: of its frame; None: all frames of the session.
            loader_id: of the document that comes, whose own request is kept. Beacons are, too: they
                are sent for good.
        """
        ended = [
            each
            for each in self._paused.values()
            if each.session is session
            and frame_id in {None, each.event.get("frameId")}
            and each.network_id != loader_id
            and each.event.get("resourceType") != "Ping"
        ]
        self._drop(lambda each: each in ended)
        return ended

    def forget(self, session: CdpSession) -> None:
        """Forget the requests of a session that has ended."""
        for watch in self._watches:
            if watch.request.session is session:
                watch.end("unknown")
        self._drop(lambda each: each.session is session)

    def _get(self, row_id: int) -> PausedRequest:
        request = self._paused.get(row_id)
        if request is None:
            rows = ", ".join(map(str, list(self._paused)[:10])) or "none"
            raise NotFound(f"Request {row_id} isn't paused; paused are: {rows}.")
        return request

    async def _answer(self, row_id: int, request: PausedRequest, method: str, params: Json) -> None:
        # First, so that nobody else answers it, and what comes after can be paused again.
        self._remove(row_id)
        try:
            await request.session.call(method, {"requestId": request.fetch_id, **params})
        except BrowserError as error:
            if _is_gone(error):
                raise NotFound(f"Request {row_id} isn't paused any more.") from error
            self._keep(request)
            raise

    def _keep(self, request: PausedRequest) -> PausedRequest | None:
        """Keep a request, and return the one that its row had before."""
        row = self._rows.mark_paused(request.network_id, request.fetch_id, request.stage)
        before = self._paused.pop(row, None)
        self._paused[row] = request
        self._on_change()
        return before

    def _remove(self, row_id: int) -> None:
        del self._paused[row_id]
        self._rows.unmark_paused(row_id)
        self._on_change()

    def _drop(self, is_gone: Callable[[PausedRequest], bool]) -> None:
        for row_id in [row for row, each in self._paused.items() if is_gone(each)]:
            self._remove(row_id)

    def _watches_of(self, session: CdpSession, network_id: object) -> Iterator[_Watch]:
        for watch in self._watches:
            if watch.request.session is session and watch.request.network_id == network_id:
                yield watch

    def _paused_again(self, session: CdpSession, params: Json) -> None:
        for watch in self._watches_of(session, params.get("networkId", params.get("requestId"))):
            if stage_of(params) == "Response":
                watch.end("response", status=params.get("responseStatusCode"))
            elif params.get("redirectedRequestId"):
                watch.end("redirect", redirect_id=self._rows.row_of(watch.request.network_id))

    def _went_on(self, watch: _Watch, method: str, params: Json) -> None:
        if method == "Network.responseReceived":
            watch.more["status"] = cast("Json", params.get("response") or {}).get("status")
        elif method == "Network.requestWillBeSent" and params.get("redirectResponse"):
            response = cast("Json", params["redirectResponse"])
            watch.end(
                "redirect",
                status=response.get("status"),
                redirect_id=self._rows.row_of(watch.request.network_id),
            )
        elif method == "Network.loadingFinished":
            watch.end("complete")
        elif method == "Network.loadingFailed":
            watch.end("complete", error=params.get("errorText"))


def stage_of(event: Json) -> Stage:
    """Return the stage of an event of a pause."""
    is_response = "responseStatusCode" in event or "responseErrorReason" in event
    return "Response" if is_response else "Request"


def _changes(request: PausedRequest, modifications: object) -> tuple[str, Json]:
    """Return the command that lets a request go on, and its parameters."""
    if request.stage == "Request":
        return "Fetch.continueRequest", request_changes(modifications)
    return "Fetch.continueResponse", response_changes(modifications, request.event)


def _checked_wait(wait: object) -> float:
    is_number = isinstance(wait, int | float) and not isinstance(wait, bool)
    if not is_number or not 0 <= cast("float", wait) <= MAX_WAIT_S:
        raise InvalidParams(f"wait must be a number of seconds from 0 to {MAX_WAIT_S:g}.")
    return cast("float", wait)


def _is_gone(error: BrowserError) -> bool:
    return "InterceptionId" in error.message or "not enabled" in error.message
