"""One connected browser: its connection, and a table of the targets that it has."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from jupyter_ac.browser.cdp import BROWSER, CdpConnection, Json
from jupyter_ac.browser.endpoints import find_endpoint
from jupyter_ac.browser.launcher import LaunchedBrowser, LaunchOptions, launch
from jupyter_ac.browser.popup_sessions import PopupSessions
from jupyter_ac.browser.port_owner import check_owner
from jupyter_ac.browser.target_rows import BrowserRow
from jupyter_ac.browser.transports import OPEN_S, open_socket
from jupyter_ac.errors import NotConnected

START_S: Final = 60.0
"""Time limit of the first answer of a browser that is starting, and of its first page."""

ANSWER_S: Final = 10.0
"""Time limit of the first answer of a browser that runs."""

CONSENT_S: Final = 60.0
"""Time that a user has to allow the connection, in a browser that asks for that."""

_LOOK_S: Final = 0.01

MAX_TARGETS: Final = 1000
"""Targets in the table; a browser that has more shows the first ones."""

LISTED_TYPES: Final = frozenset({"page", "service_worker", "shared_worker"})

_SHOWN: Final[list[Json]] = [{"type": name} for name in sorted(LISTED_TYPES)]
_HIDDEN_URLS: Final = ("devtools://", "chrome-extension://", "edge-extension://")
_MAX_TEXT: Final = 4096


@dataclass(frozen=True)
class TargetInfo:
    """What a browser says of a target.

    Attributes:
        target_id: the browser's id of it.
        type: page, iframe, worker, service_worker, …
        title: of its document.
        url: of its document.
        opener_id: of the page that opened it, or "".
    """

    target_id: str
    type: str
    title: str
    url: str
    opener_id: str

    @property
    def is_listed(self) -> bool:
        """Whether it is one that may be watched by itself."""
        return self.type in LISTED_TYPES and not self.url.startswith(_HIDDEN_URLS)

    @classmethod
    def parse(cls, value: object) -> "TargetInfo | None":
        """Read a `Target.TargetInfo`; None if it isn't one."""
        fields = value if isinstance(value, dict) else {}
        target_id = fields.get("targetId")
        if not isinstance(target_id, str) or not target_id:
            return None
        names = ("type", "title", "url", "openerId")
        texts = (str(fields.get(name) or "")[:_MAX_TEXT] for name in names)
        return cls(target_id, *texts)


EventListener: TypeAlias = Callable[["BrowserLink", str, Json], None]
"""Called with the link and an event of the browser itself, after the table is up to date."""


