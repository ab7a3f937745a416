"""An element that the user picked in a page, as it goes over the wire."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from jupyter_ac.browser.cdp import CdpSession


@dataclass(frozen=True)
class PageNode:
    """A node of a page, by the number that the browser gives it.

    Attributes:
        session: of the page, or of the frame that it is in; the number counts there only.
        number: its backend node id.
    """

    session: CdpSession
    number: int


class PathStep(TypedDict):
    """A part of the way from the page to an element.

    Attributes:
        scope: in which the selector is unique: `document` (of the page), `frame` (the document in
            the iframe of the step before), `open shadow root` or `closed shadow root` (of the
            element of the step before).
        selector: of exactly one element there; "" where none of reasonable length exists.
    """

    scope: str
    selector: str


class ElementRect(TypedDict):
    """Where an element is, in CSS pixels from the page's visible upper left corner.

    Attributes:
        x: of its left side.
        y: of its upper side.
        width: of the element.
        height: of the element.
    """

    x: float
    y: float
    width: float
    height: float


class ElementScreenshot(TypedDict):
    """A picture of an element.

    Attributes:
        media_type: `image/png`, or `image/jpeg` where that would be too large.
        data: in base64.
    """

    media_type: str
    data: str


class ComponentSource(TypedDict):
    """The component that made an element, as the development build of its framework tells.

    Attributes:
        framework: `react`, `vue`, `svelte` or `angular`; "" for attributes of another tool.
        name: of the component; "" if it isn't known.
        file: as the framework names it, or the address of the script; "" if it isn't known.
        path: of the file in the repository; "" if it isn't there.
        line: in that file; the first is 1, 0 if it isn't known.
        column: likewise.
    """

    framework: str
    name: str
    file: str
    path: str
    line: int
    column: int


@dataclass(frozen=True)
class ElementReading:
    """What was read of an element."""

    tag: str
    id: str
    classes: list[str]
    text: str
    path: list[PathStep]
    html: str
    styles: dict[str, str]
    role: str
    name: str
    rect: ElementRect | None
    component: ComponentSource | None
    frame_ids: frozenset[str]
    """The frames in which it is, without the page's own."""


class ElementPreview(TypedDict):
    """An element in a few words.

    Attributes:
        tag: its name, in lower case in HTML.
        id: its attribute; "" if it has none.
        classes: at most 20.
        text: the beginning of its text.
        selector: of the element in its document or shadow root; see `path` of the whole element.
        role: that assistive technology is told.
        name: likewise.
    """

    tag: str
    id: str
    classes: list[str]
    text: str
    selector: str
    role: str
    name: str


class SelectedElement(TypedDict):
    """An element that the user picked.

    Attributes:
        id: of the selection, counted up and never used twice: "1", "2", ….
        preview: the element in a few words.
        selector: of exactly this element in its document or shadow root; "" where none of
            reasonable length exists.
        path: the way from the page's document into frames and shadow roots to the element; the last
            step has the selector.
        path_text: the same as a line.
        js_path: an expression for scripts of the page; "" if they can't get to the element.
        outer_html: the markup, shortened; values of password fields and hidden fields are left out.
        styles: computed ones, the most useful.
        rect: where it is; null if it has no box.
        screenshot: what is visible of it; null if there is none.
        backend_node_id: the browser's number of its node.
        component: that made it, if the development build of a web framework tells.
    """

    id: str
    preview: ElementPreview
    selector: str
    path: list[PathStep]
    path_text: str
    js_path: str
    outer_html: str
    styles: dict[str, str]
    rect: ElementRect | None
    screenshot: ElementScreenshot | None
    backend_node_id: int
    component: ComponentSource | None


class SelectionStatus(TypedDict):
    """The state of the selection in a page.

    Attributes:
        inspect_active: whether a click in the page selects an element.
        selections: the elements by their ids.
        pending_count: how many are still being read.
        problem: why the last click gave no element; "" if it did.
    """

    inspect_active: bool
    selections: dict[str, ElementPreview]
    pending_count: int
    problem: str


def selected_element(
    key: str, backend_node_id: int, reading: ElementReading, picture: ElementScreenshot | None
) -> SelectedElement:
    """Return an element with its id of the selection.

    Args:
        key: the id.
        backend_node_id: the browser's number of its node.
        reading: what was read of it.
        picture: what is visible of it, if anything.
    """
    selector = reading.path[-1]["selector"]
    preview = ElementPreview(
        tag=reading.tag,
        id=reading.id,
        classes=reading.classes,
        text=reading.text,
        selector=selector,
        role=reading.role,
        name=reading.name,
    )
    return SelectedElement(
        id=key,
        preview=preview,
        selector=selector,
        path=reading.path,
        path_text=path_text(reading.path),
        js_path=js_path(reading.path),
        outer_html=reading.html,
        styles=reading.styles,
        rect=reading.rect,
        screenshot=picture,
        backend_node_id=backend_node_id,
        component=reading.component,
    )


def js_path(path: Sequence[PathStep]) -> str:
    """Return the JavaScript expression of an element, from the page's document.

    Returns:
        "" where scripts of the page can't get to it: in a closed shadow root, or where a step has
        no selector. A frame of another origin refuses it when it runs.
    """
    code = "document"
    for step in path:
        if not step["selector"] or step["scope"].startswith("closed"):
            return ""
        code += {"frame": ".contentDocument", "open shadow root": ".shadowRoot"}.get(
            step["scope"], ""
        )
        code += f".querySelector({json.dumps(step['selector'])})"
    return code


def path_text(path: Sequence[PathStep]) -> str:
    """Return the path as a line for people and models."""
    words = [f"{step['scope']} → {step['selector'] or '?'}" for step in path]
    return " → ".join(words).removeprefix("document → ")
