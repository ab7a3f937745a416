"""Reads which component of a web framework made an element, and where its code is.

React, Vue, Svelte, Angular, Astro and Qwik leave it on the elements of their development builds, as
properties that only the page's own world has, or as attributes. The page decides what is there, so
that it is a hint: texts are limited, and nothing of it is run here.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.cdp_values import clip, object_of, text_of, whole_of
from jupyter_ac.browser.selected_element import ComponentSource
from jupyter_ac.browser.stack_frames import StackFrame
from jupyter_ac.browser.stack_mapping import FrameRow
from jupyter_ac.errors import BrowserError, TimedOut

MAX_TEXT: Final = 4000
MAX_STEPS: Final = 60
"""Of the way up through elements and components."""

_MAX_NAME: Final = 200
_MAX_FILE: Final = 1000
_READ_S: Final = 2.0
_LIMITS: Final[Json] = {"text": MAX_TEXT, "steps": MAX_STEPS}
_PLACE: Final = re.compile(r"(?P<file>.*?)(?::(?P<line>\d{1,9}))?(?::(?P<column>\d{1,9}))?")
_FRAME: Final = re.compile(
    r"\s*at (?:(?P<name>[^()\n]{1,200}) )?"
    r"\(?(?P<url>[^()\s]+):(?P<line>\d{1,9}):(?P<column>\d{1,9})\)?"
)
_OWN_FRAMES: Final = ("react-stack-top-frame", "jsx-dev-runtime", "jsx-runtime", "node_modules")
"""What stands in frames of React itself, or of a library."""


async def read_component(session: CdpSession, backend_node_id: int) -> ComponentSource | None:
    """Return what a framework tells of an element; None if it tells nothing.

    Args:
        session: in which the element is.
        backend_node_id: the browser's number of its node.

    Raises:
        NotConnected: the page or the browser has gone.
    """
    group = f"jupyter_ac-component-{backend_node_id}"
    try:
        resolved = await session.call(
            "DOM.resolveNode", {"backendNodeId": backend_node_id, "objectGroup": group}, _READ_S
        )
        answer = await session.call(
            "Runtime.callFunctionOn",
            {
                "objectId": object_of(resolved.get("object")).get("objectId"),
                "functionDeclaration": _script(),
                "arguments": [{"value": _LIMITS}],
                "returnByValue": True,
                "silent": True,
            },
            _READ_S,
        )
        await session.call("Runtime.releaseObjectGroup", {"objectGroup": group}, _READ_S)
    except (BrowserError, TimedOut):
        return None
    return component_of(object_of(answer.get("result")).get("value"))


def component_of(value: object) -> ComponentSource | None:
    """Return what the script in the page has found, checked."""
    read = object_of(value)
    file, line, column = (
        text_of(read.get("file"), _MAX_FILE),
        whole_of(read.get("line")),
        whole_of(read.get("column")),
    )
    if place := text_of(read.get("place"), _MAX_FILE):
        file, line, column = _place(place)
    elif frame := _first_frame(text_of(read.get("stack"), MAX_TEXT)):
        file, line, column = frame.url, frame.line, frame.column
    name = text_of(read.get("name"), _MAX_NAME).lstrip("_")
    if not name and not file:
        return None
    return ComponentSource(
        framework=text_of(read.get("framework")),
        name=name,
        file=file,
        path="",
        line=max(0, line),
        column=max(0, column),
    )


def frame_of(source: ComponentSource) -> StackFrame:
    """Return the place as a frame of a stack, to be mapped to a file of the repository."""
    return StackFrame(source["name"], source["file"], source["line"], source["column"])


def placed(source: ComponentSource, row: FrameRow) -> ComponentSource:
    """Return it with its place in the repository, if the mapped frame has one."""
    if not row["path"]:
        return source
    return {**source, "path": row["path"], "line": row["line"], "column": row["column"]}


def _place(text: str) -> tuple[str, int, int]:
    """Split `file:line:column`; a path may have colons itself."""
    match = _PLACE.fullmatch(text)
    if match is None:
        return clip(text, _MAX_FILE), 0, 0
    return match["file"], int(match["line"] or 0), int(match["column"] or 0)


def _first_frame(stack: str) -> StackFrame | None:
    """Return the place in the application at which React 19 was told to make the element."""
    for line in stack.splitlines():
        match = _FRAME.fullmatch(line)
        if match is None or any(mark in line for mark in _OWN_FRAMES):
            continue
        if (match["name"] or "").rpartition(".")[2] in {"jsxDEV", "jsx", "jsxs", "createElement"}:
            continue
        return StackFrame(
            match["name"] or "",
            clip(match["url"], _MAX_FILE),
            int(match["line"]),
            int(match["column"]),
        )
    return None


@cache
def _script() -> str:
    """Without the comment at its beginning: the browser wants a function."""
    text = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
    return text[text.index("function component") :]
