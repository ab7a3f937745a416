"""Objects of a page: found by a selector or a node's number, called, and read."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final

from jupyter_ac.browser.cdp import Json
from jupyter_ac.browser.page_urls import check_page
from jupyter_ac.browser.target import Target
from jupyter_ac.errors import AcError, BrowserError, InvalidParams, NotFound

MAX_SELECTOR: Final = 2000
MAX_REASON: Final = 2000

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


@asynccontextmanager
async def element_of(
    target: Target, selector: str | None, element: int | None
) -> AsyncIterator[str]:
    """Give the object id of an element until the block ends.

    Args:
        target: the page.
        selector: CSS, ` >>> ` leads into a shadow root; must match one element only.
        element: the backend node id of an element, in the place of a selector.

    Raises:
        InvalidParams: neither or both are given, the selector is wrong, or matches several.
        NotFound: no element matches, or it has gone.
        AccessDenied: it is a page of the browser's own.
    """
    if (selector is None) == (element is None):
        raise InvalidParams("Give either a selector or an element.")
    check_page(target.url)
    try:
        if element is not None:
            yield await _resolve(target, element)
        else:
            yield await _find(target, selector or "")
    finally:
        with suppress(AcError):
            await target.call("Runtime.releaseObjectGroup", {"objectGroup": _GROUP})


async def _resolve(target: Target, element: int) -> str:
    params = {"backendNodeId": element, "objectGroup": _GROUP}
    try:
        answer = await target.call("DOM.resolveNode", params)
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


async def call_on(
    target: Target, object_id: str, function: str, arguments: Sequence[object] = ()
) -> object:
    """Call a function of ours with an object as `this`; its result comes by value.

    Raises:
        BrowserError: it throws.
    """
    answer = await target.call(
        "Runtime.callFunctionOn",
        {
            "objectId": object_id,
            "functionDeclaration": function,
            "arguments": [{"value": value} for value in arguments],
            "returnByValue": True,
        },
    )
    return result_value(answer)


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
