"""Reads an element of a page: how to find it again, what it is, how it looks.

The page is not trusted. The script runs in an isolated world, where the page's changes to built-in
objects aren't seen; it returns texts of limited length. An element is found again by the browser's
number of its node; selectors are for people and models.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, cast

from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.component_source import read_component
from jupyter_ac.browser.selected_element import ElementReading, ElementRect, PageNode, PathStep
from jupyter_ac.errors import BrowserError, NotFound, TimedOut

STYLES: Final = (
    "display",
    "position",
    "width",
    "height",
    "margin",
    "padding",
    "border",
    "color",
    "background-color",
    "font-size",
    "font-weight",
    "opacity",
    "visibility",
    "z-index",
)
MAX_HTML_CHARS: Final = 2000
"""Of the markup, apart from the end tags and one last attribute or text."""

_MAX_FRAMES: Final = 8
_MAX_TRIED_FRAMES: Final = 100
_ACCESSIBLE_S: Final = 3.0
_RELEASE_S: Final = 2.0
_MAX_TEXT: Final = 200
_LIMITS: Final[Json] = {
    "accessible": 20_000,
    "classes": 20,
    "html": MAX_HTML_CHARS,
    "id": 200,
    "nodes": 5000,
    "selector": 8000,
    "steps": 20,
    "styles": STYLES,
    "text": _MAX_TEXT,
    "value": 200,
}
_WORLD: Final = "jupyter_ac"
_DOCUMENT_SCRIPT: Final = """function () {
  const { get } = Object.getOwnPropertyDescriptor(Node.prototype, "ownerDocument");
  return Reflect.apply(get, this, []);
}"""


_ORIGIN: Final = ElementRect(x=0, y=0, width=0, height=0)


@dataclass(frozen=True)
class _Place:
    description: Json
    path: list[PathStep]
    rect: ElementRect | None
    frame_ids: frozenset[str]
    origin: ElementRect | None
    """Where the session's outermost document is in the page; None: it isn't shown."""


async def read_element(
    sessions: Sequence[CdpSession], session: CdpSession, backend_node_id: int
) -> ElementReading:
    """Read an element.

    Args:
        sessions: of the page, then of its frames that have sessions of their own.
        session: the one of them in which the element is.
        backend_node_id: the browser's number of its node.

    Raises:
        NotFound: it is no element, or is no longer in the page.
        TimedOut: the page is too busy to answer.
        NotConnected: the page or the browser has gone.
    """
    try:
        place = await _place(sessions, session, backend_node_id, _MAX_FRAMES)
        found = place.description
        role, name = await _accessible(session, backend_node_id, found)
        component = await read_component(session, backend_node_id)
    except BrowserError as error:
        raise NotFound(f"The element can't be read: {error.message}") from error
    return ElementReading(
        tag=str(found["tag"]),
        id=str(found["id"]),
        classes=cast("list[str]", found["classes"]),
        text=str(found["text"]),
        path=place.path,
        html=str(found["html"]),
        styles=cast("dict[str, str]", found["styles"]),
        role=role,
        name=name,
        rect=place.rect,
        component=component,
        frame_ids=place.frame_ids,
    )


async def frame_owners(sessions: Sequence[CdpSession], session: CdpSession) -> list[PageNode]:
    """Return the iframes that a frame's session is in, the innermost first.

    Args:
        sessions: as of `read_element`.
        session: of the page or of a frame.

    Raises:
        NotFound: the frame is no longer in the page.
        BrowserError, TimedOut, NotConnected: see `CdpConnection.call`.
    """
    owners: list[PageNode] = []
    while session is not sessions[0]:
        if len(owners) == _MAX_FRAMES:
            raise NotFound("The element is in too many frames.")
        frames = await list_frames(session)
        parent, owner_id = await _owner(sessions, session, frames[0], is_root=True)
        owners.append(PageNode(parent, owner_id))
        session = parent
    return owners


async def _place(
    sessions: Sequence[CdpSession], session: CdpSession, backend_node_id: int, depth: int
) -> _Place:
    frames = await list_frames(session)
    group = f"jupyter_ac-{backend_node_id}"
    try:
        object_id = await _resolve(session, frames, backend_node_id, group)
        description = await _describe(session, object_id)
        is_in_page = session is sessions[0] and description["isInPage"] is True
        frame_id = frames[0] if is_in_page else await _frame_of(session, frames, object_id)
    finally:
        await _release(session, group)
    path = cast("list[PathStep]", description["path"])
    rect = await _rect(session, backend_node_id, "DOM.getContentQuads")
    if is_in_page:
        return _Place(description, path, rect, frozenset(), _ORIGIN)
    if depth == 0:
        raise NotFound("The element is in too many frames; select another one.")
    parent, owner_id = await _owner(sessions, session, frame_id, is_root=frame_id == frames[0])
    outer = await _place(sessions, parent, owner_id, depth - 1)
    origin = outer.origin
    if parent is not session:
        origin = _moved(await _rect(parent, owner_id, "DOM.getBoxModel"), origin)
    return _Place(
        description,
        [*outer.path, PathStep(scope="frame", selector=path[0]["selector"]), *path[1:]],
        _moved(rect, origin),
        outer.frame_ids | {frame_id},
        origin,
    )


async def list_frames(session: CdpSession) -> list[str]:
    """Return the ids of a session's frames, the outermost first.

    Raises:
        BrowserError: it is of a worker, which has none.
        TimedOut, NotConnected: see `CdpConnection.call`.
    """
    found: list[str] = []
    waiting = [cast("Json", (await session.call("Page.getFrameTree"))["frameTree"])]
    while waiting and len(found) < _MAX_TRIED_FRAMES:
        tree = waiting.pop(0)
        found.append(str(cast("Json", tree["frame"])["id"]))
        waiting += cast("list[Json]", tree.get("childFrames", []))
    return found


async def _resolve(
    session: CdpSession, frame_ids: Sequence[str], backend_node_id: int, group: str
) -> str:
    """Return the element as an object of an isolated world.

    The world of the outermost frame has elements of all frames of its origin. Which frame one of
    another origin is in isn't known, so each is tried.
    """
    for frame_id in frame_ids:
        world = await session.call(
            "Page.createIsolatedWorld",
            {"frameId": frame_id, "worldName": _WORLD},
        )
        resolved = await session.call(
            "DOM.resolveNode",
            {
                "backendNodeId": backend_node_id,
                "executionContextId": world["executionContextId"],
                "objectGroup": group,
            },
        )
        object_id = cast("Json", resolved["object"]).get("objectId")
        if isinstance(object_id, str):
            return object_id
    raise NotFound("The element can't be reached; select another one.")


async def _describe(session: CdpSession, object_id: str) -> Json:
    answer = await session.call(
        "Runtime.callFunctionOn",
        {
            "objectId": object_id,
            "functionDeclaration": _script(),
            "arguments": [{"value": _LIMITS}],
            "returnByValue": True,
        },
    )
    value = cast("Json", answer["result"]).get("value")
    if not isinstance(value, dict):
        raise NotFound("The element can't be described; select another one.")
    if "problem" in value:
        raise NotFound(f"The element can't be used: {value['problem']}. Select another one.")
    return cast("Json", value)


@cache
def _script() -> str:
    """Without the comment at its beginning: the browser wants a function."""
    text = Path(__file__).with_name("element_script.js").read_text(encoding="utf-8")
    return text[text.index("function describe") :]


async def _frame_of(session: CdpSession, frames: Sequence[str], object_id: str) -> str:
    """Return the id of the frame whose document an element is in."""
    call: Json = {"objectId": object_id, "functionDeclaration": _DOCUMENT_SCRIPT}
    answer = await session.call("Runtime.callFunctionOn", call)
    node = {"objectId": cast("Json", answer["result"])["objectId"]}
    document = cast("Json", (await session.call("DOM.describeNode", node))["node"])
    await session.call("DOM.getDocument", {"depth": 0})  # without it, frames have no owners
    for frame_id in frames[1:]:
        owner = await session.call("DOM.getFrameOwner", {"frameId": frame_id})
        node = {"backendNodeId": owner["backendNodeId"]}
        iframe = cast("Json", (await session.call("DOM.describeNode", node))["node"])
        content = iframe.get("contentDocument")
        if isinstance(content, dict) and content["backendNodeId"] == document["backendNodeId"]:
            return frame_id
    return frames[0]


async def _release(session: CdpSession, group: str) -> None:
    try:
        await session.call(
            "Runtime.releaseObjectGroup", {"objectGroup": group}, timeout_s=_RELEASE_S
        )
    except (BrowserError, TimedOut):
        return  # its page has gone, and the objects with it


async def _owner(
    sessions: Sequence[CdpSession], session: CdpSession, frame_id: str, *, is_root: bool
) -> tuple[CdpSession, int]:
    """Find the iframe of a frame; that of a session's outermost one is in another session."""
    for other in sessions if is_root else [session]:
        if is_root and other is session:
            continue
        try:
            await other.call("DOM.getDocument", {"depth": 0})
            answer = await other.call("DOM.getFrameOwner", {"frameId": frame_id})
        except (BrowserError, TimedOut):
            continue
        return other, cast("int", answer["backendNodeId"])
    raise NotFound("The frame of the element is no longer in the page; select it again.")


