"""Pictures of a page, of bounded size, without what stands in fields of passwords."""

import asyncio
import base64
import struct
import time
from dataclasses import dataclass
from typing import Final

from jupyter_ac.browser.action_rows import ScreenshotRow
from jupyter_ac.browser.cdp import Json
from jupyter_ac.browser.page_objects import bring_to_front, check_answers
from jupyter_ac.browser.secret_fields import covered_fields
from jupyter_ac.browser.target import Target
from jupyter_ac.errors import BrowserError, InvalidParams, TimedOut, TooLarge

MAX_SIDE: Final = 1568
"""Pixels of a picture's longer side: models see no more."""

MAX_BYTES: Final = 4_000_000

MAX_PAGE_HEIGHT: Final = 16_384
"""CSS pixels of a whole page; browsers draw no more."""

SHOT_S: Final = 20.0

_AFTER_S: Final = 1.0
"""How long a picture may take after the page has gone on, before it is asked for again."""

_LOOK_S: Final = 0.05
_CAPTURE: Final = "Page.captureScreenshot"
_JPEG_QUALITY: Final = 80
_PNG_HEAD: Final = struct.Struct(">16xII")
_PNG: Final = "image/png"
_JPEG: Final = "image/jpeg"


@dataclass(frozen=True)
class Clip:
    """A part of a page, in CSS pixels from the document's upper left corner.

    Attributes:
        x: of its left side.
        y: of its upper side.
        width: above 0.
        height: above 0.
    """

    x: float
    y: float
    width: float
    height: float


async def screenshot(
    target: Target, *, full: bool = False, clip: Clip | None = None, max_side: int = MAX_SIDE
) -> ScreenshotRow:
    """Take a picture of what a page shows, of the whole page, or of a part.

    Args:
        target: the page.
        full: the whole page rather than what the window shows.
        clip: the part; `full` doesn't count then.
        max_side: pixels of the longer side at most; larger pictures are made smaller.

    Raises:
        InvalidParams: the part is empty.
        BrowserError: the browser can't draw it.
        TooLarge: the file would be too large.
        Busy: a dialog is open.
        TimedOut: the page doesn't answer, or doesn't draw; its tab may be hidden.
        NotConnected: the page has crashed or is gone.
    """
    await check_answers(target)
    await bring_to_front(target)
    part = clip or await _shown(target, full=full)
    is_cut = part.height > MAX_PAGE_HEIGHT
    part = Clip(part.x, part.y, part.width, min(part.height, MAX_PAGE_HEIGHT))
    if part.width <= 0 or part.height <= 0:
        raise InvalidParams("This part of the page is empty.")
    side = max(16, min(max_side, MAX_SIDE))
    scale = min(1.0, side / max(part.width, part.height))
    params: Json = {
        "clip": {
            "x": part.x,
            "y": part.y,
            "width": part.width,
            "height": part.height,
            "scale": scale,
        },
        "captureBeyondViewport": full or clip is not None,
    }
    async with covered_fields(target.sessions):
        data, mime_type = await _capture(target, params)
    width, height = _size(data) or (round(part.width * scale), round(part.height * scale))
    return {
        "data": data,
        "mime_type": mime_type,
        "width": width,
        "height": height,
        "is_cut": is_cut,
    }


async def _shown(target: Target, *, full: bool) -> Clip:
    """Give where the page is, once it is anywhere: between two documents it has no size."""
    end = time.monotonic() + SHOT_S
    while True:
        metrics = await target.call("Page.getLayoutMetrics")
        part = _rectangle(metrics.get("cssContentSize" if full else "cssVisualViewport"))
        if (part.width > 0 and part.height > 0) or time.monotonic() > end:
            return part
        await asyncio.sleep(_LOOK_S)


async def _capture(target: Target, params: Json) -> tuple[str, str]:
    formats: tuple[tuple[str, Json], ...] = (
        (_PNG, {"format": "png"}),
        (_JPEG, {"format": "jpeg", "quality": _JPEG_QUALITY}),
    )
    for mime_type, how in formats:
        answer = await _shot(target, {**params, **how})
        data = answer.get("data")
        if not isinstance(data, str) or not data:
            raise BrowserError(_CAPTURE, 0, "no picture")
        if len(data) * 3 / 4 <= MAX_BYTES:
            return data, mime_type
    raise TooLarge("The picture is too large; take a part of the page.")


async def _shot(target: Target, params: Json) -> Json:
    """Ask for a picture, and again when the page goes on: browsers don't answer then."""
    end = time.monotonic() + SHOT_S
    while True:
        left_s = max(_AFTER_S, end - time.monotonic())
        navigated = asyncio.ensure_future(target.expect_navigation()(left_s))
        shot = asyncio.ensure_future(target.call(_CAPTURE, params, left_s))
        try:
            await asyncio.wait({shot, navigated}, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait({shot}, timeout=_AFTER_S)
            if shot.done():
                return shot.result()
        finally:
            shot.cancel()
            navigated.cancel()
            await asyncio.gather(shot, navigated, return_exceptions=True)
        if time.monotonic() > end:
            raise TimedOut(f"The browser didn't answer {_CAPTURE} within {SHOT_S:g} s.")


def _rectangle(value: object) -> Clip:
    fields = value if isinstance(value, dict) else {}

    def number(*names: str) -> float:
        found = next((fields[name] for name in names if name in fields), 0)
        return float(found) if isinstance(found, int | float) else 0.0

    return Clip(
        number("pageX", "x"),
        number("pageY", "y"),
        number("clientWidth", "width"),
        number("clientHeight", "height"),
    )


def _size(data: str) -> tuple[int, int] | None:
    """Read the size of a PNG file."""
    head = base64.b64decode(data[:32])
    if not head.startswith(b"\x89PNG"):
        return None
    width, height = _PNG_HEAD.unpack_from(head)
    return width, height
