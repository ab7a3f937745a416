"""Wire types of what is recorded of a page; the host knows these, and loads nothing else."""

from typing import Literal, NotRequired, TypeAlias, TypedDict

from jupyter_ac.browser.request_record import Stage, State

Level: TypeAlias = Literal["debug", "log", "info", "warning", "error"]
NewsKind: TypeAlias = Literal["error", "request", "output"]


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


class MessageRow(TypedDict):
    """A message in the list of messages.

    Attributes:
        id: never used again, in any page.
        level: of the message.
        source: `console`, `exception`, `dialog`, or what the browser names: `network`, `security`.
        message: all arguments as text, without its secrets unless they were asked for.
        timestamp: seconds since 1970.
        target: of the page that it belongs to.
        url: of the script, or of what the message is about; only if that is known.
        line: in the script, the first is 1; only with a URL.
        path: of the script's file in the repository; only if it is there.
    """

    id: int
    level: Level
    source: str
    message: str
    timestamp: float
    target: str
    url: NotRequired[str]
    line: NotRequired[int]
    path: NotRequired[str]


class NewsItem(TypedDict):
    """Something new in a page, as it may be added to a conversation.

    Attributes:
        key: the same for the same error, also after a reload.
        kind: error of the console, request that has failed, or another output of the console.
        name: one line.
        text: all of it, as it goes to the model.
        source: the address of the page.
        count: how often it happened.
        tokens: of the text, about.
        known: it had been taken before, and has happened again.
    """

    key: str
    kind: NewsKind
    name: str
    text: str
    source: str
    count: int
    tokens: int
    known: bool


class News(TypedDict):
    """What is new in a page.

    Attributes:
        items: errors first, then failed requests, then other messages.
        left_out: how many more there are.
    """

    items: list[NewsItem]
    left_out: int


class InterceptionStatus(TypedDict):
    """The state of the interception in a page.

    Attributes:
        enabled: whether manual mode is on: all requests pause that no rule matches.
        stages: of manual mode: `request`, `response`.
        paused: how many requests wait.
        rules: how many rules there are, by their kinds.
    """

    enabled: bool
    stages: list[str]
    paused: int
    rules: dict[str, int]
