"""A plugin's WebSocket to a server; the real servers' doors have tests of their own."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.server import ServerConnection, serve

from jupyter_ac.errors import ConnectionClosed, NotConnected
from jupyter_ac.hosts.panels.plugin_socket import open_socket


@asynccontextmanager
async def server(answer: Callable[[ServerConnection], Awaitable[None]]) -> AsyncIterator[str]:
    async with serve(answer, "127.0.0.1", 0) as running:
        port = next(iter(running.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}/"


async def echo(connection: ServerConnection) -> None:
    async for message in connection:
        await connection.send(message)


async def test_frames_go_both_ways_in_order() -> None:
    async with server(echo) as url, open_socket(url) as transport:
        for number in range(100):
            transport.send(str(number))
        assert [await transport.receive() for _ in range(100)] == [str(n) for n in range(100)]
        await transport.close()
        with pytest.raises(ConnectionClosed):
            await transport.receive()


async def test_the_reason_of_the_end_is_known() -> None:
    async def leave(connection: ServerConnection) -> None:
        await connection.close(4409, "Another plugin has connected.")

    async with server(leave) as url, open_socket(url) as transport:
        with pytest.raises(ConnectionClosed, match="Another plugin") as ended:
            await transport.receive()
        assert ended.value.close_code == 4409


async def test_nobody_answers() -> None:
    async def hang_up(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    listener = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    async with listener:
        with pytest.raises(NotConnected, match="No server answers"):
            async with open_socket(f"ws://127.0.0.1:{port}/"):
                pass
    with pytest.raises(NotConnected, match="No server answers"):
        async with open_socket(f"ws://127.0.0.1:{port}/"):
            pass
