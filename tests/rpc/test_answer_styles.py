"""The forms of answers, and which one a call gets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import (
    AcError,
    Busy,
    GitError,
    InvalidParams,
    InvalidRequest,
    InvalidState,
    MethodNotFound,
    NotFound,
    ParseError,
    ProviderContext,
    ProviderRateLimit,
    RateLimited,
    RequestCancelled,
    SignatureRefused,
    StaleEpoch,
    TimedOut,
)
from jupyter_ac.rpc.answer_styles import (
    AnswerStyle,
    answer,
    error_object,
    internal_error,
    style_of,
)
from jupyter_ac.rpc.messages import ErrorObject

STANDARD, PLAIN = AnswerStyle.STANDARD, AnswerStyle.PLAIN
EPOCH, PLANNER = AnswerStyle.EPOCH, AnswerStyle.PLANNER


@pytest.mark.parametrize(
    ("method", "style"),
    [
        ("connect", EPOCH),
        ("browser.startInspect", EPOCH),
        ("fetch.nothing", EPOCH),
        ("filters.", EPOCH),
        ("errors.dismiss", EPOCH),
        ("execute_task", PLANNER),
        ("update_context", PLANNER),
        ("Connect", STANDARD),
        ("browser", STANDARD),
        ("Browser.connect", STANDARD),
        ("Repo.get_file_tree", STANDARD),
        (None, STANDARD),
        (5, STANDARD),
    ],
)
def test_the_name_of_a_call_decides(method: object, style: AnswerStyle) -> None:
    assert style_of(method, {"method": method}) is style


@given(st.one_of(st.text(), st.integers(), st.none()), st.one_of(st.none(), st.integers()))
def test_whoever_gives_an_epoch_gets_one(method: object, epoch: object) -> None:
    assert style_of(method, {"epoch": epoch}) is EPOCH


def test_answers() -> None:
    assert answer(STANDARD, 1, None) == {"jsonrpc": "2.0", "id": 1, "result": None}
    assert answer(EPOCH, "a", {}, 3) == {"jsonrpc": "2.0", "id": "a", "result": {}, "epoch": 3}
    failed = answer(EPOCH, None, ErrorObject("INVALID_STATE", "no"), 2)
    assert failed["epoch"] == 2
    assert failed["error"] == {"code": "INVALID_STATE", "message": "no"}
    assert "epoch" not in answer(PLANNER, 1, None, 3)


def test_standard_codes_carry_the_standard_sentence_and_ours_as_the_reason() -> None:
    error = MethodNotFound("there is no method x")
    assert error_object(error, STANDARD) == ErrorObject(
        -32601, "Method not found", {"type": "method_not_found", "reason": "there is no method x"}
    )
    assert error_object(error, PLAIN).message == "there is no method x"
    assert error_object(MethodNotFound(), STANDARD).data == {"type": "method_not_found"}


def test_an_error_of_ours_carries_type_and_details() -> None:
    error = NotFound("no such file", {"path": "a.py"})
    for style in (STANDARD, PLAIN):
        assert error_object(error, style) == ErrorObject(
            -32000, "no such file", {"type": "not_found", "path": "a.py"}
        )


STATE = InvalidState("m", "connecting", ["connected"])


@pytest.mark.parametrize(
    ("error", "code", "data"),
    [
        (MethodNotFound("x"), "METHOD_NOT_FOUND", None),
        (InvalidParams("x"), "INVALID_PARAMS", None),
        (InvalidRequest("x"), "INVALID_REQUEST", None),
        (
            STATE,
            "INVALID_STATE",
            {"current_state": "connecting", "required_states": ["connected"]},
        ),
        (StaleEpoch(1, 2), "STALE_EPOCH", {"request_epoch": 1, "current_epoch": 2}),
        (RateLimited("m", 70), "RATE_LIMITED", {"retry_after_ms": 70}),
        (GitError("x", {"a": 1}), "INTERNAL_ERROR", {"a": 1, "type": "git"}),
    ],
)
def test_seed_003_has_strings(error: AcError, code: str, data: object) -> None:
    made = error_object(error, EPOCH)
    assert (made.code, made.data) == (code, data)
    assert made.message == error.message


def test_what_is_no_json_has_the_number_everywhere() -> None:
    for style in AnswerStyle:
        assert error_object(ParseError("x"), style).code == -32700


@pytest.mark.parametrize(
    ("error", "code", "message", "kind"),
    [
        (TimedOut("x"), -32000, "Execution timeout", "TIMEOUT"),
        (GitError("x"), -32000, "Execution failed", "EXECUTION_ERROR"),
        (Busy("x"), -32001, "Resource unavailable", "UNAVAILABLE"),
        (ProviderContext("x"), -32001, "Resource unavailable", "UNAVAILABLE"),
        (RateLimited("m", 9), -32002, "Rate limit exceeded", "RATE_LIMIT"),
        (ProviderRateLimit("x"), -32002, "Rate limit exceeded", "RATE_LIMIT"),
        (SignatureRefused(), -32003, "Authentication failed", "AUTHENTICATION"),
        (RequestCancelled("x"), -32800, "Request cancelled", "CANCELLED"),
        (STATE, -32010, "Invalid state", "INVALID_STATE"),
        (MethodNotFound("x"), -32601, "Method not found", "METHOD_NOT_FOUND"),
        (InvalidParams("x"), -32602, "Invalid params", "INVALID_PARAMS"),
        (InvalidRequest("x"), -32600, "Invalid Request", "INVALID_REQUEST"),
    ],
)
def test_seed_004_has_its_table(error: AcError, code: int, message: str, kind: str) -> None:
    made = error_object(error, PLANNER)
    assert (made.code, made.message) == (code, message)
    assert isinstance(made.data, dict)
    assert made.data["type"] == kind
    assert made.data["details"] == error.message
    assert all(isinstance(each, str) for each in made.data["recovery_suggestions"])
    assert "stack_trace" not in made.data


def test_an_unforeseen_failure_names_its_line_in_the_log_only() -> None:
    for style in AnswerStyle:
        made = internal_error(style, "abc")
        assert isinstance(made.data, dict)
        assert made.data["error_id"] == "abc"
        assert made.code == ("INTERNAL_ERROR" if style is EPOCH else -32603)
