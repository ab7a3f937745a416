"""Fetching in child processes: each ends with its fetch, whatever the page does."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.errors import Busy, TimedOut, Unsupported
from jupyter_ac.web import fetch_process
from jupyter_ac.web.addresses import parse_address
from jupyter_ac.web.fetch_process import Fetcher
from jupyter_ac.web.fetch_request import FetchedPage
from jupyter_ac.web.host_rules import HostRules
from tests.web.hostile_server import HostileServer, hostile_server, ok

pytestmark = pytest.mark.programs


@asynccontextmanager
async def fetching() -> AsyncIterator[tuple[Fetcher, HostileServer]]:
    others = set(children())  # of tests before this one
    with hostile_server() as server:
        fetcher = Fetcher(HostRules, [server.place])
        try:
            yield fetcher, server
        finally:
            await fetcher.aclose()
        assert set(children()) <= others


def children() -> list[str]:
    """The fetch processes of this process."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[1]
        except OSError:
            continue
        if words[-2:-1] == [b"fetch"] and parent == str(os.getpid()):
            found.append(folder.name)
    return found


async def get(
    fetcher: Fetcher, url: str, folder: Path, report: Callable[[int], None] = lambda _: None
) -> FetchedPage:
    address = parse_address(url)
    assert address is not None
    return await fetcher.fetch(address, folder, report)


async def test_a_page_and_its_progress(tmp_path: Path) -> None:
    counts: list[int] = []
    async with fetching() as (fetcher, server):
        server.answers["/large"] = ok("words " * 100_000, "text/plain")
        page = await get(fetcher, server.url("/large"), tmp_path, counts.append)
    assert page.content.startswith("words words")
    assert counts == sorted(counts)
    assert counts[-1] > 100_000


async def test_a_refusal_is_a_sentence(tmp_path: Path) -> None:
    async with fetching() as (fetcher, server):
        with pytest.raises(Unsupported, match="answers 404 Not Found"):
            await get(fetcher, server.url("/missing"), tmp_path)
        with pytest.raises(Unsupported, match="link-local or metadata"):
            await get(fetcher, server.url("/metadata"), tmp_path)


async def test_rules_hold_for_everything_else(tmp_path: Path) -> None:
    with hostile_server() as server:
        fetcher = Fetcher(HostRules)
        with pytest.raises(Unsupported, match="allowed_hosts"):
            await get(fetcher, server.url("/page"), tmp_path)
        await fetcher.aclose()
        assert not server.asked
        listed = Fetcher(lambda: HostRules(allowed=["127.0.0.1"]))
        assert (await get(listed, server.url("/page"), tmp_path)).title == "Pumps"
        await listed.aclose()


async def test_time_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch_process, "PAGE_S", 1.0)
    async with fetching() as (fetcher, server):
        with pytest.raises((TimedOut, Unsupported), match="within 1 seconds"):
            await get(fetcher, server.url("/slow"), tmp_path)


async def test_cancelling_ends_the_process(tmp_path: Path) -> None:
    async with fetching() as (fetcher, server):
        task = asyncio.create_task(get(fetcher, server.url("/slow"), tmp_path))
        while not server.asked:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        while server.open_connections:
            await asyncio.sleep(0.01)


async def test_many_at_once(tmp_path: Path) -> None:
    async with fetching() as (fetcher, server):
        pages = await asyncio.gather(
            *(get(fetcher, server.url("/text"), tmp_path) for _ in range(10))
        )
    assert {page.content for page in pages} == {"plain words"}


async def test_too_many_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch_process, "MAX_WAITING", 2)
    async with fetching() as (fetcher, server):
        urls = [server.url("/text")] * (fetch_process.MAX_PROCESSES + 4)
        tasks = [asyncio.create_task(get(fetcher, url, tmp_path)) for url in urls]
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert sum(isinstance(each, Busy) for each in found) == 2
        assert (await get(fetcher, server.url("/text"), tmp_path)).content == "plain words"


async def test_a_process_that_was_started_ahead_is_used(tmp_path: Path) -> None:
    others = set(children())
    async with fetching() as (fetcher, server):
        fetcher.warm()
        fetcher.warm()
        while not set(children()) - others:
            await asyncio.sleep(0.01)
        (early,) = set(children()) - others
        page, seen = asyncio.create_task(get(fetcher, server.url("/text"), tmp_path)), set()
        while not page.done():
            seen |= set(children()) - others
            await asyncio.sleep(0.01)
        assert seen == {early}


async def test_a_process_that_is_not_used_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    others = set(children())
    async with fetching() as (fetcher, _):
        fetcher.warm()
        while not set(children()) - others:
            await asyncio.sleep(0.01)
        (spare,) = set(children()) - others
        monkeypatch.setattr(fetch_process, "_SPARE_S", 0.2)
        fetcher.warm()
        while spare in children():
            await asyncio.sleep(0.01)
    assert spare not in children()
