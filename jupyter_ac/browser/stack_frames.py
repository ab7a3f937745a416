"""Frames of a page's stack."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from jupyter_ac.browser.cdp_values import items_of, object_of, text_of, whole_of

MAX_FRAMES: Final = 20
MAX_URL: Final = 2000
MAX_PARENTS: Final = 3
"""How many of the stacks before asynchronous calls are read."""


@dataclass(frozen=True, slots=True)
class StackFrame:
    """A place in a script.

    Attributes:
        function: its name; "" at the top of a script.
        url: of the script.
        line: the first is 1.
        column: the first is 1.
    """

    function: str
    url: str
    line: int
    column: int


def frames_of(stack: object) -> tuple[StackFrame, ...]:
    """Read a stack of the browser, with those before its asynchronous calls."""
    frames: list[StackFrame] = []
    for call in _calls(stack):
        frame = object_of(call)
        place = frame_at(frame)
        if place is not None:
            frames.append(place)
        if len(frames) == MAX_FRAMES:
            break
    return tuple(frames)


def frame_at(place: object) -> StackFrame | None:
    """Read a place: a call frame, or details with a URL and a line; None without a URL."""
    values = object_of(place)
    url = text_of(values.get("url"), MAX_URL)
    if not url:
        return None
    return StackFrame(
        text_of(values.get("functionName")),
        url,
        max(0, whole_of(values.get("lineNumber"))) + 1,
        max(0, whole_of(values.get("columnNumber"))) + 1,
    )


def _calls(stack: object) -> Iterator[object]:
    for _ in range(MAX_PARENTS + 1):
        values = object_of(stack)
        yield from items_of(values.get("callFrames"))[:MAX_FRAMES]
        stack = values.get("parent")
        if not isinstance(stack, dict):
            return
