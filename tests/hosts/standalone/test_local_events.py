"""`GET /events` of a real server, by raw connections."""

import asyncio
import json
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import pytest

from jupyter_ac.hosts.edge.event_stream import StreamPace
from jupyter_ac.hosts.sockets.connection_limits import ConnectionLimits
from jupyter_ac.hosts.standalone.server import Address, ServeOptions, listening
from tests.hosts.standalone.conftest import OpenPage, Serve, get, talk
from tests.support.event_source import EventSource, following
from tests.support.pages import Page
from tests.support.repositories import RepositoryFolder

CLIENTS = 100
CHANGES = 40
FILES = ["a.py", "docs/c.md"]


async def ready(page: Page) -> Page:
    await page.ready()
    return page


def path_of(address: Address, more: str = "") -> str:
    return f"/events?token={address.token}{more}"


@pytest.mark.parametrize("path", ["/events", "/events/stream"])
async def test_the_whole_state_comes_first_and_again_after_each_change(
    address: Address, connect: OpenPage, path: str
) -> None:
    page = await ready(await connect(address.socket))
    async with following(address.port, f"{path}?token={address.token}") as source:
        first = await source.event()
        assert source.status == 200
        assert first["connectionState"] == "disconnected"
        assert first["epoch"] == 0
        assert source.conversation["selected_files"] == []
        assert source.conversation["session_id"] == (await page.state())["session_id"]
        assert source.last_id == str(first["revision"])
        await page.call("LLMService.set_selected_files", FILES)
        second = await source.event()
        assert source.conversation["selected_files"] == FILES
        assert second.keys() == first.keys()
        assert second["conversation_hash"] != first["conversation_hash"]
        assert second["filters_hash"] == first["filters_hash"]
        assert int(source.last_id) == second["revision"] == int(str(first["revision"])) + 1


async def test_the_answer_may_be_neither_kept_nor_gathered_nor_read_by_other_pages(
    address: Address,
) -> None:
    origin = "Origin: http://localhost:3000"
    async with following(address.port, path_of(address), origin) as source:
        assert source.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert source.headers["cache-control"] == "no-store"
        assert source.headers["x-accel-buffering"] == "no"
        assert "access-control-allow-origin" not in source.headers
        assert source.headers["cross-origin-resource-policy"] == "same-origin"


async def test_a_delta_client_gets_changed_fields_only(address: Address, connect: OpenPage) -> None:
    page = await ready(await connect(address.socket))
    async with (
        following(address.port, path_of(address, "&delta=1")) as source,
        following(address.port, path_of(address)) as whole,
    ):
        first = await source.event()
        assert "delta" not in first
        await page.call("LLMService.set_selected_files", FILES)
        second = await source.event()
        assert set(second) == {"revision", "delta", "conversation", "conversation_hash"}
        await whole.until(selected_files=FILES)
        assert source.state == whole.state | {"delta": True}


async def test_who_comes_back_gets_what_was_missed(address: Address, connect: OpenPage) -> None:
    page = await ready(await connect(address.socket))
    path = path_of(address, "&delta=1")
    async with following(address.port, path) as source:
        state, seen = await source.event(), source.last_id
    await page.call("LLMService.set_selected_files", ["a.py"])
    await page.call("LLMService.set_selected_files", FILES)
    async with following(address.port, path, f"Last-Event-ID: {seen}") as source:
        missed, seen = await source.event(), source.last_id
        assert set(missed) == {"revision", "delta", "conversation", "conversation_hash"}
        assert source.conversation["selected_files"] == FILES
    async with (
        following(address.port, path, f"Last-Event-ID: {seen}") as source,
        following(address.port, path) as fresh,
    ):
        assert await source.comment() == "nothing has changed"
        assert await fresh.event() == {
            name: value for name, value in (state | missed).items() if name != "delta"
        }


async def test_after_a_restart_who_comes_back_gets_the_whole_state(serve: Serve) -> None:
    one, two = await serve(), await serve()
    async with following(one.port, path_of(one, "&delta=1")) as source:
        whole, seen = await source.event(), source.last_id
    for strange in (seen, "17", "x", "9" * 99):
        header = f"Last-Event-ID: {strange}"
        async with following(two.port, path_of(two, "&delta=1"), header) as source:
            again = await source.event()
            assert again.keys() == whole.keys()
            assert source.last_id != seen


@pytest.fixture
def long_names(repository: RepositoryFolder) -> list[str]:
    """Files whose names make a state of a quarter of a megabyte."""
    names = [f"{'long' * 60}{number}.txt" for number in range(1000)]
    for name in names:
        (repository.root / name).write_text("", encoding="utf-8")
    return names


async def change_often(names: list[str], page: Page, reader: EventSource) -> None:
    """Make more states than the system's buffers of a connection hold, and read each."""
    for count in range(1000 - CHANGES, 1000):
        await page.call("LLMService.set_selected_files", names[:count])
        await reader.until(selected_files=names[:count])


async def test_a_client_that_reads_nothing_delays_nobody(
    long_names: list[str], address: Address, connect: OpenPage
) -> None:
    page = await ready(await connect(address.socket))
    async with (
        following(address.port, path_of(address)) as stalled,
        following(address.port, path_of(address)) as reader,
    ):
        await stalled.event()
        stalled.pause()
        await change_often(long_names, page, reader)
        stalled.resume()
        received = 0
        while stalled.conversation["selected_files"] != long_names[:999]:
            await stalled.event()
            received += 1
        # It missed states between, and got the newest one.
        assert received < CHANGES
        assert stalled.last_id == reader.last_id


