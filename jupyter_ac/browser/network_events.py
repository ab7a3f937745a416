"""Puts the browser's events of the network together to records, in whichever order they come.

Events of one request come from two processes of the browser: what the page sees
(`requestWillBeSent`, `responseReceived`) and what went over the wire (ExtraInfo). Either may be
first. All requests of a chain of redirects have one id; the n-th ExtraInfo belongs to the n-th of
them that has any.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from jupyter_ac.browser.cdp import Json
from jupyter_ac.browser.cdp_values import number_of, object_of, text_of, whole_of
from jupyter_ac.browser.request_record import (
    MAX_FRAME,
    MAX_POST_DATA,
    MAX_URL,
    Frame,
    Headers,
    RequestRecord,
    Stage,
    answer_of,
    headers_of,
)
from jupyter_ac.browser.request_store import RequestStore

MAX_EARLY: Final = 200
"""Requests of which only the ExtraInfo is known."""
MAX_EARLY_EACH: Final = 4
LONGEST_CHAIN: Final = 40
"""Redirects that are looked at for an ExtraInfo; browsers stop after 20."""

Handler: TypeAlias = Callable[[Json, str], None]


@dataclass(frozen=True, slots=True)
class _Extra:
    """What went over the wire: of the request if there is no status."""

    headers: Headers
    status: int | None = None


class NetworkEvents:
    """Takes the events of one page.

    Args:
        store: of the records.
        target: the page's.
        now: seconds since 1970, for requests of which the browser doesn't tell the time.
    """

    def __init__(self, store: RequestStore, target: str, now: Callable[[], float]) -> None:
        self._store = store
        self._target = target
        self._now = now
        self._early: OrderedDict[str, list[_Extra]] = OrderedDict()
        self._handlers: Mapping[str, Handler] = {
            "Network.requestWillBeSent": self._on_request,
            "Network.requestWillBeSentExtraInfo": self._on_request_extra,
            "Network.responseReceived": self._on_answer,
            "Network.responseReceivedExtraInfo": self._on_answer_extra,
            "Network.dataReceived": self._on_data,
            "Network.loadingFinished": self._on_finished,
            "Network.loadingFailed": self._on_failed,
            "Network.webSocketCreated": self._on_socket,
            "Network.webSocketWillSendHandshakeRequest": self._on_socket_request,
            "Network.webSocketHandshakeResponseReceived": self._on_socket_answer,
            "Network.webSocketFrameSent": self._on_frame_sent,
            "Network.webSocketFrameReceived": self._on_frame_received,
            "Network.webSocketFrameError": self._on_socket_error,
            "Network.webSocketClosed": self._on_socket_closed,
            "Network.eventSourceMessageReceived": self._on_stream_message,
            "Fetch.requestPaused": self._on_paused,
        }

    def take(self, method: str, params: Json, session_id: str) -> None:
        """Take an event; those of other names are ignored."""
        handler = self._handlers.get(method)
        if handler is not None:
            handler(params, session_id)

    def pause(self, request_id: str, fetch_id: str, stage: Stage) -> RequestRecord:
        """Mark a request as waiting; one that isn't known yet gets a record."""
        record = self._store.current(request_id)
        if record is None:
            record = self._start(request_id, "")
            record.is_placeholder = True
        record.fetch_id, record.pause_stage = fetch_id, stage
        return record

    def clear(self) -> None:
        """Forget what has come before its request."""
        self._early.clear()

    def _on_request(self, params: Json, session_id: str) -> None:
        request_id = text_of(params.get("requestId"))
        if not request_id:
            return
        record = self._record_of(request_id, params, session_id)
        record.is_placeholder = False
        record.session_id = session_id
        _fill(record, object_of(params.get("request")))
        record.type = text_of(params.get("type")) or record.type or "Other"
        record.initiator = _initiator(object_of(params.get("initiator")))
        self._set_clock(record, params)
        for extra in self._early.pop(request_id, ()):
            self._take_extra(record.request_id, extra)
        self._store.changed(record)

    def _record_of(self, request_id: str, params: Json, session_id: str) -> RequestRecord:
        """Find the record that a request belongs to, or start one."""
        current = self._store.current(request_id)
        before = current
        if current is not None and current.is_placeholder:
            before = self._store.get(current.redirected_from or 0)
        redirect = params.get("redirectResponse")
        if before is not None and isinstance(redirect, dict):
            self._end_redirect(before, redirect, params)
        if current is None:
            return self._start(request_id, session_id)
        if current.is_placeholder or (redirect is None and _is_again(current, params)):
            return current
        return self._follow(current, request_id, session_id)

    def _follow(self, before: RequestRecord, request_id: str, session_id: str) -> RequestRecord:
        record = self._start(request_id, session_id)
        record.redirected_from, before.redirected_to = before.id, record.id
        if before.pause_stage is not None:
            before.pause_stage, before.fetch_id = None, ""
        return record

    def _end_redirect(self, record: RequestRecord, response: Json, params: Json) -> None:
        record.answer = answer_of(response)
        record.size = max(record.size, whole_of(response.get("encodedDataLength")))
        _touch(record, params.get("timestamp"))
        record.ended_as = record.ended_as or "complete"
        if params.get("redirectHasExtraInfo") is False:
            self._has_no_extra(record)
        self._store.changed(record)

    def _start(self, request_id: str, session_id: str) -> RequestRecord:
        record = self._store.add(request_id, self._target, session_id)
        record.clock_offset = self._now()
        return record

    def _set_clock(self, record: RequestRecord, params: Json) -> None:
        time, wall = number_of(params.get("timestamp")), number_of(params.get("wallTime"))
        record.started = time
        _touch(record, time)
        if time is not None:
            record.clock_offset = (self._now() if wall is None else wall) - time

    def _on_request_extra(self, params: Json, _session_id: str) -> None:
        extra = _Extra(headers_of(params.get("headers")))
        self._take_extra(text_of(params.get("requestId")), extra)

    def _on_answer_extra(self, params: Json, _session_id: str) -> None:
        status = whole_of(params.get("statusCode"))
        extra = _Extra(headers_of(params.get("headers")), status)
        self._take_extra(text_of(params.get("requestId")), extra)

    def _take_extra(self, request_id: str, extra: _Extra) -> None:
        """Give an ExtraInfo to the oldest request of its chain that waits for one."""
        for record in self._store.chain(request_id, LONGEST_CHAIN):
            if record.has_extra is False:
                continue
            if extra.status is None and record.extra_headers is None:
                record.extra_headers = extra.headers
            elif extra.status is not None and record.answer_extra is None:
                record.answer_extra = (extra.status, extra.headers)
            else:
                continue
            self._store.changed(record)
            return
        self._keep_early(request_id, extra)

    def _keep_early(self, request_id: str, extra: _Extra) -> None:
        if not request_id:
            return
        early = self._early.setdefault(request_id, [])
        if len(early) < MAX_EARLY_EACH:
            early.append(extra)
        while len(self._early) > MAX_EARLY:
            self._early.popitem(last=False)

    def _has_no_extra(self, record: RequestRecord) -> None:
        """Take back the ExtraInfo that a request has got; it belongs to the next one."""
        record.has_extra = False
        headers, answer = record.extra_headers, record.answer_extra
        record.extra_headers = record.answer_extra = None
        if headers is not None:
            self._keep_early(record.request_id, _Extra(headers))
        if answer is not None:
            self._keep_early(record.request_id, _Extra(answer[1], answer[0]))

    def _on_answer(self, params: Json, session_id: str) -> None:
        record = self._known(params)
        if record is None:
            return
        record.session_id = session_id
        record.pause_stage, record.fetch_id = None, ""
        response = object_of(params.get("response"))
        record.answer = answer_of(response)
        record.type = text_of(params.get("type")) or record.type
        record.size = max(record.size, whole_of(response.get("encodedDataLength")))
        if params.get("hasExtraInfo") is False:
            self._has_no_extra(record)
        self._store.changed(record)

    def _on_data(self, params: Json, _session_id: str) -> None:
        record = self._known(params)
        if record is not None:
            record.size += max(0, whole_of(params.get("encodedDataLength")))

    def _on_finished(self, params: Json, _session_id: str) -> None:
        record = self._known(params)
        if record is not None:
            record.size = max(0, whole_of(params.get("encodedDataLength"), record.size))
            record.ended_as = record.ended_as or "complete"
            record.pause_stage, record.fetch_id = None, ""
            self._store.changed(record)

    def _on_failed(self, params: Json, _session_id: str) -> None:
        record = self._known(params)
        if record is not None:
            record.type = record.type or text_of(params.get("type"))
            record.error = _reason(params)
            record.is_canceled = params.get("canceled") is True and not params.get("blockedReason")
            record.ended_as = "failed"
            record.pause_stage, record.fetch_id = None, ""
            self._store.changed(record)

    def _on_socket(self, params: Json, session_id: str) -> None:
        request_id = text_of(params.get("requestId"))
        if not request_id:
            return
        record = self._start(request_id, session_id)
        record.protocol, record.type, record.method = "websocket", "WebSocket", "GET"
        record.url = text_of(params.get("url"), MAX_URL)
        record.initiator = _initiator(object_of(params.get("initiator")))
        self._store.changed(record)

    def _on_socket_request(self, params: Json, _session_id: str) -> None:
        record = self._known(params)
        if record is not None:
            record.headers = headers_of(object_of(params.get("request")).get("headers"))
            self._set_clock(record, params)
            self._store.changed(record)

    def _on_socket_answer(self, params: Json, _session_id: str) -> None:
        record = self._known(params)
        if record is not None:
            record.answer = answer_of(object_of(params.get("response")))
            self._store.changed(record)

    def _on_frame_sent(self, params: Json, _session_id: str) -> None:
        record = self._known(params)
        if record is not None:
            record.frames_sent += 1
            self._add_frame(record, _frame(record, params, is_sent=True))

    def _on_frame_received(self, params: Json, _session_id: str) -> None:
        record = self._known(params)
        if record is not None:
            record.frames_received += 1
            self._add_frame(record, _frame(record, params, is_sent=False))

    def _on_stream_message(self, params: Json, _session_id: str) -> None:
        record = self._known(params)
        if record is not None:
            record.frames_received += 1
            data = text_of(params.get("data"), MAX_FRAME)
            name = text_of(params.get("eventName"))
            frame = Frame(
                is_sent=False, time=record.wall(record.latest), opcode=1, data=data, event=name
            )
            self._add_frame(record, frame)

    def _add_frame(self, record: RequestRecord, frame: Frame) -> None:
        before = record.frame_bytes
        record.add_frame(frame)
        self._store.resized(record, record.frame_bytes - before)

    def _on_socket_error(self, params: Json, _session_id: str) -> None:
        record = self._known(params)
        if record is not None:
            record.error = text_of(params.get("errorMessage"), MAX_FRAME)
            if record.answer is None:
                record.ended_as = "failed"
            self._store.changed(record)

    def _on_socket_closed(self, params: Json, _session_id: str) -> None:
        record = self._known(params)
        if record is not None:
            record.ended_as = record.ended_as or "closed"
            self._store.changed(record)

    def _on_paused(self, params: Json, session_id: str) -> None:
        fetch_id = text_of(params.get("requestId"))
        request_id = text_of(params.get("networkId")) or fetch_id
        if not fetch_id:
            return
        is_answered = "responseStatusCode" in params or "responseErrorReason" in params
        request = object_of(params.get("request"))
        current = self._store.current(request_id)
        is_next = current is not None and not is_answered and _is_elsewhere(current, request)
        if current is not None and is_next and not current.is_placeholder:
            self._follow(current, request_id, session_id).is_placeholder = True
        record = self.pause(request_id, fetch_id, "Response" if is_answered else "Request")
        if record.is_placeholder:
            _fill(record, request)
            record.type = text_of(params.get("resourceType"))
        self._store.changed(record)

    def _known(self, params: Json) -> RequestRecord | None:
        record = self._store.current(text_of(params.get("requestId")))
        if record is not None:
            _touch(record, params.get("timestamp"))
        return record


