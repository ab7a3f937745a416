"""kkrpc's messages: recorded frames of each form, round trips, and hostile frames.

The frames were recorded from npm's kkrpc 0.2.2 (superjson, json) and from the channel of kkrpc's
repository at 082e8b4a (compact).
"""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jupyter_ac.panels.kkrpc import (
    Answered,
    Asked,
    KkrpcForm,
    Message,
    Refused,
    Stray,
    call_frame,
    error_frame,
    read_message,
    result_frame,
)
from jupyter_ac.rpc.codec import SerialisationError

FRAMES: dict[str, dict[str, str]] = json.loads(
    Path(__file__).with_name("kkrpc_frames.json").read_text("utf-8")
)
FORMS = list(KkrpcForm)
TREE = {
    "id": "node-1",
    "type": "button",
    "props": {"_onClickHandlerId": "node-1:onClick", "title": "żółw"},
    "children": [{"id": "text-2", "type": "#text", "props": {}, "children": [], "text": "Go"}],
}
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def recorded(form: KkrpcForm, name: str) -> Message:
    """Read a recorded frame."""
    return read_message(FRAMES[form][name])


@pytest.mark.parametrize("form", FORMS)
def test_recorded_calls_of_a_plugin_are_understood(form: KkrpcForm) -> None:
    for name, method, args in [
        ("tree", "updateTree", [TREE]),
        ("no tree", "updateTree", [None]),
        ("undefined", "log", ["info", [None, {"kept": None, "list": [1, None]}]]),
        ("not finite", "log", ["warn", [{"a.b": None}]]),
        ("minus zero", "log", ["warn", [0]]),
        ("path", "Repo.get_file_tree", [True]),
        ("nested twice", "log", ["info", [{"a": 1}, {"a": 1}]]),
    ]:
        message = recorded(form, name)
        assert isinstance(message, Asked), name
        assert (message.method, message.args, message.form) == (method, args, form)


def test_other_values_are_what_the_form_makes_of_them() -> None:
    message = recorded(KkrpcForm.SUPERJSON, "other values")
    assert isinstance(message, Asked)
    error = {"name": "Error", "message": "broken"}
    date = "1970-01-01T00:00:00.000Z"
    assert message.args == ["warn", [date, [["a", None]], [1], "http://a.b/", error]]
    for form in (KkrpcForm.JSON, KkrpcForm.COMPACT):
        message = recorded(form, "other values")
        assert isinstance(message, Asked)
        assert message.args == ["warn", [date, {}, {}, "http://a.b/", {}]]


@pytest.mark.parametrize("form", FORMS)
def test_recorded_answers_are_understood(form: KkrpcForm) -> None:
    assert recorded(form, "result") == Answered("7", form, {"a": [1, None, "ż"]})
    assert recorded(form, "nothing") == Answered("7", form)
    failed = recorded(form, "error")
    assert isinstance(failed, Answered)
    assert failed.error == "no such row"
    unknown = recorded(form, "unknown method")
    assert isinstance(unknown, Answered)
    assert "absent" in str(unknown.error)


@pytest.mark.parametrize("form", FORMS)
def test_a_recorded_function_is_refused_and_a_call_of_one_has_no_effect(form: KkrpcForm) -> None:
    message = recorded(form, "function")
    assert isinstance(message, Refused)
    assert message.reason == "a function can't be an argument here"
    assert recorded(form, "function is called") == Stray("")


@pytest.mark.parametrize("name", ["get", "set", "new"])
def test_recorded_operations_on_properties_are_refused(name: str) -> None:
    message = recorded(KkrpcForm.COMPACT, name)
    assert isinstance(message, Refused)
    assert message.reason == f"only methods can be called here, not {name}"


@pytest.mark.parametrize("kind", ["get", "set", "construct"])
def test_the_operations_of_kkrpc_0_3_are_refused_too(kind: str) -> None:
    message = {"id": "1", "type": kind, "path": ["a"], "value": 1}
    for form, frame in [
        (KkrpcForm.JSON, json.dumps(message)),
        (KkrpcForm.SUPERJSON, json.dumps({"json": message})),
    ]:
        refused = read_message(frame)
        assert isinstance(refused, Refused)
        assert (refused.id, refused.form) == ("1", form)


def test_errors_of_kkrpc_0_3_are_objects() -> None:
    error = {"name": "RangeError", "message": "too far"}
    frame = json.dumps({"id": "1", "type": "response", "args": {"error": error}})
    expected = Answered("1", KkrpcForm.JSON, None, "too far", "RangeError")
    assert read_message(frame) == expected


@pytest.mark.parametrize("form", FORMS)
@given(args=st.lists(JSON))
def test_what_is_written_is_read(form: KkrpcForm, args: list[object]) -> None:
    if form is not KkrpcForm.COMPACT:
        args = [each for each in args if not str(each).startswith("__callback__")]
    assert read_message(call_frame(form, "1", "a.b", args)) == Asked("1", "a.b", args, form)


@pytest.mark.parametrize("form", FORMS)
@given(result=JSON)
def test_answers_that_are_written_are_read(form: KkrpcForm, result: object) -> None:
    assert read_message(result_frame(form, "1", result)) == Answered("1", form, result)