class BrowserLink:
    """A connection to a browser; made by `launch_browser` or `attach_browser`.

    Args:
        connection: started by this object.
        row: what is shown of the browser.
        on_event: gets the events of the browser itself.
        process: when the browser belongs to this process.

    Attributes:
        connection: to the browser.
        row: as above.
        infos: the targets by their ids.
        popups: the sessions of its pages, and what holds new ones.
    """

    def __init__(
        self,
        connection: CdpConnection,
        row: BrowserRow,
        on_event: EventListener,
        process: LaunchedBrowser | None = None,
    ) -> None:
        self.connection = connection
        self.row = row
        self.infos: dict[str, TargetInfo] = {}
        self.popups = PopupSessions(connection)
        self._on_event = on_event
        self._process = process

    async def start(self, timeout_s: float) -> None:
        """Ask for the browser's name and its targets.

        Args:
            timeout_s: limit of the first answer.

        Raises:
            NotConnected: the browser has ended.
            TimedOut: it doesn't answer.
            BrowserError: it refuses.
        """
        self.connection.listen(BROWSER, self._take)
        self.connection.start()
        version = await self.connection.call("Browser.getVersion", timeout_s=timeout_s)
        self.row["product"] = str(version.get("product", ""))[:200]
        if "Headless" in str(version.get("userAgent", "")):
            self.row["is_headless"] = True
        await self.connection.call(
            "Target.setDiscoverTargets", {"discover": True, "filter": _SHOWN}
        )

    async def refresh(self) -> None:
        """Ask for the targets' titles, whose changes browsers don't report; `infos` has them then.

        Raises:
            NotConnected: the browser has ended.
            TimedOut: it doesn't answer.
        """
        answer = await self.connection.call("Target.getTargets", {"filter": _SHOWN})
        found = answer.get("targetInfos")
        for info in map(TargetInfo.parse, found if isinstance(found, list) else []):
            if info is not None and info.target_id in self.infos:
                self.infos[info.target_id] = info

    def moved(self, target_id: str, url: str) -> None:
        """Take note of the new address of a page; browsers report it later to the table."""
        info = self.infos.get(target_id)
        if info is not None:
            self.infos[target_id] = replace(info, url=url[:_MAX_TEXT])

    async def wait_for_page(self) -> None:
        """Wait until a browser that is starting shows its first page.

        Raises:
            NotConnected: it ends before, or takes too long.
        """
        end = time.monotonic() + START_S
        while not any(info.type == "page" for info in self.infos.values()):
            if self.connection.is_closed or time.monotonic() > end:
                raise NotConnected("The browser shows no page.")
            await asyncio.sleep(_LOOK_S)

    async def last_words(self) -> str:
        """Return what a browser that has ended printed last, as the end of a sentence."""
        process = self._process
        line = "" if process is None else await asyncio.to_thread(process.last_line)
        return f"; it said: {line}" if line else "."

    async def aclose(self) -> None:
        """Close the connection; a browser that belongs to this process is ended."""
        await self.popups.aclose()
        await self.connection.aclose()
        if self._process is not None:
            await self._process.aclose()

    def _take(self, method: str, params: Json) -> None:
        if method in {"Target.targetCreated", "Target.targetInfoChanged"}:
            info = TargetInfo.parse(params.get("targetInfo"))
            if info is None or (info.target_id not in self.infos and self._is_full()):
                return
            self.infos[info.target_id] = info
        elif method == "Target.targetDestroyed":
            self.infos.pop(str(params.get("targetId")), None)
        elif method == "Target.attachedToTarget":
            self.popups.attached(params)
        elif method == "Target.detachedFromTarget":
            self.popups.detached(str(params.get("sessionId")))
        self._on_event(self, method, params)

    def _is_full(self) -> bool:
        return len(self.infos) >= MAX_TARGETS


async def launch_browser(
    browser_id: str, options: LaunchOptions, on_event: EventListener, on_close: Callable[[], None]
) -> BrowserLink:
    """Start a browser and connect to it.

    Args:
        browser_id: for its row.
        options: how it is started.
        on_event: see `BrowserLink`.
        on_close: called when the connection has ended.

    Raises:
        NotFound: there is no browser on this machine.
        NotConnected: it can't be started, or ends at once.
        TimedOut: it doesn't answer.
    """
    process = await launch(options)
    row: BrowserRow = {
        "id": browser_id,
        "kind": "launched",
        "product": "",
        "address": "",
        "is_headless": process.is_headless,
        "is_owner_checked": True,
    }
    connection = CdpConnection(process.transport, on_close)
    return await _started(BrowserLink(connection, row, on_event, process), START_S)


async def attach_browser(
    browser_id: str, address: str, on_event: EventListener, on_close: Callable[[], None]
) -> BrowserLink:
    """Connect to a browser that runs; parameters as above.

    Raises:
        InvalidParams: the address is none of this machine.
        AccessDenied: the port belongs to another user.
        NotConnected: no browser answers there.
        TimedOut: it doesn't answer.
    """
    endpoint = await find_endpoint(address)
    open_s = OPEN_S if endpoint.product else CONSENT_S
    transport = await open_socket(endpoint.socket_url, open_s)
    row: BrowserRow = {
        "id": browser_id,
        "kind": "attached",
        "product": endpoint.product,
        "address": endpoint.address,
        "is_headless": endpoint.is_headless,
        "is_owner_checked": endpoint.is_owner_checked,
    }
    return await _started(BrowserLink(CdpConnection(transport, on_close), row, on_event), ANSWER_S)


async def _started(link: BrowserLink, timeout_s: float) -> BrowserLink:
    try:
        if link.row["address"]:
            # The port may have changed hands since the first look.
            host, _, port = link.row["address"].rpartition(":")
            await asyncio.to_thread(check_owner, host.strip("[]"), int(port))
        await link.start(timeout_s)
        if link.row["kind"] == "launched":
            if link.row["is_headless"]:
                # Nobody would see the file, which any page could put into the user's folder.
                await link.connection.call("Browser.setDownloadBehavior", {"behavior": "deny"})
            await link.wait_for_page()
    except NotConnected as closed:
        said = await link.last_words()
        await link.aclose()
        raise NotConnected(f"The browser ended before it answered{said}") from closed
    except BaseException:
        await link.aclose()
        raise
    return link
