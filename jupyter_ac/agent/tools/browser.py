"""The tools that look at a watched page: its console, its requests, a picture of it."""

import base64
import binascii
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from jupyter_ac.agent.tool import Arguments, Right, ToolContext, ToolDefinition
from jupyter_ac.agent.tools.arguments import (
    COUNT,
    FLAG,
    TEXT,
    described,
    flag_in,
    number_in,
    parameters,
    text_in,
)
from jupyter_ac.agent.tools.result_text import OF_PAGE, ResultMasker, bounded, one_line
from jupyter_ac.agent.tools.unasked_tool import UnaskedTool
from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.chat.images import QuestionImage, image_of
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.errors import Unsupported
from jupyter_ac.ids import Identity

MAX_ROWS: Final = 200
DEFAULT_ROWS: Final = 50
MAX_MESSAGE_CHARS: Final = 2000

TARGET: Final = described(TEXT, "id of a watched tab; the connected page by default")
_READ_S: Final = 30.0
_LIMIT: Final = {**COUNT, "maximum": MAX_ROWS}
_FEWER: Final = "ask for fewer"


@dataclass(frozen=True)
class RecordKind:
    """A kind of what is recorded.

    Attributes:
        action: of the worker, which lists it.
        member: of the answer, which has the rows.
        line: shows a row.
    """

    action: str
    member: str
    line: Callable[[Mapping[str, object]], str]


class TargetConsent(Protocol):
    """The part of a watched target that tells what its user has allowed."""

    def allowed(self, person: Identity, /) -> frozenset[str]:
        """Return what a person has allowed in it."""


class WatchedPages(Protocol):
    """The pages that are watched: the part of `services.browser.WatchedTargets` that is used."""

    def id_of(self, target: str, /) -> str:
        """Return the id of a watched target, "" for the connected page; raises `NotConnected`."""

    def find(self, target: str, /) -> TargetConsent | None:
        """Return a watched target; None if it isn't watched."""

    async def act(
        self, target: str, action: str, arguments: Mapping[str, object], timeout_s: float, /
    ) -> object:
        """Do something with a watched target; raises `AcError`."""


class RecordsTool(UnaskedTool):
    """Lists what was recorded of a page, a line for each row.

    Args:
        pages: the watched ones.
        masker: masks secrets.
    """

    def __init__(self, pages: WatchedPages, masker: ResultMasker) -> None:
        self._pages = pages
        self._masker = masker

    async def _listed(
        self,
        arguments: Arguments,
        context: ToolContext,
        kind: RecordKind,
        query: Mapping[str, object],
    ) -> ToolResult:
        """Return the rows of a query, the newest first.

        Raises:
            AcError: no page is connected, or it doesn't answer.
        """
        limit = min(number_in(arguments, "limit", DEFAULT_ROWS), MAX_ROWS)
        asked = {"limit": limit, **query, "reveal": False}
        target = self._pages.id_of(text_in(arguments, "target", ""))
        rows = rows_of(await self._pages.act(target, kind.action, asked, _READ_S), kind.member)
        text = "\n".join(map(kind.line, rows)) or f"There are no {kind.member}."
        masked = await self._masker.masked(context.conversation, text)
        return ToolResult(bounded(f"{OF_PAGE}\n{masked}", _FEWER))


