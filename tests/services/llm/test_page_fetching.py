"""Fetching for conversations: once at a time, with progress, and a map for a repository."""

import asyncio
import io
import tarfile
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.conversation_pages import ConversationPages
from jupyter_ac.chat.web_pages import excluding
from jupyter_ac.ids import ConversationKey
from jupyter_ac.services.llm.page_fetching import PageFetching
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.web.addresses import WebAddress, parse_address
from jupyter_ac.web.fetch_process import Fetcher
from jupyter_ac.web.fetch_request import GitHubHosts
from jupyter_ac.web.host_rules import HostRules
from jupyter_ac.web.url_cache import UrlCache
from tests.chat.memory import ADA, MemoryPages
from tests.web.hostile_server import HostileServer, hostile_server, ok


@asynccontextmanager
async def fetching(folder: Path) -> AsyncIterator[tuple[PageFetching, HostileServer]]:
    with hostile_server() as server:
        hosts = GitHubHosts(server.url("/api"), server.url("/raw"), server.url("/archives"))
        audience = Subscribers()
        part = PageFetching(
            ConversationPages(MemoryPages()),
            Fetcher(HostRules, [server.place], hosts),
            UrlCache(folder, lambda: 24.0),
            audience,
            lambda: False,
        )
        try:
            yield part, server
        finally:
            await part.aclose()
            await audience.aclose()


def address(url: str) -> WebAddress:
    found = parse_address(url)
    assert found is not None
    return found


def repository() -> bytes:
    file = io.BytesIO()
    files = {"README.md": b"# Pumps\n", "pump.py": b"class Pump:\n    def start(self): ...\n"}
    with tarfile.open(fileobj=file, mode="w:gz") as tar:
        for name, data in files.items():
            info = tarfile.TarInfo(f"pumps-main/{name}")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return file.getvalue()


async def test_a_repository_comes_with_its_readme_and_our_map(tmp_path: Path) -> None:
    async with fetching(tmp_path) as (part, server):
        server.answers["/archives/ann/pumps/tar.gz/HEAD"] = ok(repository(), "application/x-gzip")
        conversation = Conversation(ConversationKey(ADA))
        where = address("https://github.com/ann/pumps")
        content = await part.fetch(conversation, where, uses_cache=True)
    assert (content.error, content.title, content.readme) == (None, "ann/pumps", "# Pumps\n")
    assert "pump.py: Pump(start())" in content.symbol_map
    assert conversation.pages[0].content == content


async def test_two_who_ask_at_once_are_answered_by_one_fetch(tmp_path: Path) -> None:
    async with fetching(tmp_path) as (part, server):
        where = address(server.url("/text"))
        one, two = (Conversation(ConversationKey(ADA)) for _ in range(2))
        first, second = await asyncio.gather(
            part.fetch(one, where, uses_cache=True), part.fetch(two, where, uses_cache=True)
        )
        assert first == second
        assert len(server.asked) == 1


async def test_rows_while_a_page_is_fetched(tmp_path: Path) -> None:
    async with fetching(tmp_path) as (part, server):
        conversation, where = Conversation(ConversationKey(ADA)), address(server.url("/text"))
        task = asyncio.create_task(part.fetch(conversation, where, uses_cache=True))
        while not conversation.fetching:
            await asyncio.sleep(0)
        (row,) = conversation.url_rows
        assert (row["state"], row["url"]) == ("fetching", where.url)
        await task
        (row,) = conversation.url_rows
        assert row["state"] == "ready"


async def test_a_fetch_that_is_stopped_leaves_nothing(tmp_path: Path) -> None:
    async with fetching(tmp_path) as (part, server):
        conversation, where = Conversation(ConversationKey(ADA)), address(server.url("/slow"))
        task = asyncio.create_task(part.fetch(conversation, where))
        while not server.asked:
            await asyncio.sleep(0.01)
        part.stop(conversation, {"https://other.org/"})
        assert conversation.url_rows
        part.stop(conversation)
        assert (await task).error == "The fetch was stopped."
        assert conversation.url_rows == []
        while server.open_connections:
            await asyncio.sleep(0.01)


async def test_a_fetch_goes_on_without_who_asked_for_it(tmp_path: Path) -> None:
    async with fetching(tmp_path) as (part, server):
        conversation, where = Conversation(ConversationKey(ADA)), address(server.url("/text"))
        task = asyncio.create_task(part.fetch(conversation, where))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        content = await part.fetch(conversation, where)
        assert (content.content, len(server.asked)) == ("plain words", 1)


async def test_a_page_that_is_fetched_again_stays_left_out(tmp_path: Path) -> None:
    async with fetching(tmp_path) as (part, server):
        conversation, where = Conversation(ConversationKey(ADA)), address(server.url("/text"))
        await part.fetch(conversation, where)
        await part.replace(conversation, excluding(conversation.pages, {where.url}))
        task = asyncio.create_task(part.fetch(conversation, where, uses_cache=False))
        while not conversation.fetching:
            await asyncio.sleep(0)
        for state in ("fetching", "ready"):
            (row,) = conversation.url_rows
            assert (row["state"], row["included"]) == (state, False)
            await task


async def test_a_page_that_is_left_out_while_it_is_fetched_stays_so(tmp_path: Path) -> None:
    async with fetching(tmp_path) as (part, server):
        conversation, where = Conversation(ConversationKey(ADA)), address(server.url("/text"))
        task = asyncio.create_task(part.fetch(conversation, where))
        while not conversation.fetching:
            await asyncio.sleep(0)
        await part.exclude(conversation, {where.url})
        for state in ("fetching", "ready"):
            (row,) = conversation.url_rows
            assert (row["state"], row["included"]) == (state, False)
            await task


async def test_a_summary_does_not_bring_back_what_was_removed(tmp_path: Path) -> None:
    async with fetching(tmp_path) as (part, server):
        conversation, where = Conversation(ConversationKey(ADA)), address(server.url("/text"))
        content = await part.fetch(conversation, where)
        await part.forget(where.url)
        await part.replace(conversation, ())
        summarised = await part.keep_summary(conversation, content, "BRIEF", "short")
        assert summarised.summary == "short"
        assert conversation.url_rows == []
        assert await part.cached(where.url) is None


async def test_without_a_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    async with fetching(tmp_path) as (part, server):
        conversation, where = Conversation(ConversationKey(ADA)), address(server.url("/text"))
        content = await part.fetch(conversation, where)
    assert content.error == "there is no temporary folder for it: No such file or directory"
