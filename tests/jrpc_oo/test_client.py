"""`JRPCClient` against a `JRPCServer`."""

import asyncio
import gc
from collections.abc import Awaitable
from contextlib import suppress

import pytest
from websockets.asyncio.client import connect as websocket_connect
from websockets.exceptions import ConnectionClosed as WebSocketClosed

from jupyter_ac.errors import (
    AccessDenied,
    Busy,
    ConnectionClosed,
    MethodNotFound,
    RemoteError,
    TimedOut,
    TooLarge,
)
from jupyter_ac.hosts.sockets.handler import TornadoSocket
from jupyter_ac.jrpc_oo import JRPCClient
from jupyter_ac.jrpc_oo.remotes import RemoteEnd
from jupyter_ac.transports.websocket import WebSocketTransport
from tests.jrpc_oo.objects import (
    WAIT_S,
    Page,
    Probe,
    client_of,
    connected,
    only,
    serving,
    until,
    uri_of,
)
from tests.jrpc_oo.test_dialling import unused_port

CLOSED = 4409


async def test_calls_both_ways() -> None:
    page = Page()
    async with serving(Probe()) as server:
        client = client_of(server, page)
        async with connected(client):
            assert await client.server["Probe.add"](1, 2) == 3
            assert only(await client.call["Probe.add"](1, 2)) == 3
            assert await client.server["Probe.nothing"]() is None
            assert await client.server["Probe.not_a_number"]() is None
            assert await client.server["Probe.ask_back"]("Page.event", 7) is True
            assert await server.server["Page.void"]() is None
            assert page.seen == [(7,)]


async def test_errors_carry_text_and_kind_both_ways() -> None:
    async with serving(Probe()) as server:
        client = client_of(server, Page())
        async with connected(client):
            with pytest.raises(RemoteError, match="this is why") as caught:
                await client.server["Probe.fails"]()
            assert caught.value.data == {"type": "internal", "exception": "ValueError"}
            with pytest.raises(RemoteError, match="ValueError"):
                await client.server["Probe.fails_without_text"]()
            with pytest.raises(RemoteError, match="another one is running") as caught:
                await client.call["Probe.refuses"]()
            assert caught.value.remote_type == "busy"
            with pytest.raises(RemoteError, match="the page is broken"):
                await server.server["Page.fails"]()
            with pytest.raises(MethodNotFound, match=r"Probe\.typo"):
                await client.server["Probe.typo"]()
            with pytest.raises(RemoteError, match="also needs b") as caught:
                await client.server["Probe.add"](1)
            assert caught.value.remote_code == -32602


async def test_a_call_waits_for_the_connection_that_is_being_made() -> None:
    async with serving(Probe()) as server:
        client = client_of(server)
        running = asyncio.create_task(client.connect())
        async with asyncio.timeout(WAIT_S):
            assert await client.server["Probe.add"](1, 2) == 3
            await client.disconnect()
            await running
        with pytest.raises(ConnectionClosed, match=r"run connect\(\) first"):
            await client.server["Probe.add"](1, 2)


async def test_a_call_fails_with_the_connection_that_could_not_be_made() -> None:
    client = JRPCClient(f"ws://127.0.0.1:{unused_port()}/")
    running = asyncio.create_task(client.connect())
    async with asyncio.timeout(WAIT_S):
        with pytest.raises(ConnectionClosed, match=r"run connect\(\) first"):
            await client.server["Probe.add"](1, 2)
        with pytest.raises(ConnectionClosed):
            await running


async def test_a_thousand_calls_at_once() -> None:
    async with serving(Probe()) as server:
        client = client_of(server, Page())
        async with connected(client):
            for name in ("Probe.slow_add", "Probe.add"):
                calls = [client.server[name](number, 1) for number in range(1000)]
                assert await asyncio.gather(*calls) == [number + 1 for number in range(1000)]
            events = [server.call["Page.event"](number) for number in range(1000)]
            assert {only(answer) for answer in await asyncio.gather(*events)} == {True}


async def test_big_messages() -> None:
    text = "ä" * 5_000_000
    async with serving(Probe()) as server:
        client = client_of(server)
        async with connected(client):
            echo, small = client.server["Probe.echo"](text), client.server["Probe.add"](1, 2)
            assert list(await asyncio.gather(echo, small)) == [text, 3]


async def test_too_big_a_message_is_refused_here_and_closes_nothing() -> None:
    async with serving(Probe()) as server:
        client = client_of(server)
        async with connected(client):
            with pytest.raises(TooLarge, match="64 MiB"):
                await client.server["Probe.echo"]("x" * ((64 << 20) + 1))
            assert await client.server["Probe.echo"]("x") == "x"


async def test_too_big_a_message_of_another_client_closes_with_the_code_that_says_so() -> None:
    async with serving(Probe()) as server, websocket_connect(uri_of(server)) as socket:
        with suppress(WebSocketClosed):
            await socket.send("x" * ((64 << 20) + 1))
        await socket.wait_closed()
        assert socket.close_code == 1009


async def test_a_server_that_is_not_there_is_raised_and_told() -> None:
    class Recording(JRPCClient):
        skipped = 0

        def setup_skip(self) -> Awaitable[None] | None:
            self.skipped += 1
            return None

    client = Recording(f"ws://127.0.0.1:{unused_port()}")
    with pytest.raises(ConnectionClosed, match="cannot be reached"):
        await client.connect()
    assert (client.skipped, client.connected) == (1, False)
    with pytest.raises(ConnectionClosed, match=r"run connect\(\) first"):
        await client.server["Probe.add"](1, 2)
    with pytest.raises(ConnectionClosed, match=r"run connect\(\) first"):
        await client.call["Probe.add"](1, 2)


