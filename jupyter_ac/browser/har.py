"""Requests in the shape of HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/)."""

from collections.abc import Iterable
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from jupyter_ac.browser.cdp import Json
from jupyter_ac.browser.network_rows import iso_time
from jupyter_ac.browser.request_record import Frame, Headers, RequestRecord

MAX_PARAMETERS: Final = 200
_FORM: Final = "application/x-www-form-urlencoded"
_PHASES: Final = (
    ("dns", "dnsStart", "dnsEnd"),
    ("connect", "connectStart", "connectEnd"),
    ("ssl", "sslStart", "sslEnd"),
    ("send", "sendStart", "sendEnd"),
    ("wait", "sendEnd", "receiveHeadersEnd"),
)


def har_entry(record: RequestRecord) -> Json:
    """Give a request as an entry, with its secrets and without the answer's body.

    Beside HAR's own members: `id`, `state`, `protocol`, `type`, `error`, `initiator`, the ids
    before and after it in a chain of redirects, `websocket.frames` of a socket, and
    `event_source.messages` of an event stream.
    """
    entry: Json = {
        "id": record.id,
        "request_id": record.request_id,
        "state": record.state,
        "protocol": record.protocol,
        "type": record.type,
        "startedDateTime": iso_time(record.wall(record.started)),
        "time": record.time_ms,
        "request": _request(record),
        "response": _response(record),
        "cache": {},
        "timings": _timings(record),
        "initiator": record.initiator,
        "redirected_from": record.redirected_from,
        "redirected_to": record.redirected_to,
    }
    if record.answer is not None and record.answer.address:
        entry["serverIPAddress"] = record.answer.address.rpartition(":")[0]
    if record.error:
        entry["error"] = record.error
    return entry | _frames(record)


def har_log(entries: Iterable[Json], creator: str, version: str) -> Json:
    """Wrap entries to a HAR 1.2 file; what isn't of HAR gets an underscore.

    Args:
        entries: of `har_entry`, redacted or not.
        creator: name of this program.
        version: its version.
    """
    return {
        "log": {
            "version": "1.2",
            "creator": {"name": creator, "version": version},
            "pages": [],
            "entries": [_exported(entry) for entry in entries],
        }
    }


_HAR_MEMBERS: Final = frozenset(
    {
        *("startedDateTime", "time", "request", "response", "cache", "timings"),
        *("serverIPAddress", "connection", "pageref", "comment"),
    }
)


def _exported(entry: Json) -> Json:
    members = {
        name if name in _HAR_MEMBERS else f"_{name}": value
        for name, value in entry.items()
        if name in _HAR_MEMBERS or value is not None
    }
    members["time"] = entry.get("time") or 0
    return members


def _request(record: RequestRecord) -> Json:
    headers = record.request_headers
    request: Json = {
        "method": record.method,
        "url": record.url,
        "httpVersion": _version(record),
        "headers": _pairs(headers),
        "cookies": _cookies(headers, "cookie"),
        "queryString": _query(record.url),
        "headersSize": -1,
        "bodySize": len(record.post_data or "") if record.has_post_data else 0,
    }
    if record.has_post_data:
        request["postData"] = _post_data(record.post_data, header_of(headers, "content-type"))
    return request


def _response(record: RequestRecord) -> Json:
    answer, headers = record.answer, record.answer_headers
    return {
        "status": record.status,
        "statusText": "" if answer is None else answer.status_text,
        "httpVersion": _version(record),
        "headers": _pairs(headers),
        "cookies": _cookies(headers, "set-cookie"),
        "content": {
            "size": record.size,
            "mimeType": "" if answer is None else answer.mime_type,
        },
        "redirectURL": header_of(headers, "location"),
        "headersSize": -1,
        "bodySize": record.size if record.ended_as == "complete" else -1,
        "source": "" if answer is None else answer.source,
    }


def header_of(headers: Headers, wanted: str) -> str:
    """Return the first value of a header, in whichever case its name is; "" for none."""
    return next((value for name, value in headers if name.lower() == wanted), "")


def _version(record: RequestRecord) -> str:
    return "" if record.answer is None else record.answer.protocol


def _pairs(pairs: Iterable[tuple[str, str]]) -> list[Json]:
    return [{"name": name, "value": value} for name, value in pairs]


def _cookies(headers: Headers, wanted: str) -> list[Json]:
    values = [value for name, value in headers if name.lower() == wanted]
    cookies = [value.partition(";")[0] for value in values] if wanted == "set-cookie" else values
    pairs = [pair.partition("=") for some in cookies for pair in some.split(";") if pair.strip()]
    return _pairs((name.strip(), value) for name, _, value in pairs)


def _query(url: str) -> list[Json]:
    try:
        query = urlsplit(url).query if not url.startswith("data:") else ""
        pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=MAX_PARAMETERS)
    except ValueError:
        return []
    return _pairs(pairs)


def _post_data(text: str | None, mime_type: str) -> Json:
    data: Json = {"mimeType": mime_type}
    if text is None:
        return data
    if mime_type.lower().startswith(_FORM):
        try:
            pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=MAX_PARAMETERS)
        except ValueError:
            pairs = []
        data["params"] = _pairs(pairs)
    return data | {"text": text}


def _timings(record: RequestRecord) -> Json:
    times = {} if record.answer is None else record.answer.timing
    timings: Json = {
        name: round(times[end] - times[start], 3)
        if start in times and end in times and 0 <= times[start] <= times[end]
        else -1
        for name, start, end in _PHASES
    }
    total, headers_end = record.time_ms, times.get("receiveHeadersEnd")
    known = total is not None and headers_end is not None
    received = max(0.0, (total or 0.0) - (headers_end or 0.0)) if known else 0.0
    needed = {name: max(0, _at_least(timings[name])) for name in ("send", "wait")}
    return timings | needed | {"blocked": -1, "receive": round(received, 3)}


def _at_least(value: object) -> float:
    return value if isinstance(value, int | float) else 0


def _frames(record: RequestRecord) -> Json:
    if record.protocol == "websocket":
        sent = [_frame(frame) for frame in record.frames if frame.is_sent]
        received = [_frame(frame) for frame in record.frames if not frame.is_sent]
        return {"websocket": {"frames": {"sent": sent, "received": received}}}
    if record.is_event_stream:
        return {"event_source": {"messages": [_frame(frame) for frame in record.frames]}}
    return {}


def _frame(frame: Frame) -> Json:
    shown: Json = {"time": frame.time, "opcode": frame.opcode, "data": frame.data}
    return shown | ({"event": frame.event} if frame.event else {})
