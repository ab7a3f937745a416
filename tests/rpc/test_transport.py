"""The transport interface, tested with the transports that need no process."""

import asyncio

import pytest

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.transport import FastTransport, Transport
from jupyter_ac.transports.websocket import WebSocketTransport
from tests.rpc.pairs import WAIT_S


class Cable:
    """A socket whose other end is another transport."""

    def __init__(self) -> None:
        self.other: WebSocketTransport | None = None

    async def send_text(self, text: str) -> None:
        await asyncio.sleep(0)
        assert self.other is not None
        self.other.deliver(text)

    def close(self, code: int, reason: str) -> None:
        assert self.other is not None
        self.other.lost(code, reason)


def websocket_pair() -> tuple[Transport, Transport]:
    cables = Cable(), Cable()
    ends = WebSocketTransport(cables[0]), WebSocketTransport(cables[1])
    cables[0].other, cables[1].other = ends[1], ends[0]
    return ends


PAIRS = pytest.mark.parametrize("pair", [direct_pair, websocket_pair])


@PAIRS
async def test_frames_keep_their_order(pair: object) -> None:
    one, two = websocket_pair() if pair is websocket_pair else direct_pair()
    for number in range(100):
        one.send(str(number))
    async with asyncio.timeout(WAIT_S):
        assert [await two.receive() for _ in range(100)] == [str(n) for n in range(100)]
    await one.close()


@PAIRS
async def test_closing_sends_what_waits_and_tells_the_other_end(pair: object) -> None:
    one, two = websocket_pair() if pair is websocket_pair else direct_pair()
    one.send("a")
    one.send("b")
    async with asyncio.timeout(WAIT_S):
        await one.close(4403, "not this one")
        await one.close()
        assert [await two.receive(), await two.receive()] == ["a", "b"]
        with pytest.raises(ConnectionClosed, match="not this one") as caught:
            await two.receive()
        assert caught.value.close_code == 4403
        with pytest.raises(ConnectionClosed):
            await one.receive()


@PAIRS
async def test_sending_after_the_end_does_nothing(pair: object) -> None:
    one, two = websocket_pair() if pair is websocket_pair else direct_pair()
    await two.close()
    one.send("x")
    two.send("x")
    with pytest.raises(ConnectionClosed):
        await two.receive()


def test_pushing_and_spelling_are_capabilities_of_some() -> None:
    assert isinstance(websocket_pair()[0], FastTransport)
    assert not isinstance(direct_pair()[0], FastTransport)
