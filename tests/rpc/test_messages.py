"""Classification of messages in both dialects."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import InvalidRequest
from jupyter_ac.rpc.messages import (
    ErrorObject,
    Failure,
    Invalid,
    Message,
    Notification,
    Request,
    Success,
    parse_message,
)

BOTH = pytest.mark.parametrize("jrpc_oo", [False, True])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
MEMBERS = st.sampled_from(["jsonrpc", "method", "params", "id", "result", "error", "epoch"])


def call(**members: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "method": "m", **members}


@given(st.dictionaries(MEMBERS, ANYTHING | st.just("2.0")), st.booleans())
def test_any_object_is_some_message(value: object, jrpc_oo: bool) -> None:
    message = parse_message(value, jrpc_oo=jrpc_oo)
    assert isinstance(message, Request | Notification | Success | Failure | Invalid)


@BOTH
@pytest.mark.parametrize("call_id", [0, "", -7, "abc", 1.5, "3", 3])
def test_an_id_keeps_value_and_type(call_id: str | float, jrpc_oo: bool) -> None:
    message = parse_message(call(id=call_id), jrpc_oo=jrpc_oo)
    assert isinstance(message, Request)
    assert (message.id, type(message.id)) == (call_id, type(call_id))


@BOTH
@pytest.mark.parametrize("call_id", [{}, [], [1], True, False])
def test_an_id_of_another_type_is_invalid_under_null(call_id: object, jrpc_oo: bool) -> None:
    message = parse_message(call(id=call_id), jrpc_oo=jrpc_oo)
    assert isinstance(message, Invalid)
    assert message.id is None


def test_a_null_id_is_a_call_by_the_book_and_none_in_jrpc_oo() -> None:
    assert parse_message(call(id=None), jrpc_oo=False) == Request("m", None, None)
    assert parse_message(call(id=None), jrpc_oo=True) == Notification("m", None)


def test_null_params_are_invalid_by_the_book_and_absent_in_jrpc_oo() -> None:
    assert parse_message(call(id=1, params=None), jrpc_oo=False) == Invalid(1, InvalidRequest())
    assert parse_message(call(id=1, params=None), jrpc_oo=True) == Request("m", None, 1)


@BOTH
def test_unknown_members_of_the_envelope_are_ignored(jrpc_oo: bool) -> None:
    message = parse_message(call(id=1, params=[2], epoch=7, auth="x"), jrpc_oo=jrpc_oo)
    assert message == Request("m", [2], 1)


@BOTH
def test_a_request_that_has_a_result_too_is_a_request(jrpc_oo: bool) -> None:
    assert parse_message(call(id=1, result=2), jrpc_oo=jrpc_oo) == Request("m", None, 1)


@BOTH
@pytest.mark.parametrize("value", [1, "x", None, True, 1.5, [], [call(id=1)]])
def test_what_is_no_object_is_invalid(value: object, jrpc_oo: bool) -> None:
    assert parse_message(value, jrpc_oo=jrpc_oo) == Invalid(None, InvalidRequest())


@BOTH
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"id": 1, "result": None}, Success(1, None)),
        ({"id": 1, "result": 5, "error": None}, Success(1, 5)),
        ({"id": 1, "error": None}, Success(1, None)),
        ({"id": 1, "error": {"code": 3, "message": "m"}}, Failure(1, ErrorObject(3, "m"))),
        ({"id": 1, "error": "text"}, Failure(1, ErrorObject(0, "text"))),
        ({"id": 1, "error": 7}, Failure(1, ErrorObject(0, "error"))),
        ({"id": 1, "error": {"data": [1]}}, Failure(1, ErrorObject(0, "error", [1]))),
        ({"id": [1], "result": 5}, Success(None, 5)),
    ],
)
def test_answers_are_read_leniently(value: object, expected: Message, jrpc_oo: bool) -> None:
    assert parse_message(value, jrpc_oo=jrpc_oo) == expected


def test_an_answer_without_result_is_void_in_jrpc_oo_only() -> None:
    void = {"jsonrpc": "2.0", "id": 3}
    assert parse_message(void, jrpc_oo=True) == Success(3, None)
    assert parse_message(void, jrpc_oo=False) == Invalid(3, InvalidRequest())


def test_a_request_without_method_is_no_void_answer() -> None:
    value = {"jsonrpc": "2.0", "id": 3, "params": [1]}
    assert parse_message(value, jrpc_oo=True) == Invalid(3, InvalidRequest())


def test_an_error_object_leaves_out_data_that_is_not_there() -> None:
    assert ErrorObject(1, "m").to_wire() == {"code": 1, "message": "m"}
    assert ErrorObject(1, "m", {"type": "x"}).to_wire()["data"] == {"type": "x"}
