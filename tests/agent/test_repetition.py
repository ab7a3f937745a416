import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.agent.repetition import RepetitionDetector, canonical_arguments
from jupyter_ac.chat.tool_calls import ToolCall, ToolResult


def reasons(steps: Sequence[tuple[str, str, str]]) -> list[str]:
    """What is said after each call: (name, arguments, text of the result)."""
    detector = RepetitionDetector()
    return [
        detector.note(ToolCall(f"call_{at}", name, arguments), ToolResult(text))
        for at, (name, arguments, text) in enumerate(steps)
    ]


A, B, C = ("search", '{"text": "x"}', "none"), ("outline", "{}", "few"), ("done", "{}", "")


def test_three_equal_calls_in_a_row_end_the_run() -> None:
    found = reasons([A, A, A])
    assert found[:2] == ["", ""]
    assert "has called search 3 times in a row" in found[2]


@pytest.mark.parametrize(
    "other",
    [
        ("search", '{"text": "x"}', "one"),
        ("search", '{"text": "y"}', "none"),
        ("find_symbol", '{"text": "x"}', "none"),
        C,
    ],
)
def test_another_call_or_another_result_between_them_begins_anew(
    other: tuple[str, str, str],
) -> None:
    assert reasons([A, A, other, A, A]) == [""] * 5


def test_two_calls_in_turn_three_times_end_the_run() -> None:
    found = reasons([A, B, A, B, A, B])
    assert found[:5] == [""] * 5
    assert "the same two calls, search and outline, 3 times" in found[5]
    assert reasons([A, B, A, B, A, C]) == [""] * 6


def test_arguments_that_mean_the_same_are_equal() -> None:
    spellings = ['{"a": 1, "b": [2]}', '{"b":[2],"a":1}', '{\n"a": 1, "b": [ 2 ]}']
    assert reasons([("x", each, "r") for each in spellings])[2] != ""


def test_a_failure_and_a_picture_are_parts_of_a_result() -> None:
    detector, call = RepetitionDetector(), ToolCall("1", "x", "{}")
    results = [
        ToolResult("r"),
        ToolResult("r", is_error=True),
        ToolResult("r", images=("a",)),
        ToolResult("r", images=("b",)),
    ]
    assert [detector.note(call, each) for each in results] == [""] * 4
    assert [detector.note(call, results[3]) != "" for _ in range(2)] == [False, True]


@pytest.mark.parametrize("broken", ["", "{", "[" * 100_000, '{"a": ' + "9" * 5000 + "}", "\ud800"])
def test_broken_arguments_are_compared_as_they_are(broken: str) -> None:
    assert canonical_arguments(broken) == broken
    assert reasons([("x", broken, "r")] * 3)[2] != ""


def test_the_name_of_a_tool_that_the_model_made_up_is_shortened() -> None:
    assert len(reasons([("x" * 10_000, "{}", "")] * 3)[2]) < 300


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@given(st.dictionaries(st.text(max_size=3), VALUES), st.integers(0, 4), st.booleans())
def test_the_spelling_of_arguments_doesnt_matter(
    arguments: dict[str, object], indent: int, is_ascii: bool
) -> None:
    turned = dict(reversed(arguments.items()))
    spelled = json.dumps(turned, indent=indent, ensure_ascii=is_ascii)
    assert canonical_arguments(spelled) == canonical_arguments(json.dumps(arguments))
    assert json.loads(canonical_arguments(spelled)) == arguments


@given(st.lists(st.sampled_from([A, B, C]), max_size=12))
def test_only_circles_end_a_run_and_each_does(steps: list[tuple[str, str, str]]) -> None:
    for at, reason in enumerate(reasons(steps)):
        last = steps[: at + 1]
        is_same = len(last) >= 3 and last[-1] == last[-2] == last[-3]
        is_turn = len(last) >= 6 and last[-6:] == last[-2:] * 3
        assert bool(reason) == (is_same or is_turn)
