"""Runs the user's code in a page, and waits for what the page shows."""

import asyncio
import time
from contextlib import suppress
from fnmatch import fnmatchcase
from typing import Final

from jupyter_ac.browser.action_rows import JsRow, WaitRow
from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.page_objects import (
    MAX_SELECTOR,
    PageObject,
    check_answers,
    element_of,
    json_text,
    result_value,
)
from jupyter_ac.browser.page_urls import check_page
from jupyter_ac.browser.selected_element import PageNode
from jupyter_ac.browser.target import Target
from jupyter_ac.errors import AcError, BrowserError, InvalidParams, TimedOut, TooLarge

RUN_S: Final = 10.0
MAX_RUN_S: Final = 60.0
MAX_CODE: Final = 200_000
MAX_VALUE: Final = 1_000_000
"""Characters of a value's JSON."""

_LOOK_S: Final = 0.1
_END_S: Final = 1.0
_SHOWN_AS_TEXT: Final = frozenset({"node", "error", "promise", "proxy", "weakmap", "weakset"})
_TERMINATED: Final = "Execution was terminated"


class PageScript:
    """Runs code in a watched page.

    Args:
        target: the page.
    """

    def __init__(self, target: Target) -> None:
        self._target = target

    async def js(
        self,
        code: str,
        element: PageNode | None = None,
        *,
        persist: bool = False,
        await_promise: bool = False,
        return_value: bool = True,
        timeout_s: float = RUN_S,
    ) -> JsRow:
        """Run JavaScript in the page's main frame, or in that of an element.

        Args:
            code: statements, of which the last one's value counts; with `element`, or where `await`
                is used, either one expression or statements with a `return`.
            element: what the code finds as `element`; it may be in a frame.
            persist: what is declared stays for later calls; else only for this one.
            await_promise: wait for the promise that it gives.
            return_value: give the value.
            timeout_s: limit of the time; the code is ended then.

        Raises:
            BrowserError: the code throws; `message` has the description.
            InvalidParams: the code is too long.
            NotFound: the element has gone.
            AccessDenied: it is a page of the browser's own.
            TimedOut: it takes too long, or the page doesn't answer.
            TooLarge: its value is too large.
            Busy: a dialog is open, or was opened by the code.
            NotConnected: the page has crashed or is gone.
        """
        check_page(self._target.url)
        if len(code) > MAX_CODE:
            raise InvalidParams(f"The code has more than {MAX_CODE} characters.")
        limit_s = min(timeout_s, MAX_RUN_S)
        if element is None:
            await check_answers(self._target)
            expression = await self._expression(code, persist=persist, awaits=await_promise)
            answer = await self._evaluate(
                expression, limit_s, persist=persist, awaits=await_promise
            )
            session = self._target.session
            value = await self._value(answer, session, is_wanted=return_value)
        else:
            async with element_of(self._target, None, element) as found:
                answer = await self._call(code, found, limit_s, awaits=await_promise)
                value = await self._value(answer, found.session, is_wanted=return_value)
        return {"value": value, "executed": True}

    async def wait_for(
        self,
        selector: str | None = None,
        text: str | None = None,
        url: str | None = None,
        timeout_s: float = RUN_S,
    ) -> WaitRow:
        """Wait for an element, a text or an address of the page.

        Args:
            selector: CSS; one element is enough.
            text: that the page shows somewhere.
            url: of the page, with `*` and `?` for any characters.
            timeout_s: limit of the wait.

        Raises:
            InvalidParams: not exactly one of the three is given, or the selector is wrong.
            AccessDenied: it is a page of the browser's own.
            Busy: a dialog is open.
            NotConnected: the page has crashed or is gone.
        """
        if sum(value is not None for value in (selector, text, url)) != 1:
            raise InvalidParams("Give exactly one of selector, text and url.")
        check_page(self._target.url)
        expression = _condition(selector, text)
        start = time.monotonic()
        end = start + min(timeout_s, MAX_RUN_S)
        while True:
            found = await self._holds(expression, url, max(0.1, end - time.monotonic()))
            if found or time.monotonic() >= end:
                waited_ms = round((time.monotonic() - start) * 1000)
                return {"found": found, "waited_ms": waited_ms, "url": self._target.url}
            await asyncio.sleep(_LOOK_S)

    async def _expression(self, code: str, *, persist: bool, awaits: bool) -> str:
        if persist:
            return code
        if awaits and "await" in code:
            return f"(async () => {{\n{await self._body(code, 'async ')}\n}})()"
        if code.lstrip().startswith("{") and await self._compiles(f"(\n{code}\n)"):
            code = f"(\n{code}\n)"  # an object rather than a block
        # By `eval`, because only that gives the value of the last statement.
        return f"(() => eval({json_text(code)}))()"

    async def _body(self, code: str, kind: str) -> str:
        """Return the code as a function's body: an expression's value is what it returns."""
        is_expression = await self._compiles(f"({kind}() => (\n{code}\n))")
        return f"return (\n{code}\n);" if is_expression else code

    async def _compiles(self, expression: str) -> bool:
        params = {"expression": expression, "sourceURL": "", "persistScript": False}
        answer = await self._target.call("Runtime.compileScript", params)
        return "exceptionDetails" not in answer

    async def _evaluate(
        self, expression: str, limit_s: float, *, persist: bool, awaits: bool
    ) -> Json:
        params: Json = {
            "expression": expression,
            "awaitPromise": awaits,
            "replMode": persist,
            "userGesture": True,
            "timeout": round(limit_s * 1000),
        }
        try:
            return await self._run("Runtime.evaluate", params, limit_s, self._target.session)
        except BrowserError as error:
            if _TERMINATED in error.message:
                raise TimedOut(f"The code took longer than {limit_s:g} s.") from error
            raise

    async def _call(self, code: str, element: PageObject, limit_s: float, *, awaits: bool) -> Json:
        kind = "async " if awaits else ""
        body = await self._body(code, kind)
        params: Json = {
            "objectId": element.object_id,
            "functionDeclaration": f"{kind}function (element) {{\n{body}\n}}",
            "arguments": [{"objectId": element.object_id}],
            "awaitPromise": awaits,
            "userGesture": True,
        }
        return await self._run("Runtime.callFunctionOn", params, limit_s, element.session)

    async def _run(self, method: str, params: Json, limit_s: float, session: CdpSession) -> Json:
        """Run the user's code, and end it when it takes too long."""
        try:
            return await self._target.call(method, params, limit_s, session=session)
        except TimedOut as error:
            with suppress(AcError):
                await session.call("Runtime.terminateExecution", timeout_s=_END_S)
            raise TimedOut(f"The code took longer than {limit_s:g} s.") from error

    async def _value(self, answer: Json, session: CdpSession, *, is_wanted: bool) -> object:
        """Give a value as JSON, or in words where it has no sensible JSON."""
        value = result_value(answer)
        if not is_wanted:
            return None
        found = answer.get("result")
        fields = found if isinstance(found, dict) else {}
        object_id = fields.get("objectId")
        if isinstance(object_id, str):
            result = PageObject(self._target, session, object_id)
            try:
                if fields.get("type") == "object" and fields.get("subtype") not in _SHOWN_AS_TEXT:
                    with suppress(BrowserError):  # it contains itself
                        value = await result.run("function () { return this; }")
            finally:
                with suppress(AcError):
                    await result.call("Runtime.releaseObject")
        if len(json_text(value)) > MAX_VALUE:
            raise TooLarge(f"The value has more than {MAX_VALUE} characters; give a part of it.")
        return value

    async def _holds(self, expression: str, url: str | None, timeout_s: float) -> bool:
        params = {"expression": expression, "returnByValue": True}
        try:
            answer = await self._target.call("Runtime.evaluate", params, timeout_s)
        except (BrowserError, TimedOut):
            return False  # between two documents, or busy
        if "exceptionDetails" in answer:
            raise InvalidParams("The selector is no CSS selector.")
        found = result_value(answer)
        return fnmatchcase(str(found), url) if url is not None else found is True


def _condition(selector: str | None, text: str | None) -> str:
    if selector is not None:
        if len(selector) > MAX_SELECTOR:
            raise InvalidParams(f"A selector has at most {MAX_SELECTOR} characters.")
        return f"document.querySelector({json_text(selector)}) !== null"
    if text is not None:
        return f"(document.body?.innerText ?? '').includes({json_text(text[:MAX_SELECTOR])})"
    return "location.href"
