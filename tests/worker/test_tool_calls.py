from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.worker.tool_calls import MAX_CALLS, MAX_CHARS, ToolCallCollector, without_thinking


def piece(index: object, call_id: str | None, name: str | None, arguments: str | None) -> object:
    function = SimpleNamespace(name=name, arguments=arguments)
    return SimpleNamespace(index=index, id=call_id, function=function)


def delta(*pieces: object, thinking: object = None) -> object:
    return SimpleNamespace(tool_calls=list(pieces), thinking_blocks=thinking)


def test_pieces_of_calls_are_joined_by_their_index() -> None:
    calls = ToolCallCollector()
    calls.take(delta(piece(0, "a", "read", ""), piece(1, "b", "list", "")))
    calls.take(delta(piece(0, None, None, '{"x"'), piece(1, None, None, "{")))
    calls.take(delta(piece(1, None, None, "}"), piece(0, None, None, ":1}")))
    assert calls.calls() == [["a", "read", '{"x":1}'], ["b", "list", "{}"]]


def test_a_new_id_under_the_same_index_is_another_call() -> None:
    calls = ToolCallCollector()
    calls.take(delta(piece(0, "a", "read", "{}")))
    calls.take(delta(piece(0, "b", "read", "{}")))
    calls.take(delta(piece(None, "c", "read", "{}")))
    calls.take(delta(piece(None, "d", "read", "{}")))
    assert [call[0] for call in calls.calls()] == ["a", "b", "c", "d"]


def test_a_call_without_an_id_gets_one_and_one_without_a_name_is_none() -> None:
    calls = ToolCallCollector()
    calls.take(delta(piece(0, None, "read", "{}"), piece(1, "b", None, "{}")))
    assert calls.calls() == [["call_1", "read", "{}"]]


def test_signed_reasoning_is_kept_as_it_came() -> None:
    calls = ToolCallCollector()
    calls.take(delta(thinking=[{"type": "thinking", "thinking": "I ", "signature": None}]))
    calls.take(delta(thinking=[{"type": "thinking", "thinking": "think.", "signature": ""}]))
    calls.take(delta(thinking=[{"type": "thinking", "thinking": "", "signature": "c2lnbg=="}]))
    calls.take(delta(thinking=[{"type": "redacted_thinking", "data": "eA=="}]))
    calls.take(delta(thinking=[{"type": "thinking", "thinking": "unsigned"}]))
    assert calls.thinking() == []  # nothing goes back without a call
    calls.take(delta(piece(0, "a", "read", "{}")))
    assert calls.thinking() == [
        {"type": "thinking", "thinking": "I think.", "signature": "c2lnbg=="},
        {"type": "redacted_thinking", "data": "eA=="},
    ]


def test_calls_and_their_arguments_are_bounded() -> None:
    calls = ToolCallCollector()
    for number in range(3 * MAX_CALLS):
        calls.take(delta(piece(number, f"id{number}", "read", "{}")))
    assert len(calls.calls()) == MAX_CALLS
    calls = ToolCallCollector()
    calls.take(delta(piece(0, "a", "read", "")))
    for _ in range(5):
        calls.take(delta(piece(0, None, None, "x" * (MAX_CHARS // 2))))
    assert calls.characters <= MAX_CHARS
    assert len(calls.calls()[0][2]) <= MAX_CHARS


_PIECES = st.builds(
    piece,
    st.none() | st.integers(0, 3),
    st.none() | st.sampled_from(["", "a", "b"]),
    st.none() | st.text(max_size=5),
    st.none() | st.text(max_size=5),
)


@given(st.lists(st.lists(_PIECES, max_size=4), max_size=10))
def test_whatever_comes_gives_calls_with_ids_and_names(pieces: list[list[object]]) -> None:
    calls = ToolCallCollector()
    for some in pieces:
        calls.take(delta(*some))
    for call_id, name, _ in calls.calls():
        assert call_id
        assert name


def test_a_character_that_came_in_two_pieces_is_whole_and_a_lone_half_is_replaced() -> None:
    calls = ToolCallCollector()
    calls.take(delta(piece(0, "a", "read", '{"x": "\ud83d')))
    calls.take(delta(piece(0, None, None, '\ude00 \ud83d"}')))
    assert calls.calls() == [["a", "read", '{"x": "😀 \ufffd"}']]


def test_signed_reasoning_is_left_out_and_nothing_else() -> None:
    message: dict[str, object] = {"role": "assistant", "content": None, "tool_calls": [{"id": "a"}]}
    assert without_thinking([{**message, "thinking_blocks": [{}]}, message]) == [message] * 2
