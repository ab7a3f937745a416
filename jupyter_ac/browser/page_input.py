"""Clicks and types in a page as a user does: by events of the mouse and the keyboard."""

import asyncio
from collections.abc import Sequence
from typing import Final

from jupyter_ac.browser.action_rows import InputRow
from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.element_reading import frame_owners
from jupyter_ac.browser.page_objects import (
    PageObject,
    bring_to_front,
    check_answers,
    element_of,
)
from jupyter_ac.browser.page_urls import check_page
from jupyter_ac.browser.selected_element import PageNode
from jupyter_ac.browser.target import Target
from jupyter_ac.errors import BrowserError, Busy, Conflict, InvalidParams

MAX_TEXT: Final = 100_000

KEYS: Final = {
    "Enter": (13, "\r"),
    "Tab": (9, ""),
    "Escape": (27, ""),
    "Backspace": (8, ""),
    "Delete": (46, ""),
    "ArrowLeft": (37, ""),
    "ArrowUp": (38, ""),
    "ArrowRight": (39, ""),
    "ArrowDown": (40, ""),
    "Home": (36, ""),
    "End": (35, ""),
    "PageUp": (33, ""),
    "PageDown": (34, ""),
}
"""The keys that can be pressed: the number that pages see, and the text that they write."""

HANDLE_S: Final = 1.0
"""How long a page may take to handle a click or a key, before it is looked whether it hangs."""

_SETTLE_S: Final = 0.05
_SETTLE_LOOKS: Final = 20
"""How often it is looked whether a frame of another process has come to rest after scrolling."""

_HIT: Final = """function (x, y) {
  if (this.ownerDocument.defaultView.frameElement) return '';  // other coordinates than the page's
  let hit = document.elementFromPoint(x, y);
  while (hit?.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  if (!hit || hit.contains(this)) return '';
  for (let node = hit; node; node = node.parentNode ?? node.host) if (node === this) return '';
  if ([...(this.labels ?? [])].some((label) => label.contains(hit))) return '';
  return `${hit.tagName.toLowerCase()}${hit.id ? '#' + hit.id : ''}`.slice(0, 100);
}"""
"""Gives what covers an element at a point, or nothing."""

_SELECT_ALL: Final = """function () {
  if (this.select) this.select();
  else this.ownerDocument.getSelection().selectAllChildren(this);
}"""