async def test_the_token_in_the_uri_or_the_header() -> None:
    async with serving(Probe(), token="secret") as server:
        for client in (
            JRPCClient(uri_of(server, "/?token=secret")),
            JRPCClient(uri_of(server), token="secret"),
        ):
            async with connected(client):
                assert await client.server["Probe.add"](1, 2) == 3
        with pytest.raises(AccessDenied, match="token"):
            await client_of(server).connect()


async def test_connect_runs_until_the_end_and_disconnect_is_its_end() -> None:
    before = asyncio.all_tasks()
    async with serving(Probe()) as server:
        client = client_of(server)
        await client.disconnect()
        connection = asyncio.create_task(client.connect())
        await until(lambda: client.connected)
        assert not connection.done()
        with pytest.raises(Busy, match="connected already"):
            await client.connect()
        await client.disconnect()
        assert not client.connected
        assert dict(client.remotes) == {}
        await until(lambda: not server.remotes)
        async with asyncio.timeout(WAIT_S):
            await connection
    await until(lambda: asyncio.all_tasks() <= before)


async def test_a_client_can_connect_again_and_its_functions_stay_right() -> None:
    async with serving(Probe()) as server:
        client = client_of(server)
        function = client.server["Probe.add"]
        for _ in range(3):
            async with connected(client):
                assert await function(1, 2) == 3
            with pytest.raises(ConnectionClosed):
                await function(1, 2)


async def test_disconnecting_while_connecting() -> None:
    async with serving() as server:
        client = client_of(server)
        connection = asyncio.create_task(client.connect())
        await asyncio.sleep(0)
        async with asyncio.timeout(WAIT_S):
            await client.disconnect()
            await connection
        assert not client.connected


async def test_cancelling_connect_disconnects() -> None:
    async with serving(Probe()) as server:
        client = client_of(server)
        for when in (lambda: True, lambda: client.connected):
            connection = asyncio.create_task(client.connect())
            await until(when)
            connection.cancel()
            async with asyncio.timeout(WAIT_S):
                with pytest.raises(asyncio.CancelledError):
                    await connection
            assert not client.connected
            await until(lambda: not server.remotes)


@pytest.mark.parametrize(("code", "is_well"), [(1000, True), (1001, True), (CLOSED, False)])
async def test_the_servers_end_is_noticed_and_open_calls_fail_at_once(
    code: int, is_well: bool
) -> None:
    probe = Probe()
    probe.started = asyncio.Event()
    async with serving(probe) as server:
        client = client_of(server)
        connection = asyncio.create_task(client.connect())
        await until(lambda: client.connected)
        calling = asyncio.create_task(client.server["Probe.never"]())
        await probe.started.wait()
        (end,) = server.remotes.values()
        await end.peer.close(code, "the end")
        async with asyncio.timeout(WAIT_S):
            with pytest.raises(ConnectionClosed):
                await calling
            if is_well:
                await connection
            else:
                with pytest.raises(ConnectionClosed, match="the end") as caught:
                    await connection
                assert caught.value.close_code == code
        assert not client.connected


async def test_a_cut_is_raised() -> None:
    async with serving(Probe()) as server:
        client = client_of(server)
        connection = asyncio.create_task(client.connect())
        await until(lambda: server.remotes)
        (end,) = server.remotes.values()
        transport = end.peer._transport
        assert isinstance(transport, WebSocketTransport)
        assert isinstance(transport._socket, TornadoSocket)
        connected_socket = transport._socket._handler.ws_connection
        assert connected_socket is not None
        assert connected_socket.stream is not None
        connected_socket.stream.close()
        async with asyncio.timeout(WAIT_S):
            with pytest.raises(ConnectionClosed) as caught:
                await connection
        assert caught.value.close_code == 1006
        assert not client.connected


async def test_the_clients_end_in_the_middle_of_a_call_to_it() -> None:
    page = Page()
    async with serving() as server:
        client = client_of(server, page)
        async with connected(client):
            one = asyncio.create_task(server.server["Page.never"]())
            everyone = asyncio.create_task(server.call["Page.never"]())
            await until(lambda: page.seen == ["never", "never"])
            await client.disconnect()
            async with asyncio.timeout(WAIT_S):
                for calling in (one, everyone):
                    with pytest.raises(ConnectionClosed):
                        await calling


async def test_a_server_that_never_answers_is_given_up_after_the_timeout() -> None:
    probe = Probe()
    probe.started = asyncio.Event()
    async with serving(probe) as server:
        client = client_of(server, remote_timeout=0.2)
        async with connected(client):
            with pytest.raises(TimedOut, match=r"Probe\.never"):
                await client.server["Probe.never"]()
            assert await client.server["Probe.add"](1, 2) == 3


async def test_callbacks_of_a_subclass_may_do_the_whole_work() -> None:
    class Script(JRPCClient):
        result: object = None
        gone = ""

        async def setup_done(self) -> None:
            self.result = await self.server["Probe.add"](1, 2)
            await self.disconnect()
            self.result = [self.result, "after the end"]

        def remote_disconnected(self, uuid: str) -> None:
            self.gone = uuid

    async with serving(Probe()) as server:
        client = Script(uri_of(server))
        async with asyncio.timeout(WAIT_S):
            await client.connect()
        assert client.result == [3, "after the end"]
        assert len(client.gone) == 36


async def test_nothing_is_left_open() -> None:
    async with serving(Probe()) as server:
        for _ in range(20):
            client = client_of(server)
            async with connected(client):
                assert await client.server["Probe.slow_add"](1, 1) == 2
        await until(lambda: not server.remotes)
    gc.collect()
    assert not [each for each in gc.get_objects() if isinstance(each, RemoteEnd)]