def _touch(record: RequestRecord, timestamp: object) -> None:
    """Take the time of an event."""
    time = number_of(timestamp)
    if time is not None:
        record.latest = time if record.latest is None else max(record.latest, time)
        record.started = time if record.started is None else record.started


def _is_again(record: RequestRecord, params: Json) -> bool:
    """Whether a second session has told of the same request."""
    url = text_of(object_of(params.get("request")).get("url"), MAX_URL)
    return record.ended_as is None and record.url == url


def _is_elsewhere(record: RequestRecord, request: Json) -> bool:
    """Whether a pause is that of a redirect whose request is to be told of yet."""
    url = text_of(request.get("url"), MAX_URL)
    return bool(url) and record.protocol == "http" and url != record.url.partition("#")[0]


def _fill(record: RequestRecord, request: Json) -> None:
    fragment = text_of(request.get("urlFragment"), MAX_URL)
    record.url = text_of(request.get("url"), MAX_URL) + fragment
    record.method = text_of(request.get("method"))
    record.headers = headers_of(request.get("headers"))
    if isinstance(request.get("postData"), str):
        record.post_data = text_of(request.get("postData"), MAX_POST_DATA)
    record.has_post_data = record.post_data is not None or request.get("hasPostData") is True


def _initiator(initiator: Json) -> str:
    """Say in short what has started a request: kind, file and line."""
    kind = text_of(initiator.get("type"))
    frames = object_of(initiator.get("stack")).get("callFrames")
    frame = object_of(frames[0]) if isinstance(frames, list) and frames else initiator
    url = text_of(frame.get("url"), 500)
    return f"{kind} {url}:{whole_of(frame.get('lineNumber')) + 1}" if url else kind


def _frame(record: RequestRecord, params: Json, *, is_sent: bool) -> Frame:
    response = object_of(params.get("response"))
    time = record.wall(number_of(params.get("timestamp")) or record.latest)
    data = text_of(response.get("payloadData"), MAX_FRAME)
    return Frame(is_sent, time, whole_of(response.get("opcode"), 1), data)


def _reason(params: Json) -> str:
    """Say why a request has failed, in the browser's words."""
    cors = object_of(params.get("corsErrorStatus"))
    parts = [
        text_of(params.get("errorText")),
        f"CORS: {text_of(cors.get('corsError'))}" if cors else "",
        text_of(cors.get("failedParameter")),
        f"blocked: {text_of(params.get('blockedReason'))}" if params.get("blockedReason") else "",
        "canceled" if params.get("canceled") is True else "",
    ]
    return ", ".join(part for part in parts if part)