class PageInput:
    """The mouse and the keyboard of a watched page.

    Args:
        target: the page.
    """

    def __init__(self, target: Target) -> None:
        self._target = target

    async def click(self, selector: str | None = None, element: PageNode | None = None) -> InputRow:
        """Click on the middle of an element, after bringing it into view.

        Args:
            selector: CSS that matches one element; ` >>> ` leads into a shadow root.
            element: in the place of a selector; it may be in a frame.

        Raises:
            InvalidParams: neither or both are given, or the selector is wrong or matches several.
            NotFound: there is no such element.
            Conflict: it isn't visible, or something covers it.
            AccessDenied: it is a page of the browser's own.
            Busy: a dialog is open already.
            TimedOut: the page doesn't answer, or its script runs on and on after the click.
            NotConnected: the page has crashed or is gone.
        """
        async with element_of(self._target, selector, element) as found:
            await bring_to_front(self._target)
            x, y = await self._point(found)
            await self._mouse("mouseMoved", x, y, found)
            try:
                await self._mouse("mousePressed", x, y, found)
                await self._mouse("mouseReleased", x, y, found)
            except Busy:
                if self._target.dialog is None:
                    raise
        return {"done": True, "x": x, "y": y, "dialog": self._target.dialog}

    async def type_text(
        self,
        text: str,
        selector: str | None = None,
        element: PageNode | None = None,
        *,
        replace: bool = False,
        press: str | None = None,
    ) -> InputRow:
        """Type a text into an element, or where the focus is.

        Args:
            text: to be inserted at once, as by a paste.
            selector: as of `click`; None, like `element`: where the focus is.
            element: as of `click`.
            replace: in the place of what the element contains.
            press: a key to be pressed afterwards, such as Enter; see `KEYS`.

        Raises:
            InvalidParams: the key is unknown, the text too long, or the selector wrong.
            NotFound: there is no such element.
            Conflict: nothing can be typed into it.
            AccessDenied, Busy, NotConnected, TimedOut: see `click`.
        """
        if len(text) > MAX_TEXT:
            raise InvalidParams(f"The text has more than {MAX_TEXT} characters.")
        if press is not None and press not in KEYS:
            raise InvalidParams(f"The key is one of {', '.join(KEYS)}.")
        check_page(self._target.url)
        if selector is None and element is None:
            await check_answers(self._target)
            await self._insert(text, press, None)
        else:
            async with element_of(self._target, selector, element) as found:
                await self._focus(found)
                if replace:
                    await found.run(_SELECT_ALL)
                await self._insert(text, press, found)
        return {"done": True, "x": 0, "y": 0, "dialog": self._target.dialog}

    async def _point(self, element: PageObject) -> tuple[float, float]:
        """Bring an element into view, and give its middle in the coordinates of the page."""
        target = self._target
        if element.session is target.session:
            x, y = await self._middle(element)
            await self._check_hit(element, x, y)
            return x, y
        owners = await frame_owners(target.sessions, element.session)
        for owner in reversed(owners):
            await self._scroll(owner.session, {"backendNodeId": owner.number})
        before = None
        for _ in range(_SETTLE_LOOKS):  # frames of other processes scroll the page later
            point = await self._point_in_page(element, owners)
            if point == before:
                break
            before = point
            await asyncio.sleep(_SETTLE_S)
        return point

    async def _point_in_page(
        self, element: PageObject, owners: Sequence[PageNode]
    ) -> tuple[float, float]:
        x, y = await self._middle(element)
        await self._check_hit(element, x, y)
        for owner in owners:
            async with element_of(self._target, None, owner) as frame:
                left, top = _corner(await frame.call("DOM.getBoxModel"))
                x, y = x + left, y + top
                await self._check_hit(frame, x, y)
        return x, y

    async def _check_hit(self, element: PageObject, x: float, y: float) -> None:
        cover = await element.run(_HIT, (x, y))
        if cover:
            raise Conflict(f"The element is covered by {cover}.")

    async def _middle(self, element: PageObject) -> tuple[float, float]:
        await self._scroll(element.session, {"objectId": element.object_id})
        try:
            answer = await element.call("DOM.getContentQuads")
        except BrowserError as error:
            raise Conflict("The element isn't visible.") from error
        quads = answer.get("quads")
        for quad in quads if isinstance(quads, list) else []:
            if (middle := _middle_of(quad)) is not None:
                return middle
        raise Conflict("The element isn't visible.")

    async def _scroll(self, session: CdpSession, which: Json) -> None:
        try:
            await self._target.call("DOM.scrollIntoViewIfNeeded", which, session=session)
        except BrowserError as error:
            raise Conflict("The element isn't visible.") from error

    async def _focus(self, element: PageObject) -> None:
        try:
            await element.call("DOM.focus")
        except BrowserError as error:
            raise Conflict("Nothing can be typed into this element.") from error

    async def _insert(self, text: str, press: str | None, element: PageObject | None) -> None:
        try:
            if text:
                await self._send("Input.insertText", {"text": text}, element)
            if press is not None:
                await self._press(press, element)
        except Busy:
            if self._target.dialog is None:
                raise

    async def _press(self, key: str, element: PageObject | None) -> None:
        number, text = KEYS[key]
        params = {"key": key, "code": key, "windowsVirtualKeyCode": number}
        down = {"type": "keyDown" if text else "rawKeyDown", **({"text": text} if text else {})}
        await self._send("Input.dispatchKeyEvent", {**params, **down}, element)
        await self._send("Input.dispatchKeyEvent", {**params, "type": "keyUp"}, element)

    async def _mouse(self, kind: str, x: float, y: float, element: PageObject) -> None:
        is_move = kind == "mouseMoved"
        button = {} if is_move else {"button": "left", "clickCount": 1}
        params = {"type": kind, "x": x, "y": y, **button}
        await self._send("Input.dispatchMouseEvent", params, element)

    async def _send(self, method: str, params: Json, element: PageObject | None) -> None:
        """Send an event of the mouse or the keyboard, and wait until the page has handled it."""
        session = self._target.session
        if element is not None and not method.endswith("MouseEvent"):
            session = element.session
        sending = asyncio.ensure_future(self._target.call(method, params, session=session))
        try:
            await asyncio.wait({sending}, timeout=HANDLE_S)
            if not sending.done():  # slow, or its handler runs on and on?
                await check_answers(self._target, None if element is None else element.session)
            await sending
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)


def _corner(answer: Json) -> tuple[float, float]:
    """Give the upper left corner of what is inside the border of an iframe."""
    model = answer.get("model")
    content = model.get("content") if isinstance(model, dict) else None
    if not isinstance(content, list) or not content:
        raise Conflict("The element isn't visible.")
    numbers = [float(value) for value in content]
    return min(numbers[0::2]), min(numbers[1::2])


def _middle_of(quad: object) -> tuple[float, float] | None:
    """Give the middle of four corners; None if they enclose nothing."""
    numbers = [float(value) for value in quad] if isinstance(quad, list) else []
    xs, ys = numbers[0::2], numbers[1::2]
    if not ys or max(xs) - min(xs) < 1 or max(ys) - min(ys) < 1:
        return None
    return sum(xs) / len(xs), sum(ys) / len(ys)
