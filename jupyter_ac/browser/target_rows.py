"""What is shown of browsers and their targets, and what is reported when they change."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, TypedDict

TargetState: TypeAlias = Literal["unwatched", "connecting", "attached", "crashed"]

ChangeKind: TypeAlias = Literal["attached", "detached", "navigated", "updated"]

DetachReason: TypeAlias = Literal["closed", "crashed", "browser_gone", "unwatched"]


class BrowserRow(TypedDict):
    """A browser that is connected.

    Attributes:
        id: number of the browser, as text; never used again.
        kind: whether we started it, or attached to one that ran.
        product: its name and version.
        address: host and port; "" when we started it.
        is_headless: whether nobody can see its window.
        is_owner_checked: whether it is certain that it belongs to the same user.
    """

    id: str
    kind: Literal["launched", "attached"]
    product: str
    address: str
    is_headless: bool
    is_owner_checked: bool


class DialogRow(TypedDict):
    """A dialog that blocks a page until it is answered.

    Attributes:
        type: alert, confirm, prompt or beforeunload.
        message: what the page says; at most 1,000 characters.
        default_prompt: what the field of a prompt contains.
        url: of the page.
    """

    type: str
    message: str
    default_prompt: str
    url: str


class TargetRow(TypedDict):
    """A page or worker of a browser.

    Attributes:
        id: the browser's id of it.
        browser: the id of its browser.
        type: page, service_worker or shared_worker.
        title: of the page.
        url: of the page.
        opener: the id of the page that opened it, or "".
        state: unwatched, connecting, attached or crashed.
        dialog: the dialog that blocks it, or None.
        children: how many frames of other origins and workers are recorded with it.
    """

    id: str
    browser: str
    type: str
    title: str
    url: str
    opener: str
    state: TargetState
    dialog: DialogRow | None
    children: int


@dataclass(frozen=True)
class TargetChange:
    """Something has changed.

    Attributes:
        kind: attached: is recorded from now on; detached: no longer; navigated: shows another
            document or address; updated: rows of browsers or targets have changed.
        target_id: of the target; "" when it concerns browsers.
        reason: why it was detached.
        url: where it navigated to.
        is_same_document: the page only changed its address.
    """

    kind: ChangeKind
    target_id: str = ""
    reason: DetachReason | None = None
    url: str = ""
    is_same_document: bool = False
