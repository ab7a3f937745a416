"""Fetches web pages for conversations: cache, fetch, map of a repository, events, summary."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.conversation_pages import ConversationPages
from jupyter_ac.chat.model_gateway import ModelGateway
from jupyter_ac.chat.page_summary import summarize_page, summary_type_for
from jupyter_ac.chat.web_pages import WebPage, page_at, with_page
from jupyter_ac.errors import AcError
from jupyter_ac.events import CompactionEvent, Stage, TurnProgress, UrlsChanged
from jupyter_ac.index.folder_map import folder_map
from jupyter_ac.services.llm.commit_work import Spent
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.url_rows import UrlRow
from jupyter_ac.web.addresses import WebAddress
from jupyter_ac.web.fetch_process import Fetcher
from jupyter_ac.web.url_cache import UrlCache
from jupyter_ac.web.url_content import UrlContent

MAP_TOKENS: Final = 4000
"""Size of the map of a repository that was fetched."""


class PageFetching:
    """Fetches pages, and adds them to the conversations that asked for them.

    Args:
        pages: of the conversations.
        fetcher: fetches.
        cache: of earlier fetches, of all repositories.
        audience: told of progress.
    """

    def __init__(
        self, pages: ConversationPages, fetcher: Fetcher, cache: UrlCache, audience: Subscribers
    ) -> None:
        self._pages, self._fetcher = pages, fetcher
        self._cache, self._subscribers = cache, audience
        self._fetching: dict[object, dict[str, UrlRow]] = {}  # by conversation key
        self._locks: dict[str, asyncio.Lock] = {}

    def warm(self) -> None:
        """Expect a fetch soon; returns at once."""
        self._fetcher.warm()

    async def cached(self, url: str) -> UrlContent | None:
        """Return a page out of the cache."""
        return await asyncio.to_thread(self._cache.read, url)

    async def forget(self, url: str | None) -> None:
        """Remove a page from the cache; None: all pages."""
        if url is None:
            await asyncio.to_thread(self._cache.clear)
        else:
            await asyncio.to_thread(self._cache.remove, url)

    async def fetch(
        self, conversation: Conversation, address: WebAddress, *, uses_cache: bool
    ) -> UrlContent:
        """Fetch a page, add it to a conversation, and tell its person's other pages.

        A page that can't be fetched is added with the reason, unless it is there from before.
        """
        with self._announced(conversation, address):
            lock = self._locks.setdefault(address.url, asyncio.Lock())
            async with lock:  # a page that two ask for at once is fetched once
                content = await self.cached(address.url) if uses_cache else None
                if content is None:
                    content = await self._fetched(conversation, address)
                if content.error is None:
                    await asyncio.to_thread(self._cache.write, content)
            known = page_at(conversation.pages, address.url)
            if content.error is None or known is None or known.content.error is not None:
                await self._pages.replace(conversation, with_page(conversation.pages, content))
        self._tell(conversation, "url_ready", address, content.error)
        self.publish(conversation)
        return content

    async def replace(self, conversation: Conversation, pages: Sequence[WebPage]) -> None:
        """Replace the pages of a conversation, and tell its person's other pages."""
        if tuple(pages) != conversation.pages:
            await self._pages.replace(conversation, pages)
            self.publish(conversation)

    async def keep_summary(
        self, conversation: Conversation, content: UrlContent, kind: str, summary: str
    ) -> UrlContent:
        """Add a summary to a page, in the conversation and in the cache."""
        content = replace(content, summary=summary.strip() or None, summary_type=kind)
        await asyncio.to_thread(self._cache.write, content)
        await self.replace(conversation, with_page(conversation.pages, content))
        return content

    def publish(self, conversation: Conversation) -> None:
        """Tell the pages of a person which web pages there are."""
        key = conversation.conversation_key
        self._subscribers.publish(UrlsChanged(self.rows(conversation)), key)

    def rows(self, conversation: Conversation) -> list[UrlRow]:
        """List the web pages of a conversation, also those that are being fetched."""
        rows = {page.url: page.row() for page in conversation.pages}
        return list((rows | self._fetching.get(conversation.conversation_key, {})).values())

    async def aclose(self) -> None:
        """End all fetches; bounded."""
        await self._fetcher.aclose()

    @contextmanager
    def _announced(self, conversation: Conversation, address: WebAddress) -> Iterator[None]:
        """Show a page as being fetched until the block ends."""
        rows = self._fetching.setdefault(conversation.conversation_key, {})
        rows[address.url] = UrlRow(
            url=address.url,
            type=address.type,
            display_name=address.display_name,
            title="",
            state="fetching",
            included=True,
            error=None,
            fetched_at="",
        )
        self._tell(conversation, "url_fetch", address)
        self.publish(conversation)
        try:
            yield
        finally:
            rows.pop(address.url, None)

    async def _fetched(self, conversation: Conversation, address: WebAddress) -> UrlContent:
        empty = replace(UrlContent.of(address), fetched_at=datetime.now(UTC).isoformat())
        with TemporaryDirectory(prefix="jupyter-ac-page-", ignore_cleanup_errors=True) as name:
            folder = Path(name) / "files"
            folder.mkdir()
            report = partial(self._report, conversation, address.url)
            try:
                page = await self._fetcher.fetch(address, folder, report)
            except AcError as error:
                return empty.failed(error.message)
            symbol_map = ""
            if address.type == "github_repo":
                symbol_map = await folder_map(folder, Path(name) / "index", MAP_TOKENS)
        return replace(
            empty,
            title=page.title,
            description=page.description,
            content=page.content,
            readme=page.readme,
            symbol_map=symbol_map,
            final_url=page.final_url,
            proxy=page.proxy,
        )

    def _report(self, conversation: Conversation, url: str, count: int) -> None:
        row = self._fetching.get(conversation.conversation_key, {}).get(url)
        if row is not None:
            row["bytes"] = count
            self.publish(conversation)

    def _tell(
        self,
        conversation: Conversation,
        stage: Stage,
        address: WebAddress,
        error: str | None = None,
    ) -> None:
        """Send the events by which clients of seed 001 show notifications."""
        event = TurnProgress(
            stage=stage, message=error or "", url=address.url, display_name=address.display_name
        )
        if error:
            event["error"] = error
        self._subscribers.publish(CompactionEvent("", event), conversation.conversation_key)


class PageSummaries:
    """Summarises pages by the model for side tasks, and stores what that costs.

    Args:
        fetching: keeps the summaries.
        models: write them.
        spent: stores their cost.
    """

    def __init__(self, fetching: PageFetching, models: ModelGateway, spent: Spent) -> None:
        self._fetching, self._models, self._spent = fetching, models, spent

    async def summarize(
        self,
        conversation: Conversation,
        content: UrlContent,
        summary_type: str | None,
        user_text: str | None,
    ) -> UrlContent:
        """Return a page with a summary, unless it has one of this type or no text.

        Raises:
            InvalidParams: there is no such type of summary.
            NotReady, ProviderError: no model summarises it.
        """
        kind = summary_type_for(content, summary_type, user_text)
        if content.error is not None or (content.summary and content.summary_type == kind):
            return content
        session = conversation.session
        answer = await summarize_page(self._models, content, kind)
        session.side.append(answer.usage)
        await self._spent(conversation.conversation_key, session.session_id, "page", answer)
        return await self._fetching.keep_summary(conversation, content, kind, answer.text)
