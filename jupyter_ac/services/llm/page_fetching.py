"""Fetches web pages for conversations: cache, fetch, map of a repository, events."""

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.conversation_pages import ConversationPages
from jupyter_ac.chat.fetched_pages import FETCHING_OFF, FetchedPages
from jupyter_ac.chat.web_pages import WebPage, excluding, page_at, with_page
from jupyter_ac.events import CompactionEvent, Stage, TurnProgress, UrlsChanged
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.url_rows import UrlRow
from jupyter_ac.web.addresses import WebAddress
from jupyter_ac.web.fetch_process import Fetcher
from jupyter_ac.web.url_cache import UrlCache
from jupyter_ac.web.url_content import UrlContent

if TYPE_CHECKING:
    from jupyter_ac.ids import ConversationKey

_STOPPED: Final = "The fetch was stopped."


class PageFetching:
    """Fetches pages, and adds them to the conversations that asked for them.

    Each fetch is a task of its own, which goes on when the page that asked for it is reloaded.

    Args:
        pages: of the conversations.
        fetcher: fetches.
        cache: of earlier fetches, of all repositories.
        audience: told of progress.
        is_off: returns whether the user or the administrator wants nothing fetched.
    """

    def __init__(
        self,
        pages: ConversationPages,
        fetcher: Fetcher,
        cache: UrlCache,
        audience: Subscribers,
        is_off: Callable[[], bool],
    ) -> None:
        self._pages, self._fetcher = pages, fetcher
        self._cache, self._subscribers = cache, audience
        self._fetched = FetchedPages(fetcher, cache)
        self._is_off = is_off
        self._tasks: dict[tuple[ConversationKey, str], asyncio.Task[UrlContent]] = {}

    def warm(self) -> None:
        """Expect a fetch soon; returns at once."""
        if not self._is_off():
            self._fetcher.warm()

    async def cached(self, url: str) -> UrlContent | None:
        """Return a page out of the cache."""
        return await self._fetched.cached(url)

    async def forget(self, url: str | None) -> None:
        """Remove a page from the cache; None: all pages."""
        if url is None:
            await asyncio.to_thread(self._cache.clear)
        else:
            await asyncio.to_thread(self._cache.remove, url)

    async def fetch(
        self,
        conversation: Conversation,
        address: WebAddress,
        *,
        uses_cache: bool = True,
        request_id: str = "",
    ) -> UrlContent:
        """Fetch a page, add it to a conversation, and tell its person's other pages.

        A page that can't be fetched is added with the reason, unless it is there from before. One
        that is being fetched already isn't fetched twice.

        Args:
            conversation: whose.
            address: of the page.
            uses_cache: take it from the cache if it is there.
            request_id: of the turn that needs it, for the events.
        """
        if self._is_off():
            return UrlContent.of(address, FETCHING_OFF)
        key = (conversation.conversation_key, address.url)
        task = self._tasks.get(key)
        if task is None:
            work = self._fetch(conversation, address, uses_cache, request_id)
            task = self._tasks[key] = asyncio.create_task(work)
            task.add_done_callback(lambda _: self._tasks.pop(key, None))
        await asyncio.wait([task])
        return UrlContent.of(address, _STOPPED) if task.cancelled() else task.result()

    def stop(self, conversation: Conversation, urls: Collection[str] | None = None) -> None:
        """End the fetches of a conversation, with their processes; None: of all addresses."""
        for (key, url), task in list(self._tasks.items()):
            if key == conversation.conversation_key and (urls is None or url in urls):
                task.cancel()

    async def replace(self, conversation: Conversation, pages: Sequence[WebPage]) -> None:
        """Replace the pages of a conversation, and tell its person's other pages."""
        if tuple(pages) != conversation.pages:
            await self._pages.replace(conversation, pages)
            self.publish(conversation)

    async def exclude(self, conversation: Conversation, urls: Collection[str]) -> None:
        """Leave out exactly the pages with these addresses, also while they are being fetched."""
        for url, row in conversation.fetching.items():
            row["included"] = url not in urls
        if conversation.fetching:
            self.publish(conversation)
        await self.replace(conversation, excluding(conversation.pages, urls))

    async def keep_summary(
        self, conversation: Conversation, content: UrlContent, kind: str, summary: str
    ) -> UrlContent:
        """Add a summary to a page, in the conversation and in the cache.

        One that was removed meanwhile stays away.
        """
        content = replace(content, summary=summary.strip() or None, summary_type=kind)
        if page_at(conversation.pages, content.url) is not None:
            await asyncio.to_thread(self._cache.write, content)
            await self.replace(conversation, with_page(conversation.pages, content))
        return content

    def publish(self, conversation: Conversation) -> None:
        """Tell the pages of a person which web pages there are."""
        key = conversation.conversation_key
        self._subscribers.publish(UrlsChanged(conversation.url_rows), key)

    async def aclose(self) -> None:
        """End all fetches; bounded."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._fetcher.aclose()

    async def _fetch(
        self, conversation: Conversation, address: WebAddress, uses_cache: bool, request_id: str
    ) -> UrlContent:
        self._tell(conversation, "url_fetch", address, request_id)
        error: str | None = _STOPPED
        try:
            with self._shown(conversation, address) as row:
                report = partial(self._report, conversation, address.url)
                content = await self._fetched.content(address, report, uses_cache=uses_cache)
                known = page_at(conversation.pages, address.url)
                if content.error is None or known is None or known.content.error is not None:
                    pages = with_page(conversation.pages, content, is_included=row["included"])
                    await self._pages.replace(conversation, pages)
            error = content.error
        finally:
            self._tell(conversation, "url_ready", address, request_id, error)
        return content

    @contextmanager
    def _shown(self, conversation: Conversation, address: WebAddress) -> Iterator[UrlRow]:
        """Show a page as being fetched until the block ends; yields its row."""
        known = page_at(conversation.pages, address.url)
        row = conversation.fetching[address.url] = UrlRow(
            url=address.url,
            type=address.type,
            display_name=address.display_name,
            title="",
            state="fetching",
            included=known is None or known.is_included,
            error=None,
            fetched_at="",
        )
        self.publish(conversation)
        try:
            yield row
        finally:
            del conversation.fetching[address.url]
            self.publish(conversation)

    def _report(self, conversation: Conversation, url: str, count: int) -> None:
        row = conversation.fetching.get(url)
        if row is not None:
            row["bytes"] = count
            self.publish(conversation)

    def _tell(
        self,
        conversation: Conversation,
        stage: Stage,
        address: WebAddress,
        request_id: str,
        error: str | None = None,
    ) -> None:
        """Send the events by which clients of seed 001 show notifications."""
        event = TurnProgress(
            stage=stage, message=error or "", url=address.url, display_name=address.display_name
        )
        if error:
            event["error"] = error
        self._subscribers.publish(CompactionEvent(request_id, event), conversation.conversation_key)
