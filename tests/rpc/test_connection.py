"""The state machine without I/O: frames in, frames out."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.rpc import connection as connection_module
from jupyter_ac.rpc.connection import BATCH_LIMIT, Connection, Envelope, encode_answer
from jupyter_ac.rpc.dialect import JRPC_OO, JSONRPC2, LIST_COMPONENTS, WireDialect
from jupyter_ac.rpc.messages import ErrorObject, Failure, Success

BOTH = pytest.mark.parametrize("profile", [JSONRPC2, JRPC_OO], ids=lambda profile: profile.name)


def opened(profile: WireDialect, *names: str) -> Connection:
    connection = Connection(profile, lambda: names)
    connection.open()
    return connection


def code_and_id(reply: Envelope) -> tuple[object, object]:
    assert isinstance(reply, dict)
    error = reply["error"]
    assert isinstance(error, dict)
    return error["code"], reply["id"]


@given(st.text() | st.binary(), st.booleans())
def test_no_frame_raises(frame: str | bytes, jrpc_oo: bool) -> None:
    received = opened(JRPC_OO if jrpc_oo else JSONRPC2).receive(frame)
    assert received.answers == []
    assert all(encode_answer(reply) for reply in received.replies)


@BOTH
def test_a_thousand_answers_in_any_order_find_their_calls(profile: WireDialect) -> None:
    connection = opened(profile)
    ids = [connection.call("T.f", (number,))[0] for number in range(1_000)]
    assert len(set(ids)) == 1_000
    for call_id in reversed(ids):
        received = connection.receive(json.dumps({"id": call_id, "result": call_id}))
        assert received.answers == [(call_id, Success(call_id, call_id))]


@BOTH
@pytest.mark.parametrize("call_id", [99, "99", 0, -1, None, 1.5, "", "x", "\uff11", [1], {}, True])
def test_an_answer_to_no_open_call_is_ignored(profile: WireDialect, call_id: object) -> None:
    connection = opened(profile)
    connection.call("T.f", ())
    received = connection.receive(json.dumps({"jsonrpc": "2.0", "id": call_id, "result": 5}))
    assert (received.answers, received.replies, received.calls) == ([], [], [])


@BOTH
def test_a_second_answer_is_ignored(profile: WireDialect) -> None:
    connection = opened(profile)
    call_id, _ = connection.call("T.f", ())
    frame = json.dumps({"jsonrpc": "2.0", "id": call_id, "result": 5})
    assert len(connection.receive(frame).answers) == 1
    assert connection.receive(frame).answers == []


@BOTH
def test_the_answer_to_a_forgotten_call_is_ignored(profile: WireDialect) -> None:
    connection = opened(profile)
    call_id, _ = connection.call("T.f", ())
    connection.forget(call_id)
    connection.forget(call_id)
    assert connection.receive(json.dumps({"id": call_id, "result": 5})).answers == []


def test_a_number_as_text_answers_the_number_in_jrpc_oo_only() -> None:
    for profile, count in ((JRPC_OO, 1), (JSONRPC2, 0)):
        connection = opened(profile)
        call_id, _ = connection.call("T.f", ())
        assert len(connection.receive(f'{{"id":"{call_id}","result":5}}').answers) == count
    assert opened(JRPC_OO).receive(f'{{"id":"{"9" * 5_000}","result":5}}').answers == []


@BOTH
def test_both_ends_may_use_the_same_ids_at_once(profile: WireDialect) -> None:
    connection = opened(profile)
    call_id, _ = connection.call("T.f", ())
    theirs = connection.receive(
        json.dumps({"jsonrpc": "2.0", "method": "T.g", "params": [], "id": call_id})
    )
    assert connection.answer(theirs.calls[0], "mine") == {
        "jsonrpc": "2.0",
        "id": call_id,
        "result": "mine",
    }
    ours = connection.receive(json.dumps({"jsonrpc": "2.0", "id": call_id, "result": "theirs"}))
    assert ours.answers == [(call_id, Success(call_id, "theirs"))]


@BOTH
def test_an_id_may_come_again_even_while_it_is_open(profile: WireDialect) -> None:
    connection = opened(profile)
    frame = json.dumps({"jsonrpc": "2.0", "method": "T.f", "params": [], "id": 7})
    calls = [connection.receive(frame).calls[0] for _ in range(3)]
    answers = [connection.answer(call, n) for n, call in enumerate(calls)]
    assert answers == [{"jsonrpc": "2.0", "id": 7, "result": n} for n in range(3)]


@BOTH
def test_a_notification_has_no_answer(profile: WireDialect) -> None:
    connection = opened(profile)
    received = connection.receive('{"jsonrpc":"2.0","method":"T.f","params":[1]}')
    assert connection.answer(received.calls[0], ErrorObject(-1, "failed")) is None


@BOTH
@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("", -32700),
        ("nonsense", -32700),
        (b"\xff\xfe", -32700),
        ("[" * 10_000 + "]" * 10_000, -32700),
        ("[NaN]", -32700),
        ("null", -32600),
        ("1", -32600),
        ('"text"', -32600),
        ("{}", -32600),
        ('{"jsonrpc":"2.0","method":"m","id":{}}', -32600),
    ],
)
def test_what_is_no_message_is_refused_under_null(
    profile: WireDialect, frame: str | bytes, code: int
) -> None:
    received = opened(profile).receive(frame)
    assert [code_and_id(reply) for reply in received.replies] == [(code, None)]
    assert received.calls == []


@BOTH
def test_our_own_refusals_are_not_answered(profile: WireDialect) -> None:
    connection = opened(profile)
    (refusal,) = connection.receive("nonsense").replies
    received = connection.receive(encode_answer(refusal))
    assert (received.calls, received.answers, received.replies) == ([], [], [])


def test_a_batch_is_answered_at_once_when_its_last_answer_is_there() -> None:
    connection = opened(JSONRPC2)
    call = '{"jsonrpc":"2.0","method":"T.f","id":%d}'
    received = connection.receive(f"[{call % 1},7,{call % 2}]")
    assert received.replies == []
    first, second = received.calls
    assert connection.answer(second, "b") is None
    answers = connection.answer(first, "a")
    assert isinstance(answers, list)
    assert len(answers) == 3


def test_a_batch_may_hold_calls_and_answers() -> None:
    for profile in (JSONRPC2, JRPC_OO):
        connection = opened(profile)
        call_id, _ = connection.call("T.f", ())
        received = connection.receive(
            json.dumps(
                [
                    {"jsonrpc": "2.0", "id": call_id, "result": 1},
                    {"jsonrpc": "2.0", "method": "T.g", "id": "x"},
                    {"jsonrpc": "2.0", "method": "T.g"},
                    {"jsonrpc": "2.0", "id": 99, "error": {"code": 1, "message": ""}},
                ]
            )
        )
        assert received.answers == [(call_id, Success(call_id, 1))]
        assert [call.is_answered for call in received.calls] == [True, False]
        answer = connection.answer(received.calls[0], None)
        expected = {"jsonrpc": "2.0", "id": "x", "result": None}
        assert answer == ([expected] if profile is JSONRPC2 else expected)


def test_jrpc_oo_answers_each_item_of_an_array_in_its_own_frame() -> None:
    connection = opened(JRPC_OO)
    received = connection.receive('[{"jsonrpc":"2.0","method":"T.f","id":1},7]')
    assert [code_and_id(reply) for reply in received.replies] == [(-32600, None)]
    assert connection.answer(received.calls[0], 5) == {"jsonrpc": "2.0", "id": 1, "result": 5}


def test_an_empty_array_is_ignored_in_jrpc_oo_and_refused_by_the_book() -> None:
    assert opened(JRPC_OO).receive("[]").replies == []
    assert [code_and_id(r) for r in opened(JSONRPC2).receive("[]").replies] == [(-32600, None)]


@BOTH
def test_a_nested_batch_is_refused(profile: WireDialect) -> None:
    (reply,) = opened(profile).receive("[[]]").replies
    item = reply[0] if isinstance(reply, list) else reply
    assert isinstance(item, dict)
    assert code_and_id(item) == (-32600, None)


@BOTH
def test_a_batch_over_the_limit_is_refused_as_one(profile: WireDialect) -> None:
    received = opened(profile).receive("[" + ",".join(["1"] * (BATCH_LIMIT + 1)) + "]")
    assert [code_and_id(reply) for reply in received.replies] == [(-32600, None)]


def test_the_first_frame_lists_our_methods() -> None:
    assert Connection(JSONRPC2, lambda: ["T.f"]).open() is None
    assert Connection(JRPC_OO, lambda: ["T.f"]).open() == {
        "jsonrpc": "2.0",
        "method": LIST_COMPONENTS,
        "params": {LIST_COMPONENTS: True, "T.f": True},
        "id": 1,
    }


@pytest.mark.parametrize("params", [{"A.b": True}, [], {"args": []}, {}, None])
def test_every_list_request_is_answered_with_our_map_as_an_object(params: object) -> None:
    received = opened(JRPC_OO, "T.f").receive(
        json.dumps({"jsonrpc": "2.0", "method": LIST_COMPONENTS, "params": params, "id": 2})
    )
    assert received.replies == [
        {"jsonrpc": "2.0", "id": 2, "result": {LIST_COMPONENTS: True, "T.f": True}}
    ]
    assert received.calls == []


def listed(connection: Connection, params: object) -> frozenset[str]:
    message = {"jsonrpc": "2.0", "method": LIST_COMPONENTS, "params": params}
    connection.receive(json.dumps(message))
    return connection.remote_methods


def test_the_params_of_a_list_request_are_the_remotes_methods_then_and_later() -> None:
    connection = opened(JRPC_OO)
    before = connection.is_handshaken
    assert listed(connection, {"A.b": True, "A.gone": False}) == {"A.b"}
    assert (before, connection.is_handshaken) == (False, True)
    assert listed(connection, {"A.b": True, "A.c": True}) == {"A.b", "A.c"}


@pytest.mark.parametrize("params", [[], {}, {"args": []}, None])
def test_a_list_request_without_a_map_wipes_nothing(params: object) -> None:
    connection = opened(JRPC_OO)
    listed(connection, {"A.b": True})
    assert listed(connection, params) == {"A.b"}


def test_the_answer_to_our_list_request_completes_the_handshake() -> None:
    connection = opened(JRPC_OO)
    received = connection.receive('{"jsonrpc":"2.0","id":1,"result":{"A.b":true}}')
    assert received.answers == []
    assert connection.remote_methods == {"A.b"}


def test_a_refused_handshake_leaves_an_empty_list() -> None:
    connection = opened(JRPC_OO)
    connection.receive('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"error"}}')
    assert connection.is_handshaken
    assert connection.remote_methods == frozenset()


def test_a_list_that_has_grown_is_sent_and_given_from_then_on() -> None:
    names = ["T.one"]
    connection = Connection(JRPC_OO, lambda: names)
    connection.open()
    names.append("T.two")
    grown = {LIST_COMPONENTS: True, "T.one": True, "T.two": True}
    again = connection.open()
    assert isinstance(again, dict)
    assert (again["method"], again["params"]) == (LIST_COMPONENTS, grown)
    asked = connection.receive(
        json.dumps({"jsonrpc": "2.0", "method": LIST_COMPONENTS, "params": [], "id": 1})
    )
    assert asked.replies == [{"jsonrpc": "2.0", "id": 1, "result": grown}]
    # The answers to both lists may come in any order, and the newer one counts.
    newer = connection.receive(json.dumps({"id": again["id"], "result": {"B.new": True}}))
    older = connection.receive(json.dumps({"id": 1, "result": {"B.old": True}}))
    assert (newer.replies, older.replies) == ([], [])
    assert connection.remote_methods == {"B.new"}


def test_by_the_book_there_is_no_handshake() -> None:
    connection = opened(JSONRPC2)
    assert connection.is_handshaken
    message = {"jsonrpc": "2.0", "method": LIST_COMPONENTS, "params": {}, "id": 1}
    assert len(connection.receive(json.dumps(message)).calls) == 1


def test_an_error_answer_reaches_its_call() -> None:
    connection = opened(JSONRPC2)
    call_id, _ = connection.call("T.f", ())
    frame = json.dumps({"id": call_id, "error": {"code": 4, "message": "m", "data": {"type": "t"}}})
    expected = Failure(call_id, ErrorObject(4, "m", {"type": "t"}))
    assert connection.receive(frame).answers == [(call_id, expected)]


@pytest.mark.parametrize("in_pieces", [False, True])
def test_a_result_that_is_too_long_becomes_an_error_in_its_place(
    in_pieces: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "MAX_FRAME_BYTES", 1 << 20)
    for result in ("x" * (1 << 20), "é" * (1 << 19), "\0" * (1 << 18), [{"a": "y" * 999}] * 2000):
        answer = {"jsonrpc": "2.0", "id": "b", "result": result}
        failed = json.loads(encode_answer(dict(answer), in_pieces=in_pieces))
        assert (failed["id"], failed["error"]["data"]["type"]) == ("b", "too_large")
        assert "ask for less" in failed["error"]["message"]
        both = json.loads(
            encode_answer([dict(answer), {**answer, "result": 1}], in_pieces=in_pieces)
        )
        assert [("error" in one) for one in both] == [True, False]
    fits = {"jsonrpc": "2.0", "id": 1, "result": "é" * 500_000}
    assert json.loads(encode_answer(dict(fits), in_pieces=in_pieces)) == fits


def test_a_result_that_is_not_json_becomes_an_error_in_its_place() -> None:
    good = {"jsonrpc": "2.0", "id": 1, "result": 5}
    bad = {"jsonrpc": "2.0", "id": "b", "result": {1, 2}}
    for in_pieces in (False, True):
        answer = json.loads(encode_answer(dict(bad), in_pieces=in_pieces))
        assert answer["id"] == "b"
        assert answer["error"]["code"] == -32603
        assert answer["error"]["data"] == {"type": "internal"}
    both = json.loads(encode_answer([good, bad]))
    assert [item["id"] for item in both] == [1, "b"]
    assert both[0] == good