@pytest.mark.parametrize("form", FORMS)
def test_errors_that_are_written_are_read(form: KkrpcForm) -> None:
    kind = "busy" if form is KkrpcForm.COMPACT else ""
    expected = Answered("1", form, None, "too many", kind)
    assert read_message(error_frame(form, "1", "too many", "busy")) == expected
    # kkrpc 0.2 takes an empty error for a result.
    empty = read_message(error_frame(form, "1", "", "busy"))
    assert isinstance(empty, Answered)
    assert empty.error


def test_a_text_that_kkrpc_would_take_for_a_function_is_not_sent() -> None:
    for form in (KkrpcForm.JSON, KkrpcForm.SUPERJSON):
        with pytest.raises(SerialisationError, match="begins with __callback__"):
            call_frame(form, "1", "log", ["__callback__x"])
    assert isinstance(
        read_message(call_frame(KkrpcForm.COMPACT, "1", "a", ["__callback__x"])), Asked
    )


@pytest.mark.parametrize(
    "path",
    [
        "__proto__",
        "__proto__.polluted",
        "a.__proto__",
        "_private",
        "a..b",
        "",
        ".",
        "$/cancelRequest",
        "a" * 201,
        "żółw",
        "a\n",
    ],
)
def test_paths_that_are_no_names_are_refused(path: str) -> None:
    frames = [
        {"t": "q", "id": "1", "op": "call", "p": path.split("."), "a": []},
        {"id": "1", "method": path, "args": [], "type": "request"},
        {"json": {"id": "1", "method": path, "args": [], "type": "request"}},
    ]
    for frame in frames:
        message = read_message(json.dumps(frame))
        assert isinstance(message, Refused)
        assert len(message.reason) < 200


@pytest.mark.parametrize(
    "message",
    [
        {"t": "q", "op": "call", "p": ["a"]},
        {"t": "q", "id": 1, "op": "call", "p": ["a"]},
        {"t": "q", "id": "", "op": "call", "p": ["a"]},
        {"t": "q", "id": "x" * 201, "op": "call", "p": ["a"]},
        {"t": ["q"], "id": "1"},
        {"t": "sq", "id": "1", "sid": "1", "op": "pull", "n": 9},
        {"t": "cb", "id": "1", "a": []},
        {"id": "1", "type": ["request"]},
        {"id": "1", "type": "callback", "method": "x", "args": []},
        {"json": None},
        {"json": {"type": "request"}, "meta": 1},
        {},
    ],
)
def test_messages_that_nobody_waits_for_have_no_effect(message: object) -> None:
    assert read_message(json.dumps(message)) == Stray("")


@pytest.mark.parametrize(
    "message",
    [
        {"t": "q", "id": "1", "op": "call", "p": "a"},
        {"t": "q", "id": "1", "op": "call", "p": [1]},
        {"t": "q", "id": "1", "op": "call", "p": ["a"], "a": {}},
        {"t": "q", "id": "1", "op": ["call"], "p": ["a"]},
        {"t": "q", "id": "1"},
        {"id": "1", "type": "request", "method": 1, "args": []},
        {"id": "1", "type": "request", "method": "a", "args": {}},
        {"id": "1", "type": "request", "method": "a", "args": [], "callbackIds": ["x"]},
        {"json": {"id": "1", "type": "request"}, "meta": 1},
    ],
)
def test_calls_with_a_wrong_member_are_refused_under_their_id(message: object) -> None:
    refused = read_message(json.dumps(message))
    assert isinstance(refused, Refused)
    assert refused.id == "1"


def test_an_answer_that_superjson_garbles_is_a_failure() -> None:
    message = {"json": {"id": "1", "type": "response", "args": {"result": 1}}, "meta": 1}
    answered = read_message(json.dumps(message))
    assert isinstance(answered, Answered)
    assert "superjson" in str(answered.error)


def test_text_between_the_messages_is_kept() -> None:
    assert read_message("listening …") == Stray("listening …")
    assert read_message(b"\xff") == Stray("�")
    assert read_message("[1]") == Stray("[1]")
    deep = "[" * 100_000
    assert read_message(deep) == Stray(deep)
    deep = '{"json":' * 100_000
    assert read_message(deep) == Stray(deep)


@given(st.binary() | st.text())
def test_any_frame_is_read(frame: str | bytes) -> None:
    assert isinstance(read_message(frame), Stray)


ANY = st.one_of(
    st.none(),
    st.integers(),
    st.text(),
    st.sampled_from(["q", "r", "cb", "call", "request", "response", "undefined"]),
)
NAMES = st.sampled_from(
    ["t", "id", "op", "p", "a", "v", "e", "json", "meta", "values", "type", "method", "args", "n"]
)
MESSAGES = st.recursive(
    ANY, lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner), max_leaves=15
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(NAMES, MESSAGES))
def test_any_message_is_read(message: dict[str, object]) -> None:
    read = read_message(json.dumps(message))
    assert isinstance(read, Asked | Answered | Refused | Stray)
    if not isinstance(read, Stray):
        assert isinstance(read.id, str)
