"""Objects of a page: found by a selector or a node's number, called, and read."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final

from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.page_urls import check_page
from jupyter_ac.browser.selected_element import PageNode
from jupyter_ac.browser.target import Target
from jupyter_ac.errors import AcError, BrowserError, InvalidParams, NotFound, TimedOut

MAX_SELECTOR: Final = 2000
MAX_REASON: Final = 2000

ANSWER_S: Final = 4.0
"""How long a page may take to run what it is given, before it is said to hang."""

_RELEASE_S: Final = 1.0

_GROUP: Final = "jupyter-ac"

_FIND: Final = """((selector) => {
  let found = [document];
  for (const [index, part] of selector.split(' >>> ').entries()) {
    const roots = index ? found.map((node) => node.shadowRoot).filter(Boolean) : found;
    found = roots.flatMap((root) => [...root.querySelectorAll(part)]);
  }
  return found.length === 1 ? found[0] : found.length;
})"""
"""Finds the only element of a selector, or gives how many there are."""


@dataclass(frozen=True)
class PageObject:
    """An object of a page's scripts.

    Attributes:
        target: the page.
        session: of the page or of one of its frames.
        object_id: the browser's.
    """

    target: Target
    session: CdpSession
    object_id: str

    async def call(
        self,
        method: str,
        params: Mapping[str, object] | None = None,
        timeout_s: float | None = None,
    ) -> Json:
        """Send a command about it; see `Target.call`."""
        about = {"objectId": self.object_id, **(params or {})}
        return await self.target.call(method, about, timeout_s, session=self.session)

    async def run(self, function: str, arguments: Sequence[object] = ()) -> object:
        """Call a function of ours with it as `this`; the result comes by value.

        Raises:
            BrowserError: it throws.
        """
        params = {
            "functionDeclaration": function,
            "arguments": [{"value": value} for value in arguments],
            "returnByValue": True,
        }
        return result_value(await self.call("Runtime.callFunctionOn", params))


async def check_answers(target: Target, session: CdpSession | None = None) -> None:
    """Check that a page runs what it is given: a script of its own may run on and on.

    Args:
        target: the page.
        session: of one of its frames; None: its own.

    Raises:
        TimedOut: it doesn't, within `ANSWER_S`.
        Busy, NotConnected: see `Target.call`.
    """
    try:
        with suppress(BrowserError):  # between two documents
            await target.call("Runtime.evaluate", {"expression": "0"}, ANSWER_S, session=session)
    except TimedOut as error:
        raise TimedOut(
            f"The page hasn't answered for {ANSWER_S:g} s: its script runs on and on. Reloading or "
            "opening another address ends that script."
        ) from error


async def bring_to_front(target: Target) -> None:
    """Show a page's tab where nobody sees it: hidden ones aren't drawn, nor soon clicked in.

    In a window it stays where its user has it.

    Raises:
        BrowserError, Busy, NotConnected, TimedOut: see `Target.call`.
    """
    if target.link.row["is_headless"]:
        await target.call("Page.bringToFront")


@asynccontextmanager
async def element_of(
    target: Target, selector: str | None, node: PageNode | None
) -> AsyncIterator[PageObject]:
    """Give an element as an object until the block ends.

    Args:
        target: the page.
        selector: CSS, ` >>> ` leads into a shadow root; must match one element only.
        node: the element, in the place of a selector.

    Raises:
        InvalidParams: neither or both are given, the selector is wrong, or matches several.
        NotFound: no element matches, or it has gone.
        AccessDenied: it is a page of the browser's own.
        TimedOut: the page doesn't answer.
    """
    if (selector is None) == (node is None):
        raise InvalidParams("Give either a selector or an element.")
    check_page(target.url)
    session = target.session if node is None else node.session
    await check_answers(target, session)
    try:
        if node is not None:
            object_id = await _resolve(target, node)
        else:
            object_id = await _find(target, selector or "")
        yield PageObject(target, session, object_id)
    finally:
        with suppress(AcError):
            group = {"objectGroup": _GROUP}
            await target.call("Runtime.releaseObjectGroup", group, _RELEASE_S, session=session)


async def _resolve(target: Target, node: PageNode) -> str:
    params = {"backendNodeId": node.number, "objectGroup": _GROUP}
    try:
        answer = await target.call("DOM.resolveNode", params, session=node.session)
    except BrowserError as error:
        raise NotFound("This element is no longer in the page.") from error
    return _object_id(answer.get("object"))


async def _find(target: Target, selector: str) -> str:
    if len(selector) > MAX_SELECTOR:
        raise InvalidParams(f"A selector has at most {MAX_SELECTOR} characters.")
    expression = f"{_FIND}({json_text(selector)})"
    answer = await target.call(
        "Runtime.evaluate", {"expression": expression, "objectGroup": _GROUP}
    )
    if "exceptionDetails" in answer:
        raise InvalidParams(f"The selector {selector!r} is no CSS selector.")
    found = answer.get("result")
    count = found.get("value") if isinstance(found, dict) else None
    if count == 0:
        raise NotFound(f"No element of the page matches {selector!r}.")
    if isinstance(count, int):
        raise InvalidParams(f"{count} elements match {selector!r}; make it match one.")
    return _object_id(found)


def result_value(answer: Json) -> object:
    """Give the value of an answer.

    Raises:
        BrowserError: the code has thrown something; it has the description.
    """
    details = answer.get("exceptionDetails")
    if isinstance(details, dict):
        raise BrowserError("js", 0, exception_text(details))
    found = answer.get("result")
    fields = found if isinstance(found, dict) else {}
    if "value" in fields:
        return fields["value"]
    return fields.get("unserializableValue", fields.get("description"))


def exception_text(details: Json) -> str:
    """Describe what was thrown: an error with its stack, or any other value."""
    thrown = details.get("exception")
    fields = thrown if isinstance(thrown, dict) else {}
    text = fields.get("description") or fields.get("value") or details.get("text")
    return str(text if isinstance(text, str) else json_text(text))[:MAX_REASON]


def json_text(value: object) -> str:
    """Write a value so that it is an expression of JavaScript."""
    return json.dumps(value)  # in ASCII, so that half a surrogate pair gets through


def _object_id(value: object) -> str:
    found = value.get("objectId") if isinstance(value, dict) else None
    if not isinstance(found, str):
        raise NotFound("This element is no longer in the page.")
    return found
