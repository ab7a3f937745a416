"""Our client with upstream's Python server, and its client with our server."""

import asyncio

import pytest

from jupyter_ac.errors import ConnectionClosed, MethodNotFound, RemoteError, TimedOut
from jupyter_ac.jrpc_oo import JRPCClient
from tests.jrpc_oo.objects import WAIT_S, Page, Probe, connected, only, serving, until, uri_of
from tests.support.upstream import UpstreamError, upstream

NAMES = {"add", "slow_add", "echo", "nothing", "fails", "never", "ask_back", "event"}


async def test_our_client_with_its_server() -> None:
    page = Page()
    async with upstream("server") as theirs:
        await theirs.ready()
        client = JRPCClient(f"ws://127.0.0.1:{theirs.port}")
        client.add_class(page)
        async with connected(client):
            assert {f"Theirs.{name}" for name in NAMES} <= set(client.server)
            assert await client.server["Theirs.add"](1, 2) == 3
            assert only(await client.call["Theirs.slow_add"](1, 2)) == 3
            assert await client.server["Theirs.nothing"]() is None
            assert await client.server["Theirs.echo"]({"a": ["ż", None]}) == {"a": ["ż", None]}
            with pytest.raises(RemoteError, match="this is why") as caught:
                await client.server["Theirs.fails"]()
            assert caught.value.remote_code == -32000
            with pytest.raises(MethodNotFound):
                await client.server["Theirs.typo"]()
            assert await theirs.call("Page.event", 1, "x") is True
            assert await theirs.call("Page.void") is None
            assert await client.server["Theirs.ask_back"]("Page.event", "back") is True
            assert page.seen == [(1, "x"), ("back",)]


async def test_its_server_can_be_asked_a_thousand_times_at_once() -> None:
    async with upstream("server") as theirs:
        await theirs.ready()
        client = JRPCClient(f"ws://127.0.0.1:{theirs.port}")
        async with connected(client):
            calls = [client.server["Theirs.slow_add"](number, 1) for number in range(1000)]
            assert await asyncio.gather(*calls) == [number + 1 for number in range(1000)]
            text = "x" * 900_000
            assert await client.server["Theirs.echo"](text) == text


@pytest.mark.parametrize("is_killed", [False, True])
async def test_its_server_ends_in_the_middle_of_a_call(is_killed: bool) -> None:
    async with upstream("server") as theirs:
        await theirs.ready()
        client = JRPCClient(f"ws://127.0.0.1:{theirs.port}")
        connection = asyncio.create_task(client.connect())
        await until(lambda: client.connected)
        calling = asyncio.create_task(client.server["Theirs.never"]())
        assert await theirs.called() == ("never", [])
        async with asyncio.timeout(WAIT_S):
            if is_killed:
                await theirs.aclose()
                with pytest.raises(ConnectionClosed) as caught:
                    await connection
                assert caught.value.close_code == 1006
            else:
                await theirs.command("stop")
                await connection
            with pytest.raises(ConnectionClosed):
                await calling
        assert not client.connected


async def test_its_nan_is_refused_and_the_connection_lives() -> None:
    async with upstream("server") as theirs:
        await theirs.ready()
        client = JRPCClient(f"ws://127.0.0.1:{theirs.port}", remote_timeout=0.3)
        async with connected(client):
            with pytest.raises(TimedOut, match=r"Theirs\.not_a_number"):
                await client.server["Theirs.not_a_number"]()
            assert await client.server["Theirs.add"](1, 2) == 3


async def test_its_client_with_our_server() -> None:
    async with serving(Probe()) as server, upstream("client", uri_of(server)) as theirs:
        await theirs.ready()
        names = await theirs.command("names")
        assert isinstance(names, list)
        assert {"Probe.add", "Probe.slow_add", "system.listComponents"} <= set(names)
        assert await theirs.call("Probe.add", 1, 2) == 3
        envelope = await theirs.call("Probe.slow_add", 1, 2, via="call")
        assert isinstance(envelope, dict)
        assert only(envelope) == 3
        assert await theirs.call("Probe.nothing") is None
        assert await theirs.call("Probe.not_a_number") is None
        with pytest.raises(UpstreamError, match="this is why"):
            await theirs.call("Probe.fails")
        with pytest.raises(UpstreamError, match="ValueError"):
            await theirs.call("Probe.fails_without_text")
        assert await server.server["Theirs.add"](1, 2) == 3
        assert only(await server.call["Theirs.event"]("hello")) is True
        assert await theirs.called() == ("event", ["hello"])
        assert await theirs.call("Probe.ask_back", "Theirs.add", 2, 2) == 4


async def test_its_client_asks_our_server_a_thousand_times_at_once() -> None:
    async with serving(Probe()) as server, upstream("client", uri_of(server)) as theirs:
        await theirs.ready()
        calls = [theirs.call("Probe.slow_add", number, 1) for number in range(1000)]
        assert await asyncio.gather(*calls) == [number + 1 for number in range(1000)]
        text = "x" * 900_000
        assert await theirs.call("Probe.echo", text) == text


async def test_its_client_leaves_in_the_middle_of_a_call_to_it() -> None:
    async with serving(Probe()) as server, upstream("client", uri_of(server)) as theirs:
        await theirs.ready()
        calling = asyncio.create_task(server.call["Theirs.never"]())
        assert await theirs.called() == ("never", [])
        await theirs.command("disconnect")
        async with asyncio.timeout(WAIT_S):
            with pytest.raises(ConnectionClosed):
                await calling
            await until(lambda: not server.remotes)


async def test_our_server_stops_with_its_client_there() -> None:
    async with serving(Probe()) as server, upstream("client", uri_of(server)) as theirs:
        await theirs.ready()
        async with asyncio.timeout(WAIT_S):
            await server.stop()
        assert await theirs.called() == ("gone", [])