async def _rect(session: CdpSession, backend_node_id: int, method: str) -> ElementRect | None:
    """Where a node is: all its boxes, or by `DOM.getBoxModel` what is inside its border.

    Returns:
        None if it has no box.
    """
    try:
        answer = await session.call(method, {"backendNodeId": backend_node_id})
    except BrowserError:
        return None
    model = answer.get("model")
    quads = [cast("Json", model)["content"]] if model else answer["quads"]
    points = [point for quad in cast("list[list[float]]", quads) for point in quad]
    if not points:
        return None
    x, y = min(points[::2]), min(points[1::2])
    return ElementRect(x=x, y=y, width=max(points[::2]) - x, height=max(points[1::2]) - y)


def _moved(rect: ElementRect | None, offset: ElementRect | None) -> ElementRect | None:
    if rect is None or offset is None:
        return None
    return ElementRect(
        x=rect["x"] + offset["x"],
        y=rect["y"] + offset["y"],
        width=rect["width"],
        height=rect["height"],
    )


async def _accessible(
    session: CdpSession, backend_node_id: int, description: Json
) -> tuple[str, str]:
    """Return the role and the name that assistive technology is told.

    Of documents so large that the browser takes seconds, and of pages that are too busy, what the
    attributes say.
    """
    role, name = str(description["role"]), str(description["name"])
    if description["isLarge"] is True:
        return role, name
    node: Json = {"backendNodeId": backend_node_id, "fetchRelatives": False}
    try:
        answer = await session.call("Accessibility.getPartialAXTree", node, timeout_s=_ACCESSIBLE_S)
    except TimedOut:
        return role, name
    nodes = cast("list[Json]", answer["nodes"])
    return (_value(nodes[0].get("role")), _value(nodes[0].get("name"))) if nodes else (role, name)


def _value(field: object) -> str:
    value = field.get("value") if isinstance(field, dict) else None
    if not isinstance(value, str):
        return ""
    short = value if len(value) <= _MAX_TEXT else value[:_MAX_TEXT] + "…"
    # Pages may have halves of surrogate pairs, which JSON for others mustn't have.
    return short.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
