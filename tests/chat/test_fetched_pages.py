"""Pages through the cache, fetched by the real process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.chat.fetched_pages import FetchedPages
from jupyter_ac.web.addresses import WebAddress, parse_address
from jupyter_ac.web.fetch_process import Fetcher
from jupyter_ac.web.host_rules import HostRules
from jupyter_ac.web.url_cache import UrlCache
from tests.web.hostile_server import HostileServer, hostile_server

pytestmark = pytest.mark.programs


@asynccontextmanager
async def fetching(folder: Path) -> AsyncIterator[tuple[FetchedPages, HostileServer]]:
    with hostile_server() as server:
        fetcher = Fetcher(HostRules, [server.place])
        try:
            yield FetchedPages(fetcher, UrlCache(folder, lambda: 24.0)), server
        finally:
            await fetcher.aclose()


def address_in(server: HostileServer, path: str) -> WebAddress:
    found = parse_address(server.url(path))
    assert found is not None
    return found


def ignore(_count: int) -> None:
    pass


async def test_a_page_is_fetched_once_and_then_comes_out_of_the_cache(tmp_path: Path) -> None:
    async with fetching(tmp_path) as (pages, server):
        address = address_in(server, "/page")
        assert await pages.cached(address.url) is None
        one, other = await asyncio.gather(
            pages.content(address, ignore), pages.content(address, ignore)
        )
        assert one == other
        assert one.title == "Pumps"
        assert one.fetched_at
        assert await pages.cached(address.url) == one
        assert len(server.asked) == 1
        await pages.content(address, ignore, uses_cache=False)
        assert len(server.asked) == 2


async def test_a_failure_is_the_reason_and_isnt_kept(tmp_path: Path) -> None:
    async with fetching(tmp_path) as (pages, server):
        address = address_in(server, "/missing")
        content = await pages.content(address, ignore)
        assert content.error is not None
        assert "404" in content.error
        assert await pages.cached(address.url) is None
