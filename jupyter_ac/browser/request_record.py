"""One recorded request of a page: an HTTP exchange, an event stream or a WebSocket."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from jupyter_ac.browser.cdp import Json
from jupyter_ac.browser.cdp_values import clip, encodable, number_of, object_of, text_of, whole_of

MAX_URL: Final = 16_384
"""Longest recorded URL: those with data in them may have megabytes."""
MAX_HEADERS: Final = 200
MAX_HEADER: Final = 8192
MAX_HEADER_BYTES: Final = 32_768
MAX_POST_DATA: Final = 65_536
MAX_FRAME: Final = 16_384
MAX_FRAMES: Final = 1000
MAX_FRAME_BYTES: Final = 2_000_000
"""Bounds of what one socket or event stream keeps."""
BASE_BYTES: Final = 1500
"""What a record without any text takes."""
REDIRECTS: Final = range(300, 400)
ERRORS: Final = 400

Headers: TypeAlias = tuple[tuple[str, str], ...]
State: TypeAlias = Literal[
    "pending", "loading", "complete", "failed", "paused", "connecting", "open", "closed"
]
STATES: Final = frozenset(
    {"pending", "loading", "complete", "failed", "paused", "connecting", "open", "closed"}
)
Stage: TypeAlias = Literal["Request", "Response"]


@dataclass(frozen=True, slots=True)
class Frame:
    """A message of a WebSocket or of an event stream.

    Attributes:
        is_sent: by the page.
        time: seconds since 1970.
        opcode: 1 for text, 2 for bytes in base64.
        data: cut at `MAX_FRAME` characters.
        event: its name in an event stream.
    """

    is_sent: bool
    time: float
    opcode: int
    data: str
    event: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server has answered, without the body.

    Attributes:
        protocol: such as `http/1.1`.
        timing: of the browser, in ms since its `requestTime`.
        source: `network`, `disk cache`, `service worker` or `prefetch cache`.
    """

    status: int
    status_text: str
    headers: Headers
    mime_type: str
    protocol: str
    address: str
    source: str
    timing: Mapping[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class RequestRecord:
    """A request with all that is known of it.

    Attributes:
        started: by the browser's clock, in seconds; None as long as no event said it.
        clock_offset: to be added to the browser's clock for seconds since 1970.
        extra_headers: what really went over the wire; the others are only what the page asked for.
        has_extra: whether ExtraInfo events belong to it; None as long as that isn't known.
        is_canceled: it failed because the page, or a navigation, has ended it.
        outcome: number of the log's outcome that it is; 0 if it has neither failed nor an error.
        redirected_from: the record before it in a chain of redirects, or None.
        is_placeholder: only the pause is known, the request itself is to be told of yet.
        ended_as: what has ended it.
    """

    id: int
    request_id: str
    target: str = ""
    session_id: str = ""
    protocol: Literal["http", "websocket"] = "http"
    method: str = ""
    url: str = ""
    type: str = ""
    headers: Headers = ()
    extra_headers: Headers | None = None
    post_data: str | None = None
    has_post_data: bool = False
    initiator: str = ""
    answer: Answer | None = None
    answer_extra: tuple[int, Headers] | None = None
    has_extra: bool | None = None
    started: float | None = None
    latest: float | None = None
    clock_offset: float = 0.0
    size: int = 0
    error: str = ""
    is_canceled: bool = False
    ended_as: Literal["complete", "failed", "closed"] | None = None
    outcome: int = 0
    redirected_from: int | None = None
    redirected_to: int | None = None
    fetch_id: str = ""
    pause_stage: Stage | None = None
    is_placeholder: bool = False
    body_status: Literal["ok", "err"] | None = None
    frames: deque[Frame] = field(default_factory=deque)
    frame_bytes: int = 0
    frames_sent: int = 0
    frames_received: int = 0
    weight: int = BASE_BYTES

    @property
    def state(self) -> State:
        """What has become of it; a failure stands before all else."""
        if self.ended_as is not None:
            return self.ended_as
        if self.protocol == "websocket":
            return "connecting" if self.answer is None else "open"
        if self.pause_stage is not None and self.answer is None:
            return "paused"
        return "pending" if self.answer is None else "loading"

    @property
    def status(self) -> int:
        """Of the answer; 0 without one. ExtraInfo knows the real one, such as 304."""
        if self.answer_extra is not None and self.answer_extra[0]:
            return self.answer_extra[0]
        return 0 if self.answer is None else self.answer.status

    @property
    def is_held(self) -> bool:
        """Whether it must stay as long as something else can go: it waits, or it is still open."""
        return self.state in ("paused", "open", "connecting") or self.pause_stage is not None

    @property
    def is_event_stream(self) -> bool:
        """Whether its body has no end."""
        mime = "" if self.answer is None else self.answer.mime_type
        return self.type == "EventSource" or mime == "text/event-stream"

    @property
    def has_body(self) -> bool:
        """Whether the browser may have a body for it, which it is asked for on demand."""
        is_read = self.protocol == "http" and self.ended_as == "complete"
        return is_read and self.status not in REDIRECTS and not self.is_event_stream

    @property
    def time_ms(self) -> float | None:
        """How long it took; None as long as it goes on."""
        if self.ended_as is None or self.started is None or self.latest is None:
            return None
        return round(max(0.0, self.latest - self.started) * 1000, 3)

    @property
    def request_headers(self) -> Headers:
        """What went over the wire if that is known, else what was asked for."""
        return self.headers if self.extra_headers is None else self.extra_headers

    @property
    def answer_headers(self) -> Headers:
        """What came over the wire if that is known, else what the page can see."""
        if self.answer_extra is not None:
            return self.answer_extra[1]
        return () if self.answer is None else self.answer.headers

    def wall(self, timestamp: float | None) -> float:
        """Turn the browser's clock into seconds since 1970."""
        return self.clock_offset if timestamp is None else timestamp + self.clock_offset

    def add_frame(self, frame: Frame) -> None:
        """Keep a message; the oldest ones go when there are too many."""
        self.frames.append(frame)
        self.frame_bytes += _frame_bytes(frame)
        while len(self.frames) > MAX_FRAMES or self.frame_bytes > MAX_FRAME_BYTES:
            self.frame_bytes -= _frame_bytes(self.frames.popleft())


def _frame_bytes(frame: Frame) -> int:
    return len(frame.data) + 200


def headers_of(value: object) -> Headers:
    """Read an object of headers; one that came several times has its values in lines."""
    pairs: list[tuple[str, str]] = []
    room = MAX_HEADER_BYTES
    for name, joined in object_of(value).items():
        for line in text_of(joined, MAX_HEADER).split("\n"):
            room -= len(name) + len(line)
            if len(pairs) == MAX_HEADERS or room < 0:
                return (*pairs, ("…", "there are more headers"))
            pairs.append((clip(name, 200), line))
    return tuple(pairs)


def answer_of(response: Json) -> Answer:
    """Read the browser's description of an answer."""
    timing = {
        encodable(name): number
        for name, value in list(object_of(response.get("timing")).items())[:50]
        if (number := number_of(value)) is not None
    }
    address, port = text_of(response.get("remoteIPAddress")), whole_of(response.get("remotePort"))
    return Answer(
        status=whole_of(response.get("status")),
        status_text=text_of(response.get("statusText")),
        headers=headers_of(response.get("headers")),
        mime_type=text_of(response.get("mimeType")).lower(),
        protocol=text_of(response.get("protocol")),
        address=f"{address}:{port}" if address else "",
        source=_source_of(response),
        timing=timing,
    )


def _source_of(response: Json) -> str:
    names = {
        "fromServiceWorker": "service worker",
        "fromPrefetchCache": "prefetch cache",
        "fromDiskCache": "disk cache",
    }
    return next((name for key, name in names.items() if response.get(key) is True), "network")