async def test_a_client_that_reads_nothing_for_long_is_disconnected(
    long_names: list[str], address: Address, connect: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    pace = partial(StreamPace, keepalive_s=0.05, stalled_s=0.2)
    monkeypatch.setattr("jupyter_ac.hosts.edge.event_stream.StreamPace", pace)
    page = await ready(await connect(address.socket))
    async with (
        following(address.port, path_of(address)) as stalled,
        following(address.port, path_of(address)) as reader,
    ):
        await stalled.event()
        assert await stalled.comment() == "keepalive"
        stalled.pause()
        await change_often(long_names, page, reader)
        stalled.resume()
        await stalled.end()
        assert stalled.conversation["selected_files"] != long_names[:999]


async def test_a_hundred_clients_get_the_same_change(address: Address, connect: OpenPage) -> None:
    page = await ready(await connect(address.socket))
    async with AsyncExitStack() as leaving:
        sources = [
            await leaving.enter_async_context(following(address.port, path_of(address)))
            for _ in range(CLIENTS)
        ]
        await page.call("LLMService.set_selected_files", FILES)
        states = await asyncio.gather(*(source.until(selected_files=FILES) for source in sources))
        assert len({json.dumps(state, sort_keys=True) for state in states}) == 1


async def test_the_token_opens_by_query_or_header(address: Address, serve: Serve) -> None:
    header = f"Authorization: token {address.token}"
    async with following(address.port, "/events", header) as source:
        assert source.status == 200
    anyone = await serve(asks_token=False)
    async with following(anyone.port, "/events") as source:
        assert source.status == 200


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/events", [], 401),
        ("/events?token=wrong", [], 401),
        ("/events?token={}", ["Authorization: token wrong"], 401),
        ("/events/stream?token={}x", [], 401),
        ("/events?token={}", ["Origin: https://evil.example"], 403),
        ("/events?token={}", ["Origin: null"], 403),
        ("/events?token={}", ["Sec-Fetch-Site: cross-site"], 403),
        ("/events?token={}&repo=/", [], 403),
        ("/events?token={}&repo=no%00", [], 403),
        ("/events?token={}&client=a%20b", [], 400),
        ("/events?token={}&delta=x", [], 400),
        ("/events/?token={}", [], 404),
        ("/eventsx?token={}", [], 404),
    ],
)
async def test_who_asks_wrongly_is_told_so(
    address: Address, path: str, headers: list[str], status: int
) -> None:
    answer = await get(address.port, path.format(address.token), *headers)
    assert answer[0] == status
    assert list(json.loads(answer[2])) == ["message"]


async def test_other_methods_and_hosts_are_refused(address: Address) -> None:
    line = f"POST {path_of(address)} HTTP/1.1"
    local = f"Host: localhost:{address.port}"
    assert (await talk(address.port, line, local, "Content-Length: 0"))[0] == 405
    asked = f"GET {path_of(address)} HTTP/1.1"
    assert (await talk(address.port, asked, "Host: evil.example"))[0] == 403


async def test_a_folder_of_the_repository_may_be_named(address: Address) -> None:
    async with following(address.port, path_of(address, "&repo=docs&client=a.b")) as source:
        assert source.status == 200


async def test_beyond_the_limit_a_client_is_told_to_come_later(
    repository: RepositoryFolder, static_dir: Path, connect: OpenPage
) -> None:
    options = ServeOptions(repository.root, 0, limits=ConnectionLimits(streams=2))
    async with listening(options, static_dir) as address, AsyncExitStack() as leaving:
        first, _ = [
            await leaving.enter_async_context(following(address.port, path_of(address)))
            for _ in range(2)
        ]
        status, headers, body = await get(address.port, path_of(address))
        assert (status, int(headers["retry-after"]) > 0) == (503, True)
        assert "2 event streams" in body
        # Pages are counted apart.
        page = await connect(address.socket)
        await page.state()
        await page.leave()
        await first.leave()
        async with asyncio.timeout(30):
            while (await _status(address)) != 200:
                await asyncio.sleep(0.02)


async def _status(address: Address) -> int:
    async with following(address.port, path_of(address)) as source:
        return source.status


async def test_connections_without_the_token_push_each_other_out_but_no_client(
    repository: RepositoryFolder, static_dir: Path, connect: OpenPage
) -> None:
    limits = ConnectionLimits(pending=1, grace_s=0.0)
    options = ServeOptions(repository.root, 0, limits=limits)
    async with listening(options, static_dir) as address:
        page = await ready(await connect(address.socket))
        async with following(address.port, path_of(address)) as source:
            await source.event()
            strangers = [await asyncio.open_connection("127.0.0.1", address.port) for _ in "abc"]
            for reader, _ in strangers[:-1]:
                async with asyncio.timeout(30):
                    assert b" 503 " in await reader.readline()
            await page.call("LLMService.set_selected_files", FILES)
            await source.until(selected_files=FILES)
        for _, writer in strangers:
            writer.close()
            await writer.wait_closed()
        await page.leave()


async def test_when_the_server_stops_the_streams_end(
    repository: RepositoryFolder, static_dir: Path
) -> None:
    async with AsyncExitStack() as leaving:
        async with listening(ServeOptions(repository.root, 0), static_dir) as address:
            source = await leaving.enter_async_context(following(address.port, path_of(address)))
            await source.event()
        await source.end()


async def test_a_token_is_never_logged(
    address: Address, connect: OpenPage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    page = await ready(await connect(address.socket))
    async with following(address.port, path_of(address)) as source:
        await source.event()
    await page.call("LLMService.set_selected_files", FILES)
    await get(address.port, path_of(address, "&delta=x"))
    assert "/events" in caplog.text
    assert address.token not in caplog.text
