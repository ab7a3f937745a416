import json
from collections.abc import Callable, Sequence

import fastjsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.history.stored_values import UNREADABLE
from jupyter_ac.chat.run_record import (
    NO_AMOUNTS,
    ChangeInterval,
    RunRecord,
    StepRecord,
    changed_steps,
    interrupted,
    run_from_json,
    without_calls,
)
from jupyter_ac.chat.tool_calls import ToolCall
from jupyter_ac.rpc.json_schema import type_schema
from jupyter_ac.tool_rows import RunRow, ToolCallRow, ToolQuestion
from tests.support.json_values import JsonValue

TEXT = st.text(st.characters(), max_size=20)
"""Lone surrogates are among them."""
JSON: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
CALLS = st.builds(ToolCall, TEXT, TEXT, TEXT)
STEPS = st.builds(
    StepRecord,
    st.lists(CALLS, max_size=3).map(tuple),
    st.lists(st.dictionaries(TEXT, JSON, max_size=3), max_size=2).map(tuple),
)
INTERVALS = st.builds(ChangeInterval, st.integers(1, 99), TEXT, TEXT)


ASKED = ToolQuestion(
    text="touch a",
    why="",
    scopes=["once"],
    prefix=["touch", "a"],
    origin="",
    is_sandboxed=True,
    warning="",
    wants_text=False,
)


def call_row(call_id: str = "c1") -> ToolCallRow:
    return ToolCallRow(
        call_id=call_id,
        step=1,
        tool="look",
        title="a",
        arguments="{}",
        status="done",
        reason="",
        question=ASKED,
        started_at="",
        duration_ms=3,
        tokens=4,
        result="seen",
        left_out=0,
    )


def run_row(*calls: ToolCallRow, changed: Sequence[int] = (1,)) -> RunRow:
    return RunRow(
        run_id="t1",
        request_id="1-a",
        mode="agent",
        state="done",
        reason="",
        used=NO_AMOUNTS,
        limits=NO_AMOUNTS,
        calls=list(calls),
        steps=[3],
        changed_steps=list(changed),
        files_changed=["a\udce9.py"],
        can_undo=True,
    )


RECORD = RunRecord(run_row(call_row()), (StepRecord(),), (ChangeInterval(1, "0a", "0b"),))


@given(st.lists(STEPS, max_size=3), st.lists(INTERVALS, max_size=3), st.lists(TEXT, max_size=3))
def test_what_is_written_is_read_again(
    steps: list[StepRecord], intervals: list[ChangeInterval], ids: list[str]
) -> None:
    row = run_row(*map(call_row, ids), changed=changed_steps(intervals))
    record = RunRecord(row, tuple(steps), tuple(intervals))
    written = record.to_json()
    assert written.isascii()
    assert "\0" not in written
    assert run_from_json(written) == record


def test_no_run_is_an_empty_text() -> None:
    assert run_from_json("") is None


@given(JSON | st.fixed_dictionaries({"row": JSON, "steps": JSON, "intervals": JSON}))
def test_what_is_none_is_refused(found: JsonValue) -> None:
    with pytest.raises(UNREADABLE):
        run_from_json(json.dumps(found))


@given(st.text(max_size=40).filter(bool))
def test_what_is_no_json_is_refused(written: str) -> None:
    with pytest.raises(UNREADABLE):
        run_from_json(written)


PLACES: list[tuple[str | int, ...]] = [
    *((name,) for name in ("row", "steps", "intervals")),
    *(("row", name) for name in RECORD.row),
    *(("row", "calls", 0, name) for name in RECORD.row["calls"][0]),
    *(("row", "calls", 0, "question", name) for name in ASKED),
    *(("row", "used", name) for name in NO_AMOUNTS),
    *(("row", name, 0) for name in ("steps", "files_changed")),
]
FITS: Callable[[object], object] = fastjsonschema.compile(type_schema(RunRow))


@given(st.sampled_from(PLACES), JSON | st.just(float("inf")))
def test_a_changed_member_is_refused_or_as_the_wire_wants_it(
    place: tuple[str | int, ...], value: JsonValue
) -> None:
    said = json.loads(RECORD.to_json())
    inner: JsonValue = said
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = value
    try:
        found = run_from_json(json.dumps(said))
    except UNREADABLE:
        return
    assert found is not None
    json.dumps(found.row, allow_nan=False)
    FITS(found.row)


@pytest.mark.parametrize("written", ["[" * 100_000, '{"row": ' + "[" * 100_000, "1" * 10_000])
def test_what_is_too_deep_or_too_long_is_refused(written: str) -> None:
    with pytest.raises(UNREADABLE):
        run_from_json(written)


def test_an_event_carries_no_calls() -> None:
    assert without_calls(RECORD.row) == {**RECORD.row, "calls": []}
    assert len(RECORD.row["calls"]) == 1
    changed = RECORD.with_row(can_undo=False)
    assert (changed.row["can_undo"], changed.steps) == (False, RECORD.steps)


def test_a_run_whose_process_has_ended_has_failed_with_its_open_calls() -> None:
    calls = [{**call_row(), "status": status} for status in ("done", "waiting", "running")]
    running = RECORD.with_row(state="running", calls=calls)
    ended = interrupted(running, "It died.")
    assert (ended.row["state"], ended.row["reason"]) == ("failed", "It died.")
    assert [one["status"] for one in ended.row["calls"]] == ["done", "cancelled", "cancelled"]
    assert interrupted(RECORD, "It died.") == RECORD
