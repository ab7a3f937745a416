import asyncio
import json

import pytest

from jupyter_ac.rpc.codec import LARGE_BYTES, decode, encode, encode_in_pieces, least_bytes
from jupyter_ac.rpc.connection import encode_answer
from jupyter_ac.rpc.encoded import Encoded, decoded
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.transports.websocket import TransportLimits, WebSocketTransport
from tests.rpc.pairs import WAIT_S, running, table

SPELT = Encoded[list[str]](['["a"', ',"\\udce9"]'])


@pytest.mark.parametrize("spell", [encode, encode_in_pieces])
@pytest.mark.parametrize("beside", ["x", "l\udce9", float("nan")])
def test_a_spelt_value_goes_in_as_it_is(spell: object, beside: object) -> None:
    assert callable(spell)
    value = {"id": 1, "result": SPELT, "other": [SPELT, beside]}
    text = spell(value)
    read = json.loads(text)
    assert read["result"] == ["a", "\udce9"]
    assert read["other"][0] == read["result"]
    assert text.encode()


def test_answers_alone_and_in_batches_hold_it() -> None:
    answer = {"jsonrpc": "2.0", "id": 1, "result": SPELT}
    for in_pieces in (False, True):
        assert decode(encode_answer(dict(answer), in_pieces=in_pieces)) == {
            **answer,
            "result": ["a", "\udce9"],
        }
        batch = decode(encode_answer([answer, answer], in_pieces=in_pieces))
        assert isinstance(batch, list)
        assert [one["result"] for one in batch] == [["a", "\udce9"]] * 2


def test_its_size_is_known() -> None:
    large: Encoded[str] = Encoded(['"', "x" * LARGE_BYTES, '"'])
    assert large.size_bytes == len(large.text)
    assert least_bytes([{"id": 1, "result": large}])[0] > LARGE_BYTES


def test_a_client_reads_the_type_inside() -> None:
    assert decoded(Encoded[list[str]]) == list[str]
    assert decoded(list[str]) == list[str]


async def test_many_answers_of_shared_pieces_do_not_count_as_waiting_text() -> None:
    class SlowSocket:
        def __init__(self) -> None:
            self.sent: list[int] = []

        async def send_text(self, text: str) -> None:
            await asyncio.sleep(0)
            self.sent.append(len(text))

        def close(self, code: int, reason: str) -> None:
            transport.lost(code, reason)

    large: Encoded[str] = Encoded(['"', "x" * (2 * LARGE_BYTES), '"'])
    socket = SlowSocket()
    transport = WebSocketTransport(socket, TransportLimits(outbox_bytes=3 * LARGE_BYTES))
    async with running(Peer(transport, table(large=lambda: large))):
        for number in range(20):
            transport.deliver(json.dumps({"jsonrpc": "2.0", "method": "T.large", "id": number}))
        async with asyncio.timeout(WAIT_S):
            while len(socket.sent) < 21:  # the list of our methods, and the answers
                await asyncio.sleep(0.001)
    assert sum(socket.sent) > 20 * large.size_bytes
