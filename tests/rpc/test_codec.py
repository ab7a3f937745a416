"""Encoding and decoding of frames and values at the limits."""

import asyncio
import json
import math
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import ParseError, ProtocolError
from jupyter_ac.rpc.codec import (
    LARGE_BYTES,
    Encoded,
    SerialisationError,
    decode,
    decoded,
    encode,
    encode_in_pieces,
    least_bytes,
    utf8_bytes,
)
from jupyter_ac.rpc.connection import encode_answer
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.transports.websocket import TransportLimits, WebSocketTransport
from tests.rpc.pairs import WAIT_S, running, table

INT64 = 2**63
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-INT64, INT64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=25
)


@given(st.text() | st.binary())
def test_decode_raises_nothing_but_a_protocol_error(frame: str | bytes) -> None:
    value: object = None
    with suppress(ProtocolError):
        value = decode(frame)
    assert decode(encode(value)) == value


@given(VALUES)
def test_what_is_encoded_decodes_to_the_same(value: object) -> None:
    assert decode(encode(value)) == value
    assert decode(encode_in_pieces(value)) == value


@given(st.text(st.characters(categories=("Cs", "L", "Nd"))))
def test_lone_surrogates_travel_both_ways(text: str) -> None:
    frame = encode([text])
    assert frame.encode("utf-8")
    assert decode(frame) == json.loads(json.dumps([text]))


@dataclass(frozen=True, slots=True)
class Record:
    path: str
    parts: tuple[int, ...] = ()


def test_a_record_with_a_lone_surrogate_is_encoded_like_another() -> None:
    assert decode(encode(Record("a", (1,)))) == {"path": "a", "parts": [1]}
    assert decode(encode({"record": Record("caf\udce9")})) == {
        "record": {"path": "caf\udce9", "parts": []}
    }


def test_a_surrogate_in_the_text_itself_is_read() -> None:
    assert decode('"\ud800"') == "\ud800"
    assert decode(b'"\\udce9.txt"') == "\udce9.txt"


@pytest.mark.parametrize("frame", ["NaN", "[Infinity]", "-Infinity", "1e999", '["\\ud800", NaN]'])
def test_numbers_that_are_not_finite_are_refused(frame: str) -> None:
    with pytest.raises(ParseError):
        decode(frame)


def test_a_number_too_large_beside_a_surrogate_is_refused() -> None:
    with pytest.raises(ParseError, match="too large"):
        decode('["\\ud800", 1e999]')


def test_outgoing_numbers_that_are_not_finite_become_null() -> None:
    value = [math.nan, {"a": math.inf}, (-math.inf,), "\ud800", 2.5]
    assert json.loads(encode(value)) == [None, {"a": None}, [None], "\ud800", 2.5]
    assert encode([math.nan]) == "[null]"


def test_integers_beyond_64_bits_go_out_exactly() -> None:
    assert encode({"n": 2**70}) == f'{{"n":{2**70}}}'


def test_an_id_beyond_64_bits_keeps_its_digits() -> None:
    assert decode(f'{{"id":{2**70}}}') == {"id": 2**70}


@pytest.mark.parametrize("frame", ["\ufeff[1]", "\ufeff[1]".encode()])
def test_one_byte_order_mark_is_skipped(frame: str | bytes) -> None:
    assert decode(frame) == [1]


def test_of_equal_keys_the_last_one_counts() -> None:
    assert decode('{"a":1,"a":2}') == {"a": 2}


@pytest.mark.parametrize("frame", ["\ufeff" * 2000, b"\xef\xbb\xbf" * 2000])
def test_more_byte_order_marks_are_no_json(frame: str | bytes) -> None:
    with pytest.raises(ParseError):
        decode(frame)


@pytest.mark.parametrize("frame", ["", " ", "\ufeff", b"", '{"a":}', "[1,]", b'"\xff"', b"\xc3("])
def test_broken_frames_are_parse_errors(frame: str | bytes) -> None:
    with pytest.raises(ParseError, match="not JSON"):
        decode(frame)


@pytest.mark.parametrize("inside", ["", '"\\ud800"'])
def test_ten_thousand_levels_are_a_parse_error(inside: str) -> None:
    with pytest.raises(ParseError):
        decode("[" * 10_000 + inside + "]" * 10_000)


@pytest.mark.parametrize("value", [{1, 2}, b"x", object(), {"a": [lambda: None]}, {(1, 2): 3}])
def test_a_value_that_is_not_json_is_named(value: object) -> None:
    with pytest.raises(SerialisationError, match="cannot be sent as JSON"):
        encode(value)


def test_a_cycle_and_a_deep_value_are_refused() -> None:
    cycle: list[object] = []
    cycle.append(cycle)
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    for value in (cycle, deep):
        with pytest.raises(SerialisationError, match="too deeply"):
            encode(value)


def test_keys_that_are_not_text_become_text() -> None:
    assert json.loads(encode({1: "a"})) == {"1": "a"}
    assert json.loads(encode_in_pieces({1: "a"})) == {"1": "a"}


def test_pieces_of_a_long_list_join_to_the_same_text() -> None:
    rows: list[object] = [{"n": number} for number in range(1_000)]
    value = {"rows": rows, "empty": []}
    assert encode_in_pieces(value) == encode(value)


def test_another_thread_runs_while_a_large_value_is_spelt_in_pieces() -> None:
    value = {"rows": [{"text": "x" * 1_000, "n": number} for number in range(20_000)]}
    spelt: list[str] = []
    worker = Thread(target=lambda: spelt.append(encode_in_pieces(value)))
    worker.start()
    worker.join(30)
    assert orjson.loads(spelt[0]) == value


@pytest.mark.parametrize(
    "value",
    [
        "x" * 3_000_000,
        ["x" * 300] * 10_000,
        {"a": {"b": [{"c": "x" * 100} for _ in range(20_000)]}},
        [{"path": f"src/module{n}.py", "tokens": n} for n in range(60_000)],
    ],
)
def test_a_large_value_is_known_to_be_large(value: object) -> None:
    size, is_all = least_bytes(value)
    assert size > LARGE_BYTES or not is_all
    assert size <= len(encode(value))


def test_rows_beside_few_large_ones_do_not_make_a_value_larger() -> None:
    """What a sample of it would multiply: eight megabytes that were once taken for 64."""
    rows = [{"index": n, "file": "", "span": [n, n + 9]} for n in range(16_000)]
    value = {"messages": [{"content": "?"}, {"content": "x" * 1000, "edit_results": rows}] * 2}
    size, _ = least_bytes(value)
    assert size <= len(encode(value))


def test_small_values_are_looked_at_whole() -> None:
    values: tuple[object, ...] = (None, 1, "abc", [], {}, {"a": [1, 2, {"b": None}]}, (1, 2))
    for value in values:
        size, is_all = least_bytes(value)
        assert is_all
        assert size < 200


@given(VALUES)
def test_the_count_never_exceeds_the_json(value: object) -> None:
    assert least_bytes(value)[0] <= utf8_bytes(encode(value))


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
