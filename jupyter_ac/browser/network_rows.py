"""Rows of the list of a page's requests."""

from datetime import UTC, datetime
from typing import Final, Literal, NotRequired, TypedDict

from jupyter_ac.browser.cdp_values import clip
from jupyter_ac.browser.request_record import RequestRecord, Stage, State

ROW_URL: Final = 2000
"""Longest URL of a row."""
DATA_URL: Final = 100
"""Of one with data in it, which may have megabytes."""


class NetworkRow(TypedDict):
    """A request in the list of requests.

    Attributes:
        id: never used again, in any page.
        request_id: the browser's; all requests of a chain of redirects have the same.
        protocol: what carries it.
        method: of HTTP.
        status: of the answer; 0 as long as there is none.
        url: without its secrets unless they were asked for.
        type: kind of resource: `Document`, `Script`, `Fetch` and so on.
        size: bytes of the answer as they came.
        time_ms: how long it took; null as long as it goes on.
        state: what has become of it.
        error: why it failed; only when it has.
        pause_stage: where it waits for the user; only when it does.
        paused_id: the browser's id of the pause; only when it waits.
        frames_sent: of a WebSocket.
        frames_received: of a WebSocket or an event stream.
        started_datetime: ISO 8601, UTC.
        last_activity: seconds since 1970.
        target: of the page that it belongs to.
        body_status: whether its body was read: `ok`, `err`, or null when it never was.
    """

    id: int
    request_id: str
    protocol: Literal["http", "websocket"]
    method: str
    status: int
    url: str
    type: str
    size: int
    time_ms: float | None
    state: State
    error: NotRequired[str]
    pause_stage: NotRequired[Stage]
    paused_id: NotRequired[str]
    frames_sent: int
    frames_received: int
    started_datetime: str
    last_activity: float
    target: str
    body_status: Literal["ok", "err"] | None


def row_of(record: RequestRecord) -> NetworkRow:
    """Give a request as a row, with its secrets."""
    longest = DATA_URL if record.url.startswith("data:") else ROW_URL
    url = record.url if len(record.url) <= longest else clip(record.url, longest)
    row = NetworkRow(
        id=record.id,
        request_id=record.request_id,
        protocol=record.protocol,
        method=record.method,
        status=record.status,
        url=url,
        type=record.type,
        size=record.size,
        time_ms=record.time_ms,
        state=record.state,
        frames_sent=record.frames_sent,
        frames_received=record.frames_received,
        started_datetime=iso_time(record.wall(record.started)),
        last_activity=record.wall(record.latest),
        target=record.target,
        body_status=record.body_status,
    )
    if record.error:
        row["error"] = record.error
    if record.pause_stage is not None:
        row["pause_stage"] = record.pause_stage
        row["paused_id"] = record.fetch_id
    return row


def iso_time(seconds: float) -> str:
    """Return seconds since 1970 as ISO 8601, UTC; "" for a time that there isn't."""
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return ""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
