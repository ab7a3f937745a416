"""The transport of one request."""

import asyncio
import threading

import pytest

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.rpc.dialect import JRPC_OO, JSONRPC2
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.transport import EndOfInput
from jupyter_ac.transports.exchange import ExchangeTransport
from tests.rpc.pairs import table


async def test_there_is_one_frame_and_then_an_end() -> None:
    transport = ExchangeTransport(b"{}", lambda _frame: None)
    assert await transport.receive() == b"{}"
    with pytest.raises(EndOfInput):
        await transport.receive()
    await transport.close(1001, "gone")
    with pytest.raises(ConnectionClosed, match="gone"):
        await transport.receive()


async def test_frames_keep_their_order_while_one_is_encoded() -> None:
    frames: list[str] = []
    transport = ExchangeTransport(b"", frames.append)
    gate = threading.Event()

    def spell() -> str:
        gate.wait(60)
        return "2"

    transport.send("1")
    transport.send_encoding(spell, 9)
    transport.send("3")
    transport.send_encoding(lambda: "4", 9, at_once=False)
    assert frames == ["1"]
    gate.set()
    await transport.flushed()
    assert frames == ["1", "2", "3", "4"]
    await transport.close()
    transport.send("5")
    assert frames == ["1", "2", "3", "4"]


@pytest.mark.parametrize("profile", [JSONRPC2, JRPC_OO], ids=lambda profile: profile.name)
@pytest.mark.parametrize("takes_events", [True, False])
async def test_a_peer_serves_it(profile: object, takes_events: bool) -> None:
    frames: list[str] = []
    refused: list[Exception] = []

    async def work() -> int:
        peer.notify("AcApp.event", 1)
        await asyncio.sleep(0)
        try:
            await peer.call("AcApp.question")
        except ConnectionClosed as error:
            refused.append(error)
        return 7

    body = b'{"jsonrpc":"2.0","id":1,"method":"T.work"}'
    chosen = JRPC_OO if profile is JRPC_OO else JSONRPC2
    transport = ExchangeTransport(body, frames.append)
    peer = Peer(transport, table(work=work), profile=chosen)
    await peer.run(is_exchange=True, takes_events=takes_events)
    assert frames[-1] == '{"jsonrpc":"2.0","id":1,"result":7}'
    assert len(frames) == (2 if takes_events else 1)
    assert len(refused) == 1
    assert peer.closed


async def test_an_answer_that_a_thread_encodes_is_passed_on_before_the_end() -> None:
    frames: list[str] = []
    long = "x" * (2 << 20)
    body = b'{"jsonrpc":"2.0","id":1,"method":"T.work"}'
    peer = Peer(ExchangeTransport(body, frames.append), table(work=lambda: long), profile=JSONRPC2)
    await peer.run(is_exchange=True, takes_events=False)
    assert frames == ['{"jsonrpc":"2.0","id":1,"result":"' + long + '"}']
