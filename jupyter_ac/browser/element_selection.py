"""Elements that the user picks in a page with the browser's own inspect mode.

A click in the page gives the browser's number of a node. What it is is read in tasks, one after the
other, so that the elements have the order of the clicks. Navigation ends the elements of the
document that has gone, also those that are still being read.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, cast

from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.element_reading import read_element
from jupyter_ac.browser.element_screenshot import capture
from jupyter_ac.browser.selected_element import (
    PageNode,
    SelectedElement,
    SelectionStatus,
    selected_element,
)
from jupyter_ac.errors import AcError, BrowserError, NotConnected, NotFound, TimedOut

log = logging.getLogger(__name__)

MAX_ELEMENTS: Final = 50
MAX_PENDING_ELEMENTS: Final = 10
READ_S: Final = 15.0
"""Limit of the time to read one element."""

_DOMAINS: Final = ("DOM", "Overlay")
_MAX_FRAME_CHANGES: Final = 1000
_HIGHLIGHT: Final[Json] = {
    "showInfo": True,
    "contentColor": {"r": 111, "g": 168, "b": 220, "a": 0.66},
    "paddingColor": {"r": 147, "g": 196, "b": 125, "a": 0.55},
    "borderColor": {"r": 255, "g": 229, "b": 153, "a": 0.66},
    "marginColor": {"r": 246, "g": 178, "b": 107, "a": 0.66},
}
_ON: Final[Json] = {"mode": "searchForNode", "highlightConfig": _HIGHLIGHT}
_OFF: Final[Json] = {"mode": "none", "highlightConfig": {}}


@dataclass(frozen=True)
class _Kept:
    element: SelectedElement
    session: CdpSession
    frame_ids: frozenset[str]


class ElementSelection:
    """The elements that are selected in one page.

    Args:
        session: of the page.
        on_change: called when `status` has changed; it must return at once.
    """

    def __init__(self, session: CdpSession, on_change: Callable[[], None] = lambda: None) -> None:
        self._sessions = [session]
        self._on_change = on_change
        self._is_active = False
        self._problem = ""
        self._last_id = 0
        self._kept: dict[str, _Kept] = {}
        self._reading = asyncio.Lock()
        self._pending: set[asyncio.Task[None]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._changes = 0
        self._changed_frames: dict[str, int] = {}

    async def start(self) -> None:
        """Switch inspect mode on: each click in the page selects an element.

        Raises:
            BrowserError: the browser refused it.
            TimedOut: the page is too busy.
            NotConnected: the page has gone.
        """
        self._is_active = True
        try:
            await self._switch_all()
        except AcError:
            self._is_active = False
            raise
        finally:
            self._on_change()

    async def stop(self) -> None:
        """Switch inspect mode off; the elements stay.

        Raises:
            BrowserError: the browser refused it.
            TimedOut: the page is too busy.
            NotConnected: the page has gone.
        """
        self._is_active = False
        self._on_change()
        await self._switch_all()

    def add_frame(self, session: CdpSession) -> None:
        """Also select in a frame that has a session of its own, because it is of another site."""
        self._sessions.append(session)
        if self._is_active:
            self._spawn(session)

    def remove_frame(self, session_id: str) -> None:
        """A frame's session has ended, and its elements with it."""
        self._sessions[1:] = [
            session for session in self._sessions[1:] if session.session_id != session_id
        ]
        self._drop(lambda kept: kept.session.session_id == session_id)

    def take(self, method: str, params: Json, session_id: str | None = None) -> None:
        """Handle an event of the page; returns at once.

        Args:
            method: its name.
            params: its parameters.
            session_id: of the frame that it comes from; None: the page itself.
        """
        session = self._session(session_id)
        if session is None:
            return
        if method == "Overlay.inspectNodeRequested":
            self._begin(session, params.get("backendNodeId"))
        elif method == "Overlay.inspectModeCanceled":
            self._is_active = False
            for each in self._sessions:
                self._spawn(each)
            self._on_change()
        elif method == "Page.frameNavigated":
            self._navigated(session, cast("Json", params.get("frame") or {}))
        elif method == "Page.frameDetached" and params.get("reason") != "swap":
            self._frame_changed(str(params.get("frameId")))
        elif method in {"Inspector.targetCrashed", "Inspector.detached"}:
            self._document_gone(session)

    def status(self) -> SelectionStatus:
        """Return what is selected."""
        return SelectionStatus(
            inspect_active=self._is_active,
            selections={key: kept.element["preview"] for key, kept in self._kept.items()},
            pending_count=len(self._pending),
            problem=self._problem,
        )

    def element(self, element_id: str) -> SelectedElement:
        """Return all that is known of an element.

        Raises:
            NotFound: there is no such element (any more).
        """
        return self._get(element_id).element

    def node(self, element_id: str) -> PageNode:
        """Return the element as a node, to be acted on.

        Raises:
            NotFound: there is no such element (any more).
        """
        kept = self._get(element_id)
        return PageNode(kept.session, kept.element["backend_node_id"])

    def clear(self) -> None:
        """Forget all elements, also those that are being read."""
        for task in self._pending:
            task.cancel()
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._pending.clear()
        self._kept.clear()
        self._changed_frames.clear()
        self._problem = ""
        self._on_change()

    async def aclose(self) -> None:
        """End all work; the page's inspect mode isn't switched off."""
        self._is_active = False
        self.clear()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _session(self, session_id: str | None) -> CdpSession | None:
        if session_id is None:
            return self._sessions[0]
        return next((each for each in self._sessions if each.session_id == session_id), None)

    def _get(self, element_id: str) -> _Kept:
        kept = self._kept.get(element_id)
        if kept is None:
            raise NotFound(f"There is no selected element {element_id}; select it in the page.")
        return kept

    async def _switch(self, session: CdpSession) -> None:
        """Bring a session's inspect mode in step with ours."""
        if self._is_active:
            await asyncio.gather(*(session.call(f"{name}.enable") for name in _DOMAINS))
        await session.call("Overlay.setInspectMode", _ON if self._is_active else _OFF)

    async def _switch_all(self) -> None:
        page, *frames = list(self._sessions)
        await asyncio.gather(self._switch(page), *(self._switch_if_there(each) for each in frames))

    async def _switch_if_there(self, session: CdpSession) -> None:
        """A frame may go at any time, and a worker has no elements."""
        try:
            await self._switch(session)
        except (BrowserError, TimedOut, NotConnected) as error:
            log.debug("the inspect mode can't be switched: %s", error)

    def _spawn(self, session: CdpSession) -> None:
        task = asyncio.create_task(self._switch_if_there(session))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _navigated(self, session: CdpSession, frame: Json) -> None:
        if frame.get("parentId"):
            self._frame_changed(str(frame.get("id")))
        elif session is self._sessions[0]:
            self._document_gone(session)
        if self._is_active:
            self._spawn(session)  # a new process doesn't know of it

    def _document_gone(self, session: CdpSession) -> None:
        if session is self._sessions[0]:
            self.clear()
        else:
            self._drop(lambda kept: kept.session is session)

    def _frame_changed(self, frame_id: str) -> None:
        """Drop the elements of a frame whose document has gone, now and when they are read."""
        self._changes += 1
        self._changed_frames.pop(frame_id, None)
        self._changed_frames[frame_id] = self._changes
        if len(self._changed_frames) > _MAX_FRAME_CHANGES:
            del self._changed_frames[next(iter(self._changed_frames))]
        self._drop(lambda kept: frame_id in kept.frame_ids)

    def _drop(self, is_gone: Callable[[_Kept], bool]) -> None:
        gone = [key for key, kept in self._kept.items() if is_gone(kept)]
        for key in gone:
            del self._kept[key]
        if gone:
            self._on_change()

    def _begin(self, session: CdpSession, backend_node_id: object) -> None:
        if not isinstance(backend_node_id, int):
            return
        if len(self._kept) + len(self._pending) >= MAX_ELEMENTS:
            self._problem = f"{MAX_ELEMENTS} elements are selected; clear the selection first."
        elif len(self._pending) >= MAX_PENDING_ELEMENTS:
            self._problem = "Too many elements are being read; wait, then click again."
        else:
            task = asyncio.create_task(self._add(session, backend_node_id, self._changes))
            self._pending.add(task)
            task.add_done_callback(self._ended)
        self._on_change()

    def _ended(self, task: asyncio.Task[None]) -> None:
        if task in self._pending:  # not cleared meanwhile
            self._pending.discard(task)
            self._on_change()

    async def _add(self, session: CdpSession, backend_node_id: int, changes: int) -> None:
        try:
            async with asyncio.timeout(READ_S), self._reading:
                reading = await read_element(list(self._sessions), session, backend_node_id)
                rect = reading.rect
                picture = None if rect is None else await capture(list(self._sessions), rect)
        except (AcError, TimeoutError) as error:
            self._problem = str(error) or "The page is too busy; try again when it answers."
            return
        if any(self._changed_frames.get(frame, 0) > changes for frame in reading.frame_ids):
            return
        if session not in self._sessions:
            return
        self._problem = ""
        key = self._key(session, backend_node_id)
        element = selected_element(key, backend_node_id, reading, picture)
        self._kept[key] = _Kept(element, session, reading.frame_ids)

    def _key(self, session: CdpSession, backend_node_id: int) -> str:
        """The id of an element: its own if it is selected already."""
        for key, kept in self._kept.items():
            if kept.session is session and kept.element["backend_node_id"] == backend_node_id:
                return key
        self._last_id += 1
        return str(self._last_id)
