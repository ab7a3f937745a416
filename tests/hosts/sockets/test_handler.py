import asyncio

import pytest
from tornado.websocket import websocket_connect

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.hosts.sockets.handler import REASON_BYTES, shorten
from jupyter_ac.transports.websocket import WebSocketTransport
from tests.support.socket_server import serving


@pytest.mark.parametrize("reason", ["", "short", "ä" * 61])
def test_a_reason_that_fits_stays(reason: str) -> None:
    assert shorten(reason) == reason


def test_a_long_reason_is_cut_between_characters() -> None:
    cut = shorten("€" * 100)
    assert len(cut.encode()) <= REASON_BYTES
    assert cut.rstrip("…") == "€" * (len(cut) - 1)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 70_000])
async def test_frames_of_every_length_arrive_whole(size: int) -> None:
    text = "ä" * (size // 2) + "x" * (size % 2)
    async with serving({}) as floor:
        client = await websocket_connect(floor.url)
        await client.read_message()  # the list of methods
        floor.peers[0]._transport.send(text)
        assert await client.read_message() == text
        client.close()
        while await client.read_message() is not None:
            pass


async def test_a_closed_socket_refuses_frames() -> None:
    async with serving({}) as floor:
        client = await websocket_connect(floor.url)
        await client.read_message()
        transport = floor.peers[0]._transport
        assert isinstance(transport, WebSocketTransport)
        client.close()
        while await client.read_message() is not None:
            pass
        async with asyncio.timeout(30):
            await floor.tasks[0]
        with pytest.raises(ConnectionClosed):
            transport._socket.send_text("too late")
