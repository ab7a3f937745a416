"""All browsers and their targets: what there is, what is watched, and what becomes of it."""

import asyncio
import functools
import itertools
import logging
from collections.abc import Coroutine
from typing import Final

from jupyter_ac.browser.browser_link import BrowserLink, attach_browser, launch_browser
from jupyter_ac.browser.cdp import Json
from jupyter_ac.browser.launcher import LaunchOptions
from jupyter_ac.browser.target import MakeTakers, OnChange, Target, target_row
from jupyter_ac.browser.target_rows import BrowserRow, TargetChange, TargetRow
from jupyter_ac.errors import AcError, Busy, NotConnected, NotFound

log = logging.getLogger(__name__)

MAX_BROWSERS: Final = 4
MAX_WATCHED: Final = 100

_CLOSE_S: Final = 30.0


class Debugger:
    """Connections to browsers, and the targets that are watched.

    Belongs to one event loop.

    Args:
        on_change: told what happens; must return at once.
        make_takers: makes what takes the events of a new session, see `Target`.
    """

    def __init__(self, on_change: OnChange, make_takers: MakeTakers = lambda *_: ()) -> None:
        self._on_change = on_change
        self._make_takers = make_takers
        self._ids = itertools.count(1)
        self._links: dict[str, BrowserLink] = {}
        self._connecting = 0
        self._watched: dict[str, Target] = {}
        self._attaching: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False

    def browsers(self) -> list[BrowserRow]:
        """List the browsers that are connected."""
        return [link.row for link in self._links.values()]

    def targets(self) -> list[TargetRow]:
        """List the pages, service workers and shared workers of all browsers."""
        return [
            target_row(link, target_id, self._watched.get(target_id))
            for link in self._links.values()
            for target_id, info in link.infos.items()
            if info.is_listed or target_id in self._watched
        ]

    async def refresh(self) -> None:
        """Bring the titles up to date, for `targets`; a browser that doesn't answer is left out."""
        links = list(self._links.values())
        outcomes = await asyncio.gather(*(link.refresh() for link in links), return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, BaseException) and not isinstance(outcome, AcError):
                raise outcome

    def target(self, target_id: str) -> Target:
        """Give a target that is watched, crashed or not.

        Raises:
            NotConnected: it isn't watched.
        """
        target = self._watched.get(target_id)
        if target is None or target.state == "connecting":
            raise NotConnected("This page isn't watched.")
        return target

    async def launch(self, options: LaunchOptions | None = None) -> BrowserRow:
        """Start a browser with a private profile; it shows one empty page, which isn't watched.

        Raises:
            NotFound: there is no browser on this machine.
            NotConnected: it can't be started, or ends at once.
            TimedOut: it doesn't answer.
            Busy: as many browsers as are allowed are connected.
        """
        options = options or LaunchOptions()
        browser_id = str(next(self._ids))
        return await self._connect(
            browser_id,
            launch_browser(browser_id, options, self._take, lambda: self._on_closed(browser_id)),
        )

    async def attach(self, address: str) -> BrowserRow:
        """Connect to a browser of this user on this machine; the same address twice is one browser.

        Raises:
            InvalidParams: the address is none of this machine.
            AccessDenied: the port belongs to another user.
            NotConnected: no browser answers there.
            TimedOut: it doesn't answer.
            Busy: as many browsers as are allowed are connected.
        """
        browser_id = str(next(self._ids))
        return await self._connect(
            browser_id,
            attach_browser(browser_id, address, self._take, lambda: self._on_closed(browser_id)),
        )

    async def close_browser(self, browser_id: str) -> None:
        """Disconnect from a browser; one that we started is ended.

        Raises:
            NotFound: there is no such browser.
        """
        link = self._links.get(browser_id)
        if link is None:
            raise NotFound(f"No browser with the id {browser_id} is connected.")
        await self._unwatch_all(link)
        await link.aclose()

    async def watch(self, target_id: str) -> Target:
        """Attach to a target and record it from now on; popups that it opens are watched as well.

        Raises:
            NotFound: no browser has it.
            NotConnected, TimedOut, BrowserError: see `Target.attach`.
            Busy: as many targets as are allowed are watched.
        """
        attaching = self._attaching.get(target_id)
        if attaching is None:
            target = self._watched.get(target_id)
            if target is not None:
                return target
            attaching = self._start_attaching(target_id)
        # Not `shield`: that would pass on the cancellation by `unwatch` as if it were the caller's.
        await asyncio.wait({attaching})
        if attaching.cancelled():
            raise NotConnected("The page was unwatched while it was being connected.")
        attaching.result()
        return self.target(target_id)

    async def unwatch(self, target_id: str) -> None:
        """Detach from a target; one that isn't watched is left alone."""
        attaching = self._attaching.get(target_id)
        if attaching is not None:
            attaching.cancel()
            await asyncio.wait({attaching})
        target = self._watched.pop(target_id, None)
        if target is not None:
            await target.aclose()
            await self._hold_popups(target.link)

    async def aclose(self) -> None:
        """Detach from everything, and end the browsers that we started; bounded."""
        self._is_closed = True
        for link in list(self._links.values()):
            await self._unwatch_all(link)
        await asyncio.gather(*(link.aclose() for link in list(self._links.values())))
        if self._tasks:  # a browser that has ended may still be cleaned up after
            await asyncio.wait(self._tasks, timeout=_CLOSE_S)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connect(
        self, browser_id: str, connecting: Coroutine[object, object, BrowserLink]
    ) -> BrowserRow:
        if self._is_closed or len(self._links) + self._connecting >= MAX_BROWSERS:
            connecting.close()
            raise Busy(f"At most {MAX_BROWSERS} browsers can be connected; disconnect one first.")
        self._connecting += 1
        try:
            link = await connecting
        finally:
            self._connecting -= 1
        if link.connection.is_closed or self._is_closed:
            await link.aclose()
            raise NotConnected("The browser has ended.")
        twin = self._twin(link)
        if twin is not None:
            await link.aclose()
            return twin.row
        self._links[browser_id] = link
        link.popups.take_popup = functools.partial(self._take_popup, link)
        self._on_change(TargetChange("updated"))
        return link.row

    def _twin(self, link: BrowserLink) -> BrowserLink | None:
        """Find the browser at the same address."""
        address = link.row["address"]
        twins = (other for other in self._links.values() if other.row["address"] == address)
        return next(twins, None) if address else None

    def _on_closed(self, browser_id: str) -> None:
        """Take note that the connection to a browser has ended, whatever the reason."""
        link = self._links.pop(browser_id, None)
        if link is None:
            return
        for target in self._targets_of(link):
            self._watched.pop(target.id, None)
            target.end("browser_gone")
        self._spawn(link.aclose())
        self._on_change(TargetChange("updated"))

    def _targets_of(self, link: BrowserLink) -> list[Target]:
        return [target for target in self._watched.values() if target.link is link]

    async def _unwatch_all(self, link: BrowserLink) -> None:
        await asyncio.gather(*(self.unwatch(target.id) for target in self._targets_of(link)))

    def _start_attaching(self, target_id: str, session_id: str = "") -> asyncio.Task[None]:
        link = next((link for link in self._links.values() if target_id in link.infos), None)
        if link is None or not link.infos[target_id].is_listed:
            raise NotFound("No connected browser has this page.")
        if len(self._watched) >= MAX_WATCHED:
            raise Busy(f"At most {MAX_WATCHED} pages can be watched; unwatch one first.")
        target = Target(link, target_id, self._make_takers, self._on_change)
        self._watched[target_id] = target
        attaching = asyncio.get_running_loop().create_task(self._attach(target, session_id))
        # Who waits for it may be gone by the time it fails.
        attaching.add_done_callback(lambda task: task.cancelled() or task.exception())
        self._attaching[target_id] = attaching
        return attaching

    async def _attach(self, target: Target, session_id: str) -> None:
        try:
            await asyncio.gather(target.attach(session_id), self._hold_popups(target.link))
        except BaseException:
            if self._watched.get(target.id) is target:
                del self._watched[target.id]
            if session_id:
                target.link.popups.let_run(session_id)
            await target.aclose()
            self._spawn(self._hold_popups(target.link))
            raise
        finally:
            del self._attaching[target.id]

    def _take(self, link: BrowserLink, method: str, params: Json) -> None:
        """Take an event of a browser itself."""
        target_id = str(params.get("targetId", ""))
        if method == "Target.targetCreated":
            self._on_created(link, params)
        elif method == "Target.targetInfoChanged":
            self._on_change(TargetChange("updated"))
        elif method == "Target.targetDestroyed":
            self._end_target(link, target_id)
            self._on_change(TargetChange("updated"))
        elif method == "Target.detachedFromTarget":
            self._on_detached(link, str(params.get("sessionId", "")))
        elif method == "Target.targetCrashed":
            target = self._watched.get(target_id)
            if target is not None and target.link is link:
                target.end("crashed")

    def _on_created(self, link: BrowserLink, params: Json) -> None:
        """Watch a popup that the browser doesn't hold."""
        info = params.get("targetInfo")
        fields = info if isinstance(info, dict) else {}
        opener = self._watched.get(str(fields.get("openerId", "")))
        target_id = str(fields.get("targetId", ""))
        self._on_change(TargetChange("updated"))
        is_popup = opener is not None and opener.link is link
        if is_popup and not link.popups.is_holding and target_id not in self._watched:
            self._spawn(self._watch_popup(target_id))

    async def _watch_popup(self, target_id: str) -> None:
        try:
            await self.watch(target_id)
        except AcError as error:
            log.debug("a popup isn't watched: %s", error.message)

    async def _hold_popups(self, link: BrowserLink) -> None:
        """Have the browser hold popups as long as one of its pages is watched."""
        await link.popups.hold(lambda: bool(self._targets_of(link)))

    def _take_popup(self, link: BrowserLink, target_id: str, session_id: str, opener: str) -> bool:
        """Watch a page that is held, if it is a popup of a watched page."""
        parent = self._watched.get(opener)
        if parent is None or parent.link is not link or target_id in self._watched:
            return False
        try:
            self._start_attaching(target_id, session_id)
        except AcError as error:
            log.debug("a popup isn't watched: %s", error.message)
            return False
        return True

    def _on_detached(self, link: BrowserLink, session_id: str) -> None:
        for target in self._targets_of(link):
            if target.session.session_id == session_id:
                self._end_target(link, target.id)

    def _end_target(self, link: BrowserLink, target_id: str) -> None:
        target = self._watched.get(target_id)
        if target is None or target.link is not link:
            return
        if target_id not in self._attaching:  # else who attaches finds out, and removes it
            del self._watched[target_id]
        target.end("closed")
        self._spawn(self._hold_popups(link))

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
