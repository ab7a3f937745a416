"""Methods that read what was recorded of a page: requests, console messages, news."""

from typing import TypedDict, cast

from jupyter_ac.browser.recorded_rows import MessageRow, NetworkRow, News
from jupyter_ac.errors import AccessDenied
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, CallRules, method
from jupyter_ac.services.browser.connection import ClearedRecords
from jupyter_ac.services.browser.watched_targets import OPEN, WatchedTargets

_READS = CallRules(requires_state=OPEN)


class RequestList(TypedDict):
    """Rows of requests."""

    requests: list[NetworkRow]


class RequestEntry(TypedDict):
    """One request, with the fields that were asked for."""

    entry: object


class MessageList(TypedDict):
    """Messages of the console."""

    messages: list[MessageRow]


class RecordingMethods:
    """What was recorded. Cookies, tokens and passwords are masked, unless a person asks for them.

    Args:
        targets: the watched ones.
    """

    def __init__(self, targets: WatchedTargets) -> None:
        self._targets = targets

    @method(Access.WRITE, rules=CallRules(requires_state=OPEN, changes_state=True))
    async def clear(
        self, events: bool = True, console: bool = False, target: str = ""
    ) -> ClearedRecords:
        """Forget recorded requests (`events`), or messages (`console`), also the browser's own."""
        arguments = {"events": events, "console": console}
        return cast("ClearedRecords", await self._targets.act(target, "clear", arguments))

    @method(Access.READ, rules=_READS)
    async def network(
        self,
        limit: int = 50,
        status: int | None = None,
        method: str | None = None,
        resource_type: str | None = None,
        url: str | None = None,
        state: str | None = None,
        show_all: bool = False,
        order: str = "desc",
        reveal: bool = False,
        target: str = "",
    ) -> RequestList:
        """List requests: the newest first, without those that filters hide.

        `url` may have `*`; `state` is pending, loading, complete, failed or paused (of a WebSocket
        connecting, open or closed); `order` is `desc` or `asc`. `reveal` shows tokens in addresses.
        """
        arguments = {
            "limit": limit,
            "status": status,
            "method": method,
            "resource_type": resource_type,
            "url": url,
            "state": state,
            "show_all": show_all,
            "order": order,
            "reveal": await _may_reveal(reveal),
        }
        return cast("RequestList", await self._targets.act(target, "network", arguments))

    @method(Access.READ, rules=_READS)
    async def request(
        self,
        id: int,
        fields: list[str] | None = None,
        expr: str | None = None,
        reveal: bool = False,
        target: str = "",
    ) -> RequestEntry:
        """Return one request in the shape of HAR, with the fields asked for.

        `fields` are dotted paths (`request.headers.*`, `response.content`; `["*"]` is all but
        bodies); `expr` is a JMESPath expression on the entry.
        """
        arguments = {
            "row_id": id,
            "fields": fields,
            "expr": expr,
            "reveal": await _may_reveal(reveal),
        }
        return cast("RequestEntry", await self._targets.act(target, "request", arguments))

    @method(Access.READ, rules=_READS)
    async def console(
        self,
        limit: int = 50,
        level: str | None = None,
        reveal: bool = False,
        target: str = "",
    ) -> MessageList:
        """List messages of the console, the newest first."""
        arguments = {"limit": limit, "level": level, "reveal": await _may_reveal(reveal)}
        return cast("MessageList", await self._targets.act(target, "console", arguments))

    @method(Access.READ, rules=_READS)
    async def get_har(self, reveal: bool = False, target: str = "") -> dict[str, object]:
        """Return all recorded requests as a HAR 1.2 document."""
        arguments = {"reveal": await _may_reveal(reveal)}
        return cast("dict[str, object]", await self._targets.act(target, "export_har", arguments))

    @method(Access.READ, rules=_READS)
    async def get_news(self, target: str = "") -> News:
        """List what is new since `take_news`: errors of the console, and failed requests.

        At most 1,500 tokens in all, equal messages once.
        """
        return cast("News", await self._targets.act(target, "news"))

    @method(Access.WRITE, rules=_READS)
    async def take_news(self, target: str = "") -> News:
        """Return the news, and take them as known from now on."""
        return cast("News", await self._targets.act(target, "take_news"))


async def _may_reveal(wanted: bool) -> bool:
    """Return whether secrets are shown; only a person who may execute code can ask for it."""
    if wanted and not await current_caller().peer.allows(Access.EXECUTE):
        raise AccessDenied("reveal needs execute access.")
    return wanted
