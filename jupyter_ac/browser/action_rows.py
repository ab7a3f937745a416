"""What the methods give that act on a page."""

from typing import TypedDict

from jupyter_ac.browser.target_rows import DialogRow


class NavigateRow(TypedDict):
    """The outcome of going to an address.

    Attributes:
        frame_id: of the page's main frame.
        loader_id: of the new document; None when only the fragment has changed, or nothing.
        error: why nothing was loaded, such as net::ERR_CONNECTION_REFUSED; None when it was.
        is_download: the address is a file that was downloaded; the page stays.
    """

    frame_id: str
    loader_id: str | None
    error: str | None
    is_download: bool


class ReloadRow(TypedDict):
    """The outcome of a reload.

    Attributes:
        reloaded: whether a document has come; False: the server hasn't answered yet.
        url: of the page.
    """

    reloaded: bool
    url: str


class HistoryStepRow(TypedDict):
    """The outcome of going back or forward.

    Attributes:
        navigated: whether there was an entry to go to.
        title: of the entry that is shown now.
        url: of the entry that is shown now.
        index: of the entry that is shown now, from 0.
        total: number of entries.
    """

    navigated: bool
    title: str
    url: str
    index: int
    total: int


class HistoryEntryRow(TypedDict):
    """An entry of a page's history.

    Attributes:
        id: the browser's number of it.
        url: of the document.
        title: of the document.
    """

    id: int
    url: str
    title: str


class HistoryRow(TypedDict):
    """A page's history.

    Attributes:
        entries: the oldest first.
        current_index: of the entry that is shown, from 0.
    """

    entries: list[HistoryEntryRow]
    current_index: int


class PageRow(TypedDict):
    """What a page shows now.

    Attributes:
        url: of the document.
        title: of the document.
        id: of the target.
        type: of the target.
    """

    url: str
    title: str
    id: str
    type: str


class JsRow(TypedDict):
    """The outcome of code that ran in a page.

    Attributes:
        value: what it gave, as JSON; a text for what JSON hasn't, such as NaN or a function.
        executed: always True.
    """

    value: object
    executed: bool


class InputRow(TypedDict):
    """The outcome of a click, or of typing.

    Attributes:
        done: always True.
        x: where it was clicked, in CSS pixels of the window; 0 for typing.
        y: as x.
        dialog: the dialog that it has opened, which has to be answered; None: none.
    """

    done: bool
    x: float
    y: float
    dialog: DialogRow | None


class WaitRow(TypedDict):
    """The outcome of waiting for something in a page.

    Attributes:
        found: whether it came in time.
        waited_ms: how long it took.
        url: of the page at the end.
    """

    found: bool
    waited_ms: int
    url: str


class ScreenshotRow(TypedDict):
    """A picture of a page.

    Attributes:
        data: the file, in base64.
        mime_type: image/png or image/jpeg.
        width: in pixels.
        height: in pixels.
        is_cut: the page is longer than the picture.
    """

    data: str
    mime_type: str
    width: int
    height: int
    is_cut: bool


class CdpRow(TypedDict):
    """The outcome of a command of the DevTools Protocol.

    Attributes:
        result: as the browser gave it.
    """

    result: dict[str, object]
