"""The tool `fetch_url`: the text of a web page, after a question that shows the address."""

from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from jupyter_ac.agent.tool import Arguments, Question, Right, ToolContext, ToolDefinition
from jupyter_ac.agent.tools.arguments import (
    COUNT,
    TEXT,
    described,
    number_in,
    parameters,
    text_in,
)
from jupyter_ac.agent.tools.asked_calls import AskedCalls
from jupyter_ac.agent.tools.result_text import OF_PAGE, ResultMasker, one_line
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.fetched_pages import FETCHING_OFF, FetchedPages
from jupyter_ac.chat.prompt.blocks import body_of, page_block, wellformed
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.chat.web_pages import WebPage
from jupyter_ac.errors import AccessDenied, InvalidParams, Unsupported
from jupyter_ac.web.addresses import WebAddress, parse_address
from jupyter_ac.web.host_rules import HostRules

PAGE_CHARS: Final = 18_000
"""Characters of a page in one result."""

_WHY: Final = "The address is sent to its host."
_PORTS: Final = {"http": 80, "https": 443}


def origin_of(url: str) -> str:
    """Return scheme, host and port of an address; the usual port isn't named.

    Raises:
        InvalidParams: it has no host, or a port that is none.
    """
    try:
        parts = urlsplit(url)
        host, port, scheme = parts.hostname, parts.port, parts.scheme.lower()
    except ValueError as error:
        raise InvalidParams("url is no address of the web.") from error
    if not host:
        raise InvalidParams("url is no address of the web; it begins with https:// or http://.")
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}" + ("" if port in {None, _PORTS.get(scheme)} else f":{port}")


class FetchUrlTool:
    """Fetches web pages.

    Args:
        pages: fetches, through the cache.
        rules: returns the rules about hosts that are in force.
        is_off: returns whether the user or the administrator wants nothing fetched.
        masker: masks secrets.
    """

    definition = ToolDefinition(
        "fetch_url",
        "Fetch a web page and return its text.",
        parameters(
            ("url",),
            url=TEXT,
            first_character=described(COUNT, "of the text, to read on"),
        ),
        Right.NETWORK,
    )

    def __init__(
        self,
        pages: FetchedPages,
        rules: Callable[[], HostRules],
        is_off: Callable[[], bool],
        masker: ResultMasker,
    ) -> None:
        self._pages = pages
        self._rules = rules
        self._is_off = is_off
        self._masker = masker
        self._asked: AskedCalls[str] = AskedCalls()

    def title(self, arguments: Arguments) -> str:
        """Return the address."""
        return one_line(text_in(arguments, "url", ""))

    async def question(self, arguments: Arguments, context: ToolContext) -> Question | None:
        """Ask with the exact address; the origin may be allowed from then on.

        Raises:
            AccessDenied: pages aren't fetched, or not from this host.
            InvalidParams: it is no address, or one with a secret in it.
        """
        address = await self._address(arguments, context.conversation)
        self._asked.keep(context, address.url)
        return Question(address.url, why=_WHY, origin=origin_of(address.url))

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return the page's text, as of a stranger.

        Raises:
            AcError: it can't be fetched, or the user wasn't asked.
        """
        address = await self._address(arguments, context.conversation)
        self._asked.require(context, address.url)

        def report(count: int) -> None:
            context.progress(f"{count:,} bytes")

        content = await self._pages.content(address, report)
        if content.error is not None:
            raise Unsupported(f"{address.display_name} can't be fetched: {content.error}.")
        text = body_of(WebPage(content).block())
        start = number_in(arguments, "first_character", 1) - 1
        if start >= max(1, len(text)):
            raise InvalidParams(f"The page has {len(text):,} characters.")
        piece = text[start : start + PAGE_CHARS]
        masked = await self._masker.masked(context.conversation, piece)
        moved = content.final_url if content.final_url not in {"", address.url} else ""
        to = f"It has moved to {one_line(moved)}.\n" if moved else ""
        end = start + len(piece)
        rest = (
            f"[cut: characters {start + 1:,} to {end:,} of {len(text):,} are shown; "
            f"first_character={end + 1} shows more]"
            if end < len(text)
            else ""
        )
        return ToolResult(f"{OF_PAGE}\n{to}{page_block(address.url, masked).text}{rest}")

    async def _address(self, arguments: Arguments, conversation: Conversation) -> WebAddress:
        if self._is_off():
            raise AccessDenied(FETCHING_OFF)
        url = text_in(arguments, "url")
        address = parse_address(url)
        if address is None or wellformed(url) != url:
            raise InvalidParams("url is no address of the web; it begins with https:// or http://.")
        parts = urlsplit(address.url)
        if parts.username is not None or parts.password is not None:
            raise InvalidParams("url has a user name in it; leave that out.")
        if await self._masker.holds_secret(conversation, address.url):
            raise InvalidParams("url seems to hold a secret, which isn't sent; leave that out.")
        self._rules().check_host(parts.hostname or "")
        return address
