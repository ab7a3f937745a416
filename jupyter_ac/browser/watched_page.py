"""All that is recorded of one watched target, and all that can be done with it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from jupyter_ac.browser.action_rows import InputRow, JsRow, WaitRow
from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.component_source import frame_of, placed
from jupyter_ac.browser.console_log import ConsoleLog
from jupyter_ac.browser.element_selection import ElementSelection
from jupyter_ac.browser.field_selection import evaluate
from jupyter_ac.browser.filters import Filters
from jupyter_ac.browser.har import har_entry, har_log
from jupyter_ac.browser.interception import Interception
from jupyter_ac.browser.masked_rows import masked_element, masked_page, masked_preview
from jupyter_ac.browser.network_log import NetworkLog, NetworkQuery
from jupyter_ac.browser.page_input import PageInput
from jupyter_ac.browser.page_navigation import PageNavigation
from jupyter_ac.browser.page_news import PageNews
from jupyter_ac.browser.page_redaction import PageRedactor
from jupyter_ac.browser.page_screenshot import screenshot
from jupyter_ac.browser.page_script import PageScript
from jupyter_ac.browser.raw_commands import run_command
from jupyter_ac.browser.recorded_rows import MessageRow, NetworkRow
from jupyter_ac.browser.request_details import request_details
from jupyter_ac.browser.row_ids import RowIds
from jupyter_ac.browser.selected_element import PageNode, SelectedElement
from jupyter_ac.browser.source_map_fetch import fetch_source_map
from jupyter_ac.browser.stack_mapping import FileLister, StackMapper
from jupyter_ac.browser.target import Taker, Target
from jupyter_ac.errors import Busy, InvalidParams
from jupyter_ac.version import __version__
from jupyter_ac.workers.wire import decoded_record

MAX_HAR: Final = 2000
"""Requests of an exported file; the newest."""

_TELLS_PAGE: Final = frozenset(
    {"page", "history", "reload", "back", "forward", "wait_for", "click", "type_text"}
)
"""Actions whose answers name the page: its address, its title, its dialog."""

_HELD_LOOK_S: Final = 0.1

Act: TypeAlias = Callable[..., Awaitable[object]]


class WatchedPage:
    """One watched target. Belongs to one event loop.

    Args:
        target: the connection to it.
        row_ids: for its requests and messages.
        filters: the repository's.
        list_files: gives the files of the repository.
        on_change: called when `state` has changed; returns at once.
    """

    def __init__(
        self,
        target: Target,
        row_ids: RowIds,
        filters: Filters,
        list_files: FileLister,
        on_change: Callable[[], None],
    ) -> None:
        self._target, self._filters, self._on_change = target, filters, on_change
        self._redactor = PageRedactor()
        self._requests = NetworkLog(row_ids, target=target.id, redactor=self._redactor)
        self._console = ConsoleLog(row_ids, target=target.id, redactor=self._redactor)
        self._elements = ElementSelection(target.session, on_change)
        self._interception = Interception(
            target.session,
            self._requests,
            on_change,
            is_headless=target.link.row["is_headless"],
        )
        self._mapper = StackMapper(list_files, self._source_map)
        self._news = PageNews(target, self._console, self._requests, self._redactor, self._mapper)
        self._script, self._input = PageScript(target), PageInput(target)
        self._actions: Mapping[str, Act] = {**self._reading(), **self._acting()}

    def takers(self, session: CdpSession) -> tuple[Taker, ...]:
        """Return what takes the events of one of the target's sessions."""
        session_id = session.session_id
        is_own = session is self._target.session
        if not is_own:
            self._elements.add_frame(session)
            self._interception.add_frame(session)
        frame = None if is_own else session_id

        def take(method: str, params: Json) -> None:
            self._requests.take(method, params, session_id)
            self._console.take(method, params, session_id)
            self._interception.take(method, params, frame)
            self._elements.take(method, params, frame)
            if method == "Target.detachedFromTarget":
                gone = str(params.get("sessionId"))
                self._elements.remove_frame(gone)
                self._interception.remove_frame(gone)
            self._on_change()

        return (take,)

    async def act(self, action: str, arguments: Json) -> object:
        """Do something with the target; the host has checked the arguments.

        Raises:
            AcError: as the action says.
        """
        act = self._actions.get(action)
        if act is None:
            raise InvalidParams(f"There is no action {action[:50]!r}.")
        answer = await act(**arguments)
        return masked_page(answer, self._redactor) if action in _TELLS_PAGE else answer

    def state(self) -> Json:
        """Return what clients are shown of it."""
        info = self._target.link.infos.get(self._target.id)
        fetch, elements = self._interception.status(), self._elements.status()
        groups = self._filters.status()
        return {
            "title": "" if info is None else self._redactor.text(info.title),
            "url": "" if info is None else self._redactor.url(info.url),
            "events": len(self._requests) + len(self._console),
            "errors": self._console.errors + self._requests.mark(),
            "fetch_enabled": fetch["enabled"],
            "response_stage": "response" in fetch["stages"],
            "paused_count": fetch["paused"],
            "inspect_active": elements["inspect_active"],
            "selections": {
                key: masked_preview(preview, self._redactor)
                for key, preview in elements["selections"].items()
            },
            "pending_count": elements["pending_count"],
            "problem": elements["problem"],
            "filters_enabled": [name for name, group in groups.items() if group["enabled"]],
            "filters_disabled": [name for name, group in groups.items() if not group["enabled"]],
        }

    async def aclose(self) -> None:
        """End all work; the target has gone or is left."""
        await self._interception.aclose()
        await self._elements.aclose()

    def _reading(self) -> dict[str, Act]:
        return {
            "clear": self._clear,
            "network": self._network,
            "request": self._request,
            "console": self._messages,
            "export_har": self._har,
            "news": self._news.read,
            "take_news": self._news.take,
            "start_inspect": self._elements.start,
            "stop_inspect": self._elements.stop,
            "clear_selections": self._clear_selections,
            "selection": self._selection,
        }

    def _acting(self) -> dict[str, Act]:
        target = self._target
        navigation, paused = PageNavigation(target), self._interception.paused

        async def picture(*, full: bool) -> object:
            return await screenshot(target, full=full)

        async def command(method: str, params: Json) -> object:
            return await run_command(target, method, params)

        async def rules() -> object:
            return dict(self._interception.rules)

        async def set_rules(rules: Json) -> object:
            await self._interception.set_rules(rules)
            return dict(self._interception.rules)

        def unless_held(navigate: Act) -> Act:
            return partial(self._unless_held, navigate)

        return {
            "fetch_enable": self._interception.enable,
            "fetch_disable": self._interception.disable,
            "fetch_resume": paused.resume,
            "fetch_fail": paused.fail,
            "fetch_fulfill": paused.fulfill,
            "get_rules": rules,
            "set_rules": set_rules,
            "navigate": unless_held(navigation.navigate),
            "reload": unless_held(navigation.reload),
            "back": unless_held(navigation.back),
            "forward": unless_held(navigation.forward),
            "history": navigation.history,
            "page": navigation.page,
            "js": self._js,
            "cdp": command,
            "click": self._click,
            "type_text": self._type_text,
            "wait_for": self._wait_for,
            "screenshot": picture,
            "handle_dialog": self._handle_dialog,
        }

    async def _unless_held(self, navigate: Act, **arguments: object) -> object:
        """Go to a document, as long as its request isn't paused: that may last for ever."""
        paused, frame = self._interception.paused, self._target.id
        before = paused.documents(frame)
        going = asyncio.ensure_future(navigate(**arguments))
        try:
            while not going.done():
                await asyncio.wait({going}, timeout=_HELD_LOOK_S)
                held = paused.documents(frame) - before
                if held and not going.done():
                    row = max(held)
                    raise Busy(f"The page waits for request {row}, which is paused; resume it.")
            return going.result()
        finally:
            going.cancel()

    async def _clear(self, *, events: bool, console: bool) -> Json:
        cleared: list[str] = []
        if events:
            self._requests.clear()
            cleared.append("events")
        if console:
            self._console.clear()
            await self._target.call("Runtime.discardConsoleEntries")
            cleared.append("console")
        return {"cleared": cleared}

    async def _network(self, **asked: object) -> dict[str, list[NetworkRow]]:
        query = replace(decoded_record(NetworkQuery, asked), hides=self._filters.hides)
        return {"requests": self._requests.rows(query)}

    async def _request(
        self, *, row_id: int, fields: list[str] | None, expr: str | None, reveal: bool
    ) -> Json:
        if expr and fields is None:
            fields = ["*"]
        record = self._requests.record(row_id)
        session = CdpSession(self._target.session.connection, record.session_id)
        redactor = None if reveal else self._redactor
        entry = await request_details(session, self._requests, row_id, fields, redactor)
        return {"entry": evaluate(expr, entry) if expr else entry}

    async def _messages(self, *, limit: int, level: str | None, reveal: bool) -> Json:
        rows: list[MessageRow] = self._console.rows(limit, level, reveal=reveal)
        for row in rows:
            if path := self._mapper.file_of(row.get("url", "")):
                row["path"] = path
        return {"messages": rows}

    async def _source_map(self, url: str) -> str | None:
        return await fetch_source_map(self._target.session, self._target.id, url)

    async def _har(self, *, reveal: bool) -> Json:
        entries = [har_entry(record) for record in list(self._requests.store)[-MAX_HAR:]]
        shown = entries if reveal else [self._redactor.entry(entry) for entry in entries]
        return har_log(shown, "jupyter-ac", __version__)

    async def _clear_selections(self) -> None:
        self._elements.clear()

    async def _selection(self, *, element_id: str) -> SelectedElement:
        element = self._elements.element(element_id)
        component = element["component"]
        if component is not None and component["file"]:
            (row,) = await self._mapper.map([frame_of(component)])
            element = {**element, "component": placed(component, row)}
        return masked_element(element, self._redactor)

    def _node(self, selection: object) -> PageNode | None:
        """Return a chosen element.

        Raises:
            NotFound: there is no such element (any more).
        """
        return None if selection in {None, ""} else self._elements.node(str(selection))

    async def _js(self, *, code: str, selection: object, **how: bool) -> JsRow:
        return await self._script.js(code, self._node(selection), **how)

    async def _click(self, selector: str, selection: object) -> InputRow:
        return await self._input.click(selector or None, self._node(selection))

    async def _type_text(
        self, *, text: str, selector: str, selection: object, replace: bool, press: str
    ) -> InputRow:
        node = self._node(selection)
        return await self._input.type_text(
            text, selector or None, node, replace=replace, press=press or None
        )

    async def _wait_for(self, selector: str, text: str, url: str, timeout_s: float) -> WaitRow:
        return await self._script.wait_for(selector or None, text or None, url or None, timeout_s)

    async def _handle_dialog(self, *, accept: bool, text: str) -> Json:
        await self._target.handle_dialog(accept=accept, text=text)
        return {"success": True}
