"""Connecting to a server, and the possible failures."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from jupyter_ac.errors import AccessDenied, ConnectionClosed, TimedOut
from jupyter_ac.jrpc_oo import JRPCServer
from jupyter_ac.jrpc_oo.dialling import dial
from tests.jrpc_oo.objects import WAIT_S, serving, until, uri_of


@asynccontextmanager
async def listening(answer: bytes | None) -> AsyncIterator[str]:
    """Listen with a server that is no WebSocket's: it answers this, or nothing at all."""
    ended = asyncio.Event()
    talks: list[asyncio.Task[object] | None] = []

    async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talks.append(asyncio.current_task())
        if answer is not None:
            writer.write(answer)
        else:
            await ended.wait()
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield f"ws://127.0.0.1:{port}/a?token=hush"
    finally:
        ended.set()
        server.close()
        await server.wait_closed()
        await asyncio.gather(*filter(None, talks))


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


async def test_an_open_line_carries_frames_until_it_is_dropped() -> None:
    async with serving() as server:
        line = await dial(uri_of(server), WAIT_S, None, None)
        reading = asyncio.create_task(line.read())
        async with asyncio.timeout(WAIT_S):
            assert "system.listComponents" in str(await line.transport.receive())
            line.drop()
            await reading
            with pytest.raises(ConnectionClosed):
                await line.transport.receive()


async def test_nobody_listens() -> None:
    with pytest.raises(ConnectionClosed, match=r"ws://127\.0\.0\.1:\d+/x cannot be reached"):
        await dial(f"ws://127.0.0.1:{unused_port()}/x?token=hush", WAIT_S, None, None)


async def test_a_name_that_does_not_exist() -> None:
    with pytest.raises(ConnectionClosed, match="cannot be reached"):
        await dial("ws://nobody.invalid:1/", WAIT_S, None, None)


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"",
    ],
)
async def test_what_listens_is_no_websocket(answer: bytes) -> None:
    async with listening(answer) as uri:
        with pytest.raises(ConnectionClosed, match="cannot be reached"):
            await dial(uri, WAIT_S, None, None)


@pytest.mark.parametrize("code", [b"401 Unauthorized", b"403 Forbidden"])
async def test_a_refusal_is_told_apart_and_keeps_the_token(code: bytes) -> None:
    async with listening(b"HTTP/1.1 " + code + b"\r\nContent-Length: 0\r\n\r\n") as uri:
        with pytest.raises(AccessDenied, match="is the token right") as caught:
            await dial(uri, WAIT_S, None, None)
        assert "hush" not in str(caught.value)


async def test_a_server_that_says_nothing_is_given_up() -> None:
    async with listening(None) as uri:
        with pytest.raises(TimedOut, match=r"did not answer within 0\.2 s"):
            await dial(uri, 0.2, None, None)


@pytest.mark.parametrize(
    "uri", ["http://127.0.0.1:1/", "127.0.0.1:1", "ws://", "", "ws:///path", "file:///etc/passwd"]
)
async def test_other_addresses_are_mistakes(uri: str) -> None:
    with pytest.raises(ValueError, match="ws://"):
        await dial(uri, WAIT_S, None, None)


async def test_a_line_that_nobody_waits_for_any_more_is_closed() -> None:
    class Counting(JRPCServer):
        came = 0

        def remote_is_up(self) -> None:
            self.came += 1

    server = Counting(0)
    await server.start()
    opening = asyncio.create_task(dial(uri_of(server), WAIT_S, None, None))
    await asyncio.sleep(0)
    opening.cancel()
    await asyncio.wait([opening])
    assert opening.cancelled()
    # It comes about in spite of that, and ends at once.
    await until(lambda: server.came)
    await until(lambda: not server.remotes)
    await server.stop()


async def test_the_token_travels_in_a_header() -> None:
    async with serving(token="secret") as server:
        line = await dial(uri_of(server), WAIT_S, None, "secret")
        reading = asyncio.create_task(line.read())
        line.drop()
        await reading
        with pytest.raises(AccessDenied):
            await dial(uri_of(server), WAIT_S, None, "wrong")
