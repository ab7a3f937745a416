"""Methods that find, start, watch and leave browsers and their pages; and the user's consent."""

from typing import TypedDict, cast

from jupyter_ac.browser_rows import BrowserStatus, BrowserTarget
from jupyter_ac.errors import AccessDenied, InvalidParams, NotConnected
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, CallRules, method
from jupyter_ac.services.browser.page_connection import PageConnection, PageFinder
from jupyter_ac.services.browser.watched_targets import OPEN, WatchedTargets
from jupyter_ac.services.state_feed.feed import content_hashes

_PAGE = "page"
_BLANK = "about:blank"
_LAUNCH_S = 90.0


class ConnectedPage(TypedDict):
    """The result of `connect`.

    Attributes:
        connected: true.
        title: of the page.
        url: of the page.
        already_connected: it was connected before, and nothing has changed.
    """

    connected: bool
    title: str
    url: str
    already_connected: bool


class DisconnectedPage(TypedDict):
    """The result of `disconnect`.

    Attributes:
        disconnected: true.
    """

    disconnected: bool


class PageList(TypedDict):
    """The pages of all browsers that are known."""

    pages: list[BrowserTarget]


class TargetList(TypedDict):
    """The targets of a browser, or of all that are known."""

    targets: list[BrowserTarget]


class LaunchedBrowser(TypedDict):
    """A browser that was started.

    Attributes:
        browser: its name, for `quit`.
        target: the id of its first page, which is watched.
        error: why the address could not be opened, such as net::ERR_CONNECTION_REFUSED.
    """

    browser: str
    target: str
    error: str | None


class GrantedActions(TypedDict):
    """What is allowed in a target now."""

    granted: list[str]


class ClearedRecords(TypedDict):
    """The result of `clear`.

    Attributes:
        cleared: `events`, `console`.
    """

    cleared: list[str]


class Succeeded(TypedDict):
    """It was done."""

    success: bool


class ConnectionMethods:
    """The page that seed 003's clients are connected to.

    Args:
        targets: the watched ones.
        page: the connection.
    """

    def __init__(self, targets: WatchedTargets, page: PageConnection) -> None:
        self._targets = targets
        self._page = page

    @method(Access.WRITE, rules=CallRules(changes_state=True))
    async def connect(self, page_id: str | None = None, page: int | None = None) -> ConnectedPage:
        """Connect to a page, by its id or by its position in `pages`; exactly one of them.

        Another page is disconnected first. Each new connection has the next epoch.
        """
        if (page_id is None) is (page is None):
            raise InvalidParams("Give either page_id or page.").as_fault()
        row, was_connected = await self._page.connect(_finder(self._targets, page_id, page))
        return {
            "connected": True,
            "title": row["title"],
            "url": row["url"],
            "already_connected": was_connected,
        }

    @method(
        Access.WRITE,
        rules=CallRules(requires_state=OPEN, trigger="start_disconnect", changes_state=True),
    )
    async def disconnect(self) -> DisconnectedPage:
        """Disconnect from the page, and forget what was recorded of it."""
        await self._page.disconnect()
        return {"disconnected": True}

    @method(Access.READ)
    async def pages(self) -> PageList:
        """List the pages of all known browsers; without any, that on port 9222 is tried."""
        return {"pages": await _pages(self._targets)}

    @method(Access.READ)
    async def status(self) -> BrowserStatus:
        """Return the state of the connection, as clients of the event stream get it."""
        state = self._page.state()
        return cast("BrowserStatus", {**state, **content_hashes(state)})

    @method(Access.WRITE)
    async def dismiss_errors(self) -> Succeeded:
        """Forget the last error of the connection."""
        self._page.dismiss_error()
        return {"success": True}


class TargetMethods:
    """Browsers and their targets, and the user's consent.

    Args:
        targets: the watched ones.
    """

    def __init__(self, targets: WatchedTargets) -> None:
        self._targets = targets

    @method(Access.READ)
    async def targets(self, endpoint: str = "") -> TargetList:
        """List tabs and service workers; `endpoint` adds a browser that runs already.

        `endpoint` is a port of this machine, `127.0.0.1:PORT`, or the WebSocket's address; the port
        must belong to the same user. The browser was started with `--remote-debugging-port=PORT`.
        """
        if endpoint and not await current_caller().peer.allows(Access.WRITE):
            raise AccessDenied("Attaching a browser needs write access.")
        return {"targets": await self._targets.list_all(endpoint)}

    @method(Access.EXECUTE)
    async def launch(
        self, url: str = "about:blank", headless: bool | None = None
    ) -> LaunchedBrowser:
        """Start Chromium, Chrome or Edge with an empty profile of its own, and watch its page.

        Without a window where there is no display, unless `headless` says otherwise. It ends with
        this server. Everything is allowed in it, without `grant`.
        """
        found = await self._targets.client.call(
            "launch", {"headless": headless, "url": url}, timeout_s=_LAUNCH_S
        )
        made = cast("LaunchedBrowser", found)
        await self._targets.watch(made["target"])
        if url != _BLANK:
            # After it is watched: what the page does first is recorded, too.
            opened = await self._targets.act(made["target"], "navigate", {"url": url}, _LAUNCH_S)
            error = opened.get("error") if isinstance(opened, dict) else None
            return {**made, "error": None if error is None else str(error)}
        return {**made, "error": None}

    @method(Access.EXECUTE)
    async def quit(self, browser: str) -> Succeeded:
        """End a browser that `launch` has started; one that runs on its own is only left."""
        await self._targets.client.call("quit", browser)
        return {"success": True}

    @method(Access.WRITE)
    async def watch(self, target: str) -> BrowserTarget:
        """Record what happens in a target: console, requests, errors."""
        return await self._targets.watch(target)

    @method(Access.WRITE)
    async def unwatch(self, target: str) -> Succeeded:
        """Stop to record a target, and forget what was recorded."""
        await self._targets.unwatch(target)
        return {"success": True}

    @method(Access.EXECUTE)
    async def grant(self, target: str, actions: list[str]) -> GrantedActions:
        """Set what is allowed in a target until it goes: `js`, `cdp`, `fetch`, `input`, `navigate`.

        For the user only: a tool or a panel must never call it. An empty list takes all back.
        """
        return {"granted": self._targets.grant(target, actions)}


async def _pages(targets: WatchedTargets) -> list[BrowserTarget]:
    return [row for row in await targets.list_all(seeks=True) if row["type"] == _PAGE]


def _finder(targets: WatchedTargets, page_id: str | None, page: int | None) -> PageFinder:
    async def find() -> str:
        rows = await targets.list_all(seeks=True)
        pages = [row for row in rows if row["type"] == _PAGE]
        if page_id is not None:
            if all(row["id"] != page_id for row in rows):
                raise NotConnected(f"There is no page {page_id[:100]!r}; list the pages again.")
            return page_id
        if page is None or not 0 <= page < len(pages):
            raise NotConnected(f"There is no page {page}; there are {len(pages)} pages.")
        return pages[page]["id"]

    return find
