"""Which connections are given up, on real sockets and at a pace that a test can wait for."""

import asyncio
import os
from collections.abc import Callable

import pytest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.hosts.sockets.heartbeat import Heartbeat, HeartbeatTiming
from jupyter_ac.rpc.methods import Method
from tests.rpc.pairs import table
from tests.support.socket_server import serving

PACE = HeartbeatTiming(ping_s=0.02, silence_s=0.3)
LIMIT_S = 90.0
HANDSHAKE = (
    f"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    f"Sec-WebSocket-Key: {'A' * 22}==\r\nSec-WebSocket-Version: 13\r\n\r\n"
).encode()
CLOSE_1011 = b"\x03\xf3"


async def enough_pings(pings: Callable[[], int], more: int = 40) -> None:
    """Wait for pings that take longer than the silence that is allowed."""
    wanted = pings() + more
    async with asyncio.timeout(LIMIT_S):
        while pings() < wanted:
            await asyncio.sleep(0.005)


async def test_an_end_that_answers_pings_stays_however_quiet_it_is() -> None:
    pings: list[bytes] = []

    class Counting(WebSocketClientConnection):
        def on_ping(self, data: bytes) -> None:
            pings.append(data)

    async with serving({}, pace=PACE) as floor:
        client = await websocket_connect(floor.url)
        client.__class__ = Counting
        reading = asyncio.create_task(read_all(client))
        await enough_pings(lambda: len(pings))
        assert not floor.peers[0].closed
        client.close()
        await reading


async def read_all(client: WebSocketClientConnection) -> None:
    while await client.read_message() is not None:
        pass


async def test_an_end_that_is_gone_is_given_up_and_its_calls_fail() -> None:
    async with serving({}, pace=PACE) as floor:
        reader, writer = await asyncio.open_connection("127.0.0.1", floor.port)
        writer.write(HANDSHAKE)
        async with asyncio.timeout(LIMIT_S):
            await reader.readuntil(b"\r\n\r\n")
            while not floor.peers:
                await asyncio.sleep(0.005)
            with pytest.raises(ConnectionClosed):
                await floor.peers[0].call("T.anything")
            # The socket itself ends with the code that says so, for an end that comes back.
            await reader.readuntil(CLOSE_1011)
        assert floor.peers[0].closed
        writer.close()


async def test_an_end_that_we_do_not_read_from_is_not_blamed() -> None:
    pings: list[None] = []
    given_up: list[None] = []
    held = True
    heartbeat = Heartbeat(
        lambda: pings.append(None), lambda: held, lambda: given_up.append(None), PACE
    )
    await enough_pings(lambda: len(pings))
    assert given_up == []
    held = False
    async with asyncio.timeout(LIMIT_S):
        while not given_up:
            await asyncio.sleep(0.005)
    count = len(pings)
    heartbeat.stop()
    assert len(pings) == count


async def test_frames_are_signs_of_life_as_good_as_pongs() -> None:
    async with serving(methods(), pace=PACE) as floor:
        reader, writer = await asyncio.open_connection("127.0.0.1", floor.port)
        writer.write(HANDSHAKE)
        await reader.readuntil(b"\r\n\r\n")
        counted = Counted(reader)
        # It never answers a ping, and asks for something now and then.
        while counted.pings < 60:
            writer.write(masked(b'{"jsonrpc":"2.0","id":7,"method":"T.one","params":{"args":[]}}'))
            async with asyncio.timeout(LIMIT_S):
                await counted.more()
        assert not floor.peers[0].closed
        writer.close()


def methods() -> dict[str, Method]:
    return table(one=lambda: 1)


def masked(payload: bytes) -> bytes:
    assert len(payload) < 126
    key = os.urandom(4)
    body = bytes(byte ^ key[at % 4] for at, byte in enumerate(payload))
    return bytes((0x81, 0x80 | len(payload))) + key + body


class Counted:
    """Reads and counts pings, which are two bytes each."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self.pings = 0
        self._reader = reader

    async def more(self) -> None:
        received = await self._reader.read(1 << 16)
        assert received, "the server has closed the connection"
        self.pings += received.count(b"\x89\x00")
