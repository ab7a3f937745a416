"""Clicks and types in a page as a user does: by events of the mouse and the keyboard."""

from typing import Final

from jupyter_ac.browser.action_rows import InputRow
from jupyter_ac.browser.page_objects import call_on, element_of
from jupyter_ac.browser.page_urls import check_page
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

    async def click(self, selector: str | None = None, element: int | None = None) -> InputRow:
        """Click on the middle of an element, after bringing it into view.

        Args:
            selector: CSS that matches one element; ` >>> ` leads into a shadow root.
            element: the backend node id of an element, in the place of a selector.

        Raises:
            InvalidParams: neither or both are given, or the selector is wrong or matches several.
            NotFound: there is no such element.
            Conflict: it isn't visible, or something covers it.
            AccessDenied: it is a page of the browser's own.
            Busy: a dialog is open already.
            NotConnected: the page has crashed or is gone.
        """
        async with element_of(self._target, selector, element) as object_id:
            x, y = await self._middle(object_id)
            cover = await call_on(self._target, object_id, _HIT, (x, y))
            if cover:
                raise Conflict(f"The element is covered by {cover}.")
            await self._mouse("mouseMoved", x, y)
            try:
                await self._mouse("mousePressed", x, y)
                await self._mouse("mouseReleased", x, y)
            except Busy:
                if self._target.dialog is None:
                    raise
        return {"done": True, "x": x, "y": y, "dialog": self._target.dialog}

    async def type_text(
        self,
        text: str,
        selector: str | None = None,
        element: int | None = None,
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
            AccessDenied, Busy, NotConnected: see `click`.
        """
        if len(text) > MAX_TEXT:
            raise InvalidParams(f"The text has more than {MAX_TEXT} characters.")
        if press is not None and press not in KEYS:
            raise InvalidParams(f"The key is one of {', '.join(KEYS)}.")
        check_page(self._target.url)
        if selector is None and element is None:
            await self._insert(text, press)
        else:
            async with element_of(self._target, selector, element) as object_id:
                await self._focus(object_id)
                if replace:
                    await call_on(self._target, object_id, _SELECT_ALL)
                await self._insert(text, press)
        return {"done": True, "x": 0, "y": 0, "dialog": self._target.dialog}

    async def _middle(self, object_id: str) -> tuple[float, float]:
        which = {"objectId": object_id}
        try:
            await self._target.call("DOM.scrollIntoViewIfNeeded", which)
            answer = await self._target.call("DOM.getContentQuads", which)
        except BrowserError as error:
            raise Conflict("The element isn't visible.") from error
        quads = answer.get("quads")
        for quad in quads if isinstance(quads, list) else []:
            if (middle := _middle_of(quad)) is not None:
                return middle
        raise Conflict("The element isn't visible.")

    async def _focus(self, object_id: str) -> None:
        try:
            await self._target.call("DOM.focus", {"objectId": object_id})
        except BrowserError as error:
            raise Conflict("Nothing can be typed into this element.") from error

    async def _insert(self, text: str, press: str | None) -> None:
        try:
            if text:
                await self._target.call("Input.insertText", {"text": text})
            if press is not None:
                await self._press(press)
        except Busy:
            if self._target.dialog is None:
                raise

    async def _press(self, key: str) -> None:
        number, text = KEYS[key]
        params = {"key": key, "code": key, "windowsVirtualKeyCode": number}
        down = {"type": "keyDown" if text else "rawKeyDown", **({"text": text} if text else {})}
        await self._target.call("Input.dispatchKeyEvent", {**params, **down})
        await self._target.call("Input.dispatchKeyEvent", {**params, "type": "keyUp"})

    async def _mouse(self, kind: str, x: float, y: float) -> None:
        is_move = kind == "mouseMoved"
        button = {} if is_move else {"button": "left", "clickCount": 1}
        params = {"type": kind, "x": x, "y": y, **button}
        await self._target.call("Input.dispatchMouseEvent", params)


def _middle_of(quad: object) -> tuple[float, float] | None:
    """Give the middle of four corners; None if they enclose nothing."""
    numbers = [float(value) for value in quad] if isinstance(quad, list) else []
    xs, ys = numbers[0::2], numbers[1::2]
    if not ys or max(xs) - min(xs) < 1 or max(ys) - min(ys) < 1:
        return None
    return sum(xs) / len(xs), sum(ys) / len(ys)