class BrowserConsoleTool(RecordsTool):
    """Lists messages of a page's console."""

    definition = ToolDefinition(
        "browser_console",
        "List the newest messages of the console of the connected page.",
        parameters(
            (),
            level={"enum": ["debug", "log", "info", "warning", "error"]},
            limit=_LIMIT,
            target=TARGET,
        ),
        Right.READ,
    )

    def title(self, arguments: Arguments) -> str:
        """Return the level."""
        return text_in(arguments, "level", "") or "all messages"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return the messages, the newest first.

        Raises:
            AcError: no page is connected, or it doesn't answer.
        """
        query = {"level": text_in(arguments, "level", "") or None}
        return await self._listed(arguments, context, _MESSAGES, query)


class BrowserNetworkTool(RecordsTool):
    """Lists requests of a page."""

    definition = ToolDefinition(
        "browser_network",
        "List the newest requests of the connected page.",
        parameters(
            (),
            url=described(TEXT, "pattern with *"),
            failed=described(FLAG, "only failed ones"),
            limit=_LIMIT,
            target=TARGET,
        ),
        Right.READ,
    )

    def title(self, arguments: Arguments) -> str:
        """Return the pattern."""
        return one_line(text_in(arguments, "url", "")) or "all requests"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return a line for each request, the newest first.

        Raises:
            AcError: no page is connected, or it doesn't answer.
        """
        query = {
            "status": None,
            "method": None,
            "resource_type": None,
            "url": text_in(arguments, "url", "") or None,
            "state": "failed" if flag_in(arguments, "failed") else None,
            "show_all": False,
            "order": "desc",
        }
        return await self._listed(arguments, context, _REQUESTS, query)


class BrowserScreenshotTool(UnaskedTool):
    """Takes a picture of a page.

    Args:
        pages: the watched ones.
        images: keeps the picture.
    """

    definition = ToolDefinition(
        "browser_screenshot",
        "Take a picture of what the connected page shows.",
        parameters((), full=described(FLAG, "the whole page"), target=TARGET),
        Right.READ,
    )

    def __init__(self, pages: WatchedPages, images: ImageFolder) -> None:
        self._pages = pages
        self._images = images

    def title(self, arguments: Arguments) -> str:
        """Return what is in the picture."""
        return "the whole page" if arguments.get("full") else "what the page shows"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return the picture's size, and the name under which it is kept.

        Raises:
            AcError: no page is connected, it can't be drawn, or the picture can't be kept.
        """
        del context
        target = self._pages.id_of(text_in(arguments, "target", ""))
        asked = {"full": flag_in(arguments, "full")}
        found = await self._pages.act(target, "screenshot", asked, _READ_S)
        row: Mapping[str, object] = found if isinstance(found, Mapping) else {}
        image = _image(row)
        await self._images.put(image)
        cut = "; the page is longer" if row.get("is_cut") is True else ""
        size = f"{row.get('width')} x {row.get('height')} pixels"
        return ToolResult(f"{OF_PAGE}\nA picture of the page, {size}{cut}.", images=(image.name,))


def rows_of(answer: object, member: str) -> list[Mapping[str, object]]:
    """Return the rows in an answer of the browser worker."""
    rows = answer.get(member) if isinstance(answer, Mapping) else None
    return [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []


def message_line(row: Mapping[str, object]) -> str:
    """Show a message of the console: level, text and place."""
    place = row.get("path") or row.get("url")
    where = f" ({one_line(str(place))}:{row.get('line')})" if place else ""
    text = str(row.get("message", ""))[:MAX_MESSAGE_CHARS]
    return f"{row.get('level')}: {text}{where}"


def request_line(row: Mapping[str, object]) -> str:
    """Show a request on one line: method, outcome, address, kind, time and error."""
    status = row.get("status") or row.get("state")
    error = f" {one_line(str(row['error']))}" if row.get("error") else ""
    time_ms = row.get("time_ms")
    took = f" {time_ms:.0f} ms" if isinstance(time_ms, int | float) else ""
    address = one_line(str(row.get("url", "")), MAX_MESSAGE_CHARS)
    return f"{row.get('method')} {status} {address} {row.get('type')}{took}{error}"


def _image(row: Mapping[str, object]) -> QuestionImage:
    data = row.get("data")
    if not isinstance(data, str):
        raise Unsupported("The browser gave no picture; try again.")
    try:
        return image_of(base64.b64decode(data, validate=True), "The picture")
    except (binascii.Error, ValueError) as error:
        raise Unsupported("The browser gave a broken picture; try again.") from error


_MESSAGES: Final = RecordKind("console", "messages", message_line)
_REQUESTS: Final = RecordKind("network", "requests", request_line)
