"""Fetches the web pages of a question when it is sent, if the setting `urls.fetch` is `auto`."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.ports import PageAsk
from jupyter_ac.chat.web_pages import page_at
from jupyter_ac.services.llm.page_fetching import PageFetching
from jupyter_ac.web.addresses import MAX_FOUND, WebAddress, find_addresses
from jupyter_ac.web.url_content import UrlContent

MAX_PAGES: Final = 3
"""Pages that one question has fetched; further ones are left to the user."""

WAIT_S: Final = 30.0
"""A question waits so long for its pages; then they are given up."""

_SHOWN: Final = 200
"""Characters of an address in a notice."""


class QuestionPages:
    """Fetches the pages of questions.

    Args:
        fetching: fetches pages.
        mode: gives the setting `urls.fetch` that is in force.
    """

    def __init__(self, fetching: PageFetching, mode: Callable[[], str]) -> None:
        self._fetching, self._mode = fetching, mode

    async def fetch(self, conversation: Conversation, ask: PageAsk) -> list[str]:
        """Fetch the pages that aren't in the conversation yet; stopped when this is cancelled.

        Returns:
            sentences that name what was contacted, what failed, and what wasn't tried.
        """
        if self._mode() != "auto":
            return []
        wanted = await self._wanted(conversation, ask)
        chosen, further = wanted[:MAX_PAGES], wanted[MAX_PAGES:]
        notices = await self._fetched(conversation, chosen, ask.request_id) if chosen else []
        if further:
            names = ", ".join(_shown(address.url) for address in further[:MAX_PAGES])
            more = ", …" if len(further) > MAX_PAGES else ""
            notices.append(
                f"Not fetched, since a question has at most {MAX_PAGES} pages fetched: "
                f"{names}{more}"
            )
        return notices

    async def _wanted(self, conversation: Conversation, ask: PageAsk) -> list[WebAddress]:
        found = await asyncio.to_thread(find_addresses, ask.question)
        return [
            address
            for address in found[:MAX_FOUND]
            if address.url not in ask.excluded and page_at(conversation.pages, address.url) is None
        ]

    async def _fetched(
        self, conversation: Conversation, addresses: list[WebAddress], request_id: str
    ) -> list[str]:
        began = datetime.now(UTC).isoformat()
        running = set(conversation.fetching)
        own = {each.url for each in addresses} - running
        tasks = [
            asyncio.create_task(self._fetching.fetch(conversation, address, request_id=request_id))
            for address in addresses
        ]
        try:
            _, late = await asyncio.wait(tasks, timeout=WAIT_S)
        finally:
            self._fetching.stop(conversation, own)
        return [
            _late(address)
            if task in late
            else _notice(task.result(), "" if address.url in running else began)
            for address, task in zip(addresses, tasks, strict=True)
        ]


def _late(address: WebAddress) -> str:
    return f"Not sent: {_shown(address.url)} did not come within {WAIT_S:g} seconds."


def _notice(content: UrlContent, began: str) -> str:
    url = _shown(content.url)
    if content.error is not None:
        return f"Not fetched: {url}: {content.error}"
    if content.fetched_at < began:
        return f"Taken from the cache for this question: {url}"
    redirected = _shown(content.final_url) if content.final_url != content.url else ""
    how = [f"redirected to {redirected}"] if redirected else []
    how += [f"through the proxy {content.proxy}"] if content.proxy else []
    ways = f" ({', '.join(how)})" if how else ""
    return f"Fetched from the web for this question: {url}{ways}"


def _shown(url: str) -> str:
    return url if len(url) <= _SHOWN else f"{url[:_SHOWN]}…"
