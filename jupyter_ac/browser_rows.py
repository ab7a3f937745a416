"""Wire types of browsers: the state that seed 003's clients follow, and targets."""

from typing import TypedDict


class EventCount(TypedDict):
    """The events of the browser that were recorded.

    Attributes:
        total: their number.
    """

    total: int


class FetchState(TypedDict):
    """The interception of the page's requests.

    Attributes:
        enabled: requests are intercepted.
        response_stage: their responses, too.
        paused_count: requests that wait for a decision.
    """

    enabled: bool
    response_stage: bool
    paused_count: int


class FilterState(TypedDict):
    """The groups of filters, by name."""

    enabled: list[str]
    disabled: list[str]


class InspectState(TypedDict):
    """The selection of elements in the page.

    Attributes:
        inspect_active: the user is choosing one.
        selections: previews of chosen elements, by their id.
        prompt: what the user has typed about them.
        pending_count: elements that are being read.
    """

    inspect_active: bool
    selections: dict[str, object]
    prompt: str
    pending_count: int


class BrowserState(TypedDict):
    """The browser's part of the state; names and shapes are seed 003's.

    Attributes:
        connectionState: `disconnected`, `connecting`, `connected`, `inspecting` or
            `disconnecting`.
        epoch: how many connections to a page there have been.
        connected: there is one.
        page: `{id, title, url}`; null if there is none.
        events: what was recorded.
        fetch: interception.
        filters: filters.
        browser: selection of elements.
        error: `{message, timestamp}` of the last one that wasn't dismissed; null if there is none.
    """

    connectionState: str
    epoch: int
    connected: bool
    page: dict[str, object] | None
    events: EventCount
    fetch: FetchState
    filters: FilterState
    browser: InspectState
    error: dict[str, object] | None


class BrowserStatus(BrowserState):
    """The browser's part of the state, with the hashes of what clients compare.

    Attributes:
        selections_hash: of `browser.selections`: 16 hexadecimal digits, as all of them.
        filters_hash: of `filters`.
        fetch_hash: of `fetch`.
        page_hash: of `page`.
        error_hash: of `error`.
    """

    selections_hash: str
    filters_hash: str
    fetch_hash: str
    page_hash: str
    error_hash: str


class BrowserTarget(TypedDict):
    """A tab, frame or worker of a browser.

    Attributes:
        id: for `watch`, and as `target` of the other methods.
        type: `page`, `iframe`, `service_worker`, …, as in the DevTools Protocol.
        title: of the page.
        url: of the page.
        browser: id of the browser that it belongs to.
        product: name and version of the browser.
        launched: the browser was started by this program, so that everything is allowed in it.
        watched: its events are recorded.
        state: of its connection, as of `BrowserState.connectionState`.
        epoch: how often it was connected.
        granted: what the user has allowed in it.
        events: recorded requests and console messages.
        errors: messages of level error, and failed requests.
        inspect_active: the user is choosing elements.
        selections: previews of chosen elements by their id.
        paused_count: requests that wait for a decision.
        dialog: what the page's dialog says; "" if it shows none.
    """

    id: str
    type: str
    title: str
    url: str
    browser: str
    product: str
    launched: bool
    watched: bool
    state: str
    epoch: int
    granted: list[str]
    events: int
    errors: int
    inspect_active: bool
    selections: dict[str, object]
    paused_count: int
    dialog: str


def disconnected() -> BrowserState:
    """Return the state without a browser."""
    return {
        "connectionState": "disconnected",
        "epoch": 0,
        "connected": False,
        "page": None,
        "events": {"total": 0},
        "fetch": {"enabled": False, "response_stage": False, "paused_count": 0},
        "filters": {"enabled": [], "disabled": []},
        "browser": {"inspect_active": False, "selections": {}, "prompt": "", "pending_count": 0},
        "error": None,
    }
