"""RPC methods for web pages: found in text, fetched, included in the context, removed."""

import asyncio
from collections.abc import Sequence
from typing import Final, Literal, NotRequired, TypedDict

from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.web_pages import page_at, without_pages
from jupyter_ac.errors import InvalidParams, TooLarge
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import BILLED, Access, method
from jupyter_ac.rpc.running_call import report_progress
from jupyter_ac.services.llm.page_fetching import PageFetching
from jupyter_ac.services.llm.page_summaries import PageSummaries
from jupyter_ac.url_rows import UrlRow
from jupyter_ac.web.addresses import WebAddress, find_addresses, parse_address
from jupyter_ac.web.url_content import NOT_FETCHED, UrlContent

MAX_TEXT: Final = 1_000_000


class DetectedUrl(TypedDict):
    """An address in a text.

    Attributes:
        type: kind of page, such as `github_repo`, `documentation` or `generic`.
        url_type: the same, by the name of the seed's own code.
        display_name: short, for lists.
        state: of the conversation's page with this address; absent if there is none.
    """

    url: str
    type: str
    url_type: str
    display_name: str
    state: NotRequired[Literal["fetching", "ready", "failed"]]


class UrlsCleared(TypedDict):
    """It is done; also if there was nothing to do."""

    status: Literal["ok"]
    success: bool


_DONE: Final[UrlsCleared] = {"status": "ok", "success": True}


class UrlMethods:
    """RPC methods for the web pages of a person's conversation.

    Args:
        book: the conversations.
        fetching: fetches pages.
        summaries: summarises them.
    """

    def __init__(
        self, book: ConversationRegistry, fetching: PageFetching, summaries: PageSummaries
    ) -> None:
        self._conversations = book
        self._fetching, self._summaries = fetching, summaries

    @method(Access.READ)
    async def detect_urls(self, text: str) -> list[DetectedUrl]:
        """Find the web addresses in a text, each once; nothing is fetched."""
        found = await self._found(text)
        rows = {row["url"]: row for row in (await self._conversation()).url_rows}
        if any(address.url not in rows for address in found):
            self._fetching.warm()
        return [_detected(address, rows) for address in found]

    @method(Access.EXECUTE, rules=BILLED)
    async def fetch_url(
        self,
        url: str,
        use_cache: bool = True,
        summarize: bool = False,
        summary_type: str | None = None,
        user_text: str | None = None,
    ) -> UrlContent:
        """Fetch a page and include it in the context; one that can't be fetched has an `error`.

        `summarize` adds a summary by the model for side tasks, of the type `BRIEF`, `USAGE`,
        `API`, `ARCHITECTURE` or `EVALUATION`, or as `user_text` suggests.
        """
        conversation = await self._conversation()
        address = _address(url)
        report_progress({"kind": "begin", "title": "Fetching", "message": address.url})
        content = await self._fetching.fetch(conversation, address, uses_cache=use_cache)
        if summarize:
            report_progress({"kind": "report", "message": "Summarising"})
            content = await self._summaries.summarize(
                conversation, content, summary_type, user_text
            )
        report_progress({"kind": "end"})
        return content

    @method(Access.EXECUTE, rules=BILLED)
    async def detect_and_fetch(
        self, text: str, use_cache: bool = True, summarize: bool = False
    ) -> list[UrlContent]:
        """Fetch all pages whose addresses are in a text, as `fetch_url` does."""
        found = await self._found(text)
        return list(
            await asyncio.gather(
                *(
                    self.fetch_url(address.url, use_cache, summarize, None, text)
                    for address in found
                )
            )
        )

    @method(Access.READ)
    async def get_url_content(self, url: str) -> UrlContent:
        """Return a page that was fetched, from the conversation or the cache; fetches nothing."""
        address = _address(url)
        page = page_at((await self._conversation()).pages, address.url)
        if page is not None:
            return page.content
        cached = await self._fetching.cached(address.url)
        return cached or UrlContent.of(address, NOT_FETCHED)

    @method(Access.READ)
    async def get_urls(self) -> list[UrlRow]:
        """List the web pages of the conversation."""
        return (await self._conversation()).url_rows

    @method(Access.WRITE)
    async def set_excluded_urls(self, urls: Sequence[str]) -> list[str]:
        """Leave out exactly these pages from the next request; answers those that there are."""
        conversation = await self._conversation()
        await self._fetching.exclude(conversation, set(require_urls(urls)))
        return [row["url"] for row in conversation.url_rows if not row["included"]]

    @method(Access.WRITE)
    async def invalidate_url_cache(self, url: str) -> UrlsCleared:
        """Remove a page from the cache and from the conversation, or stop its fetch."""
        address = _address(url)
        self._fetching.stop(await self._conversation(), {address.url})
        await self._fetching.forget(address.url)
        return await self.remove_fetched_url(url)

    @method(Access.WRITE)
    async def remove_fetched_url(self, url: str) -> UrlsCleared:
        """Remove a page from the conversation, or stop its fetch; it stays in the cache."""
        conversation, address = await self._conversation(), _address(url)
        self._fetching.stop(conversation, {address.url})
        await self._fetching.replace(conversation, without_pages(conversation.pages, {address.url}))
        return _DONE

    @method(Access.WRITE)
    async def clear_url_cache(self) -> UrlsCleared:
        """Remove all pages from the cache and from the conversation, and stop their fetches."""
        conversation = await self._conversation()
        self._fetching.stop(conversation)
        await self._fetching.forget(None)
        await self._fetching.replace(conversation, ())
        return _DONE

    async def _conversation(self) -> Conversation:
        return await self._conversations.open(current_caller().conversation_key)

    async def _found(self, text: str) -> list[WebAddress]:
        if len(text) > MAX_TEXT:
            raise TooLarge(f"text may have {MAX_TEXT:,} characters; send less of it.")
        return await asyncio.to_thread(find_addresses, text)


def require_urls(urls: Sequence[object]) -> list[str]:
    """See that addresses came; whether there are such pages isn't asked.

    Raises:
        InvalidParams: it is no list of texts.
    """
    if not isinstance(urls, list) or not all(isinstance(url, str) for url in urls):
        raise InvalidParams("urls must be a list of addresses.").as_fault()
    return [url.partition("#")[0] for url in urls]


def _address(url: str) -> WebAddress:
    address = parse_address(url)
    if address is None:
        raise InvalidParams(
            f"{url[:80]!r} isn't a web address: it must begin with http:// or https://, and name a "
            "host."
        )
    return address


def _detected(address: WebAddress, rows: dict[str, UrlRow]) -> DetectedUrl:
    detected = DetectedUrl(
        url=address.url,
        type=address.type,
        url_type=address.type,
        display_name=address.display_name,
    )
    row = rows.get(address.url)
    if row is not None:
        detected["state"] = row["state"]
    return detected
