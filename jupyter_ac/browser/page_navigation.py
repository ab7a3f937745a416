"""Goes to addresses, back and forward in a page, and tells what it shows."""

import asyncio
import time
from contextlib import suppress
from typing import Final

from jupyter_ac.browser.action_rows import (
    HistoryEntryRow,
    HistoryRow,
    HistoryStepRow,
    NavigateRow,
    PageRow,
    ReloadRow,
)
from jupyter_ac.browser.page_urls import check_address
from jupyter_ac.browser.target import Target
from jupyter_ac.errors import AcError, TimedOut

LOAD_S: Final = 30.0
"""How long a server may take to answer."""

STEP_S: Final = 10.0
"""How long a reload or a step in the history is waited for."""

DOCUMENT_S: Final = 5.0
"""How long a new document is waited for until it has been read."""

FREE_S: Final = 2.0
"""How long a page's script may take before it is ended, when the page is to be left."""

_END_S: Final = 1.0
_LOOK_S: Final = 0.02

_DOCUMENT: Final = """new Promise((resolve) => document.readyState === 'loading'
  ? addEventListener('DOMContentLoaded', () => resolve()) : resolve())"""

_MAX_ENTRIES: Final = 100
_MAX_TEXT: Final = 4096


class PageNavigation:
    """Navigates a watched page.

    Args:
        target: the page.
    """

    def __init__(self, target: Target) -> None:
        self._target = target

    async def navigate(self, url: str) -> NavigateRow:
        """Go to an address, and wait until its document has been read, as far as that is soon.

        Args:
            url: http, https or `about:blank`.

        Raises:
            InvalidParams: it is no complete address.
            AccessDenied: it is one that isn't allowed.
            Busy: a dialog is open; the page may ask whether it may be left.
            TimedOut: the server doesn't answer.
            NotConnected: the page is gone.
        """
        address = check_address(url)
        await self._free()
        navigated = self._target.expect_navigation()
        answer = await self._target.call(
            "Page.navigate", {"url": address}, LOAD_S, even_crashed=True
        )
        loader_id, error = answer.get("loaderId"), answer.get("errorText")
        if not error:
            with suppress(AcError):
                await navigated(DOCUMENT_S)  # it is answered before the document is there
            await self._wait_for_document()
        return {
            "frame_id": str(answer.get("frameId", "")),
            "loader_id": loader_id if isinstance(loader_id, str) else None,
            "error": error if isinstance(error, str) else None,
            "is_download": answer.get("isDownload") is True,
        }

    async def reload(self, *, ignore_cache: bool = False) -> ReloadRow:
        """Load the page again; a page that has crashed comes back by this.

        Args:
            ignore_cache: ask the server for everything.

        Raises:
            Busy: a dialog is open; the page may ask whether it may be left.
            NotConnected: the page is gone.
        """
        await self._free()
        navigated = self._target.expect_navigation()
        await self._target.call("Page.reload", {"ignoreCache": ignore_cache}, even_crashed=True)
        is_loaded = await navigated(STEP_S)
        await self._wait_for_document()
        return {"reloaded": is_loaded, "url": self._target.url}

    async def back(self) -> HistoryStepRow:
        """Go back to the entry before in the history."""
        return await self._step(-1)

    async def forward(self) -> HistoryStepRow:
        """Go forward to the next entry in the history."""
        return await self._step(1)

    async def history(self) -> HistoryRow:
        """List the page's history; at most the last 100 entries."""
        return await self._history()

    async def page(self) -> PageRow:
        """Tell what the page shows now."""
        shown = await self._history()
        row = self._target.row()
        current = shown["entries"][shown["current_index"]] if shown["entries"] else None
        return {
            "url": current["url"] if current is not None else row["url"],
            "title": current["title"] if current is not None else row["title"],
            "id": row["id"],
            "type": row["type"],
        }

    async def _step(self, by: int) -> HistoryStepRow:
        shown = await self._history()
        index = shown["current_index"] + by
        has_entry = 0 <= index < len(shown["entries"])
        if has_entry:
            await self._free()
            navigated = self._target.expect_navigation()
            entry = {"entryId": shown["entries"][index]["id"]}
            await self._target.call("Page.navigateToHistoryEntry", entry)
            await navigated(STEP_S)
            await self._wait_for_document()
            shown = await self._history()
            index = shown["current_index"]
        else:
            index = shown["current_index"]
        current = shown["entries"][index] if shown["entries"] else None
        return {
            "navigated": has_entry,
            "title": current["title"] if current is not None else "",
            "url": current["url"] if current is not None else "",
            "index": index,
            "total": len(shown["entries"]),
        }

    async def _free(self) -> None:
        """End a script that runs on and on: no page of its site could be shown after it."""
        with suppress(AcError):  # a dialog, a crash: said by what follows
            try:
                await self._target.call("Runtime.evaluate", {"expression": "1"}, FREE_S)
            except TimedOut:
                await self._target.session.call("Runtime.terminateExecution", timeout_s=_END_S)

    async def _wait_for_document(self) -> None:
        end = time.monotonic() + DOCUMENT_S
        while self._target.state == "crashed":  # a page that comes back is recorded first
            if time.monotonic() > end:
                return
            await asyncio.sleep(_LOOK_S)
        params = {"expression": _DOCUMENT, "awaitPromise": True}
        with suppress(AcError):  # a dialog, a page that is slow, or one that goes on elsewhere
            await self._target.call("Runtime.evaluate", params, DOCUMENT_S)

    async def _history(self) -> HistoryRow:
        answer = await self._target.call("Page.getNavigationHistory", even_crashed=True)
        found, current = answer.get("entries"), answer.get("currentIndex")
        entries = [
            _entry(value)
            for value in (found if isinstance(found, list) else [])
            if isinstance(value, dict)
        ]
        index = current if isinstance(current, int) else 0
        dropped = max(0, min(index, len(entries) - _MAX_ENTRIES))
        entries = entries[dropped : dropped + _MAX_ENTRIES]
        return {
            "entries": entries,
            "current_index": max(0, min(index - dropped, len(entries) - 1)),
        }


def _entry(value: dict[str, object]) -> HistoryEntryRow:
    entry_id = value.get("id")
    return {
        "id": entry_id if isinstance(entry_id, int) else 0,
        "url": str(value.get("url", ""))[:_MAX_TEXT],
        "title": str(value.get("title", ""))[:_MAX_TEXT],
    }
