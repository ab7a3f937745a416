"""Takes a picture of a part of a page, of limited size."""

from collections.abc import Mapping, Sequence
from typing import Final, cast

from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.secret_fields import covered_fields
from jupyter_ac.browser.selected_element import ElementRect, ElementScreenshot
from jupyter_ac.errors import BrowserError, TimedOut

MAX_SIDE: Final = 800.0
"""Pixels; larger elements are shown smaller."""
MAX_CHARS: Final = 400_000
"""Of a picture in base64."""

_FORMATS: Final[tuple[Json, ...]] = ({"format": "png"}, {"format": "jpeg", "quality": 60})
_CAPTURE_S: Final = 5.0


async def capture(sessions: Sequence[CdpSession], rect: ElementRect) -> ElementScreenshot | None:
    """Take a picture of what is visible of an element; the page isn't scrolled or resized.

    What stands in fields of passwords is not in it.

    Args:
        sessions: of the page itself, then of its frames.
        rect: where the element is.

    Returns:
        None if nothing of it is visible, or no picture can be taken.
    """
    page = sessions[0]
    try:
        metrics = await page.call("Page.getLayoutMetrics")
        clip = _clip(rect, cast("Mapping[str, float]", metrics["cssVisualViewport"]))
        if clip is None:
            return None
        await page.call("Overlay.hideHighlight")
        async with covered_fields(sessions):
            for kind in _FORMATS:
                params = {**kind, "clip": clip}
                answer = await page.call("Page.captureScreenshot", params, timeout_s=_CAPTURE_S)
                data = str(answer["data"])
                if len(data) <= MAX_CHARS:
                    return ElementScreenshot(media_type=f"image/{kind['format']}", data=data)
    except (BrowserError, TimedOut):
        return None  # a tab in the background may never be drawn
    return None


def _clip(rect: ElementRect, viewport: Mapping[str, float]) -> Json | None:
    """Return the visible part, in the coordinates of the document; None if there is none."""
    left, top = max(rect["x"], 0.0), max(rect["y"], 0.0)
    width = min(rect["x"] + rect["width"], viewport["clientWidth"]) - left
    height = min(rect["y"] + rect["height"], viewport["clientHeight"]) - top
    if width < 1 or height < 1:
        return None
    return {
        "x": left + viewport["pageX"],
        "y": top + viewport["pageY"],
        "width": width,
        "height": height,
        "scale": min(1.0, MAX_SIDE / max(width, height)),
    }
