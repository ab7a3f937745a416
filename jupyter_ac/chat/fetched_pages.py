"""Fetches web pages through the cache: the page's text, of a repository also a map."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from weakref import WeakValueDictionary

from jupyter_ac.errors import AcError
from jupyter_ac.index.folder_map import folder_map
from jupyter_ac.web.addresses import WebAddress
from jupyter_ac.web.fetch_process import Fetcher
from jupyter_ac.web.url_cache import UrlCache
from jupyter_ac.web.url_content import UrlContent

MAP_TOKENS: Final = 4000
"""Size of the map of a repository that was fetched."""

FETCHING_OFF: Final = (
    'Web pages aren\'t fetched: the setting urls.fetch is "never". Change it in app.json, or ask '
    "your administrator if it is locked."
)


class FetchedPages:
    """The pages of the web, as they are in the cache or are fetched now.

    Args:
        fetcher: fetches.
        cache: of earlier fetches, of all repositories.
    """

    def __init__(self, fetcher: Fetcher, cache: UrlCache) -> None:
        self._fetcher, self._cache = fetcher, cache
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def cached(self, url: str) -> UrlContent | None:
        """Return a page out of the cache."""
        return await asyncio.to_thread(self._cache.read, url)

    async def content(
        self, address: WebAddress, report: Callable[[int], None], *, uses_cache: bool = True
    ) -> UrlContent:
        """Return a page, or the reason why there is none.

        Args:
            address: of the page.
            report: is told the number of bytes that have arrived.
            uses_cache: take it from the cache if it is there.
        """
        lock = self._locks.setdefault(address.url, asyncio.Lock())
        async with lock:  # a page that two people ask for at once is fetched once
            content = await self.cached(address.url) if uses_cache else None
            if content is None:
                content = await self._fetched(address, report)
                if content.error is None:
                    await asyncio.to_thread(self._cache.write, content)
        return content

    async def _fetched(self, address: WebAddress, report: Callable[[int], None]) -> UrlContent:
        empty = replace(UrlContent.of(address), fetched_at=datetime.now(UTC).isoformat())
        try:
            with TemporaryDirectory(prefix="jupyter-ac-page-", ignore_cleanup_errors=True) as name:
                folder = Path(name) / "files"
                folder.mkdir()
                page = await self._fetcher.fetch(address, folder, report)
                symbol_map = ""
                if address.type == "github_repo":
                    symbol_map = await folder_map(folder, Path(name) / "index", MAP_TOKENS)
        except AcError as error:
            return empty.failed(error.message)
        except OSError as error:
            return empty.failed(f"there is no temporary folder for it: {error.strerror}")
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
