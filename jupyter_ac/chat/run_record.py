"""An agent's run as it is shown and stored with its turn: steps, calls, limits, checkpoints."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import NoneType
from typing import Final, TypeAlias, cast, get_args

from jupyter_ac.chat.tool_calls import ToolCall
from jupyter_ac.tool_rows import AgentMode, RunAmounts, RunRow, RunState, ToolScope, ToolStatus

_Allowed: TypeAlias = tuple[type | str, ...]
"""Types of a value, or the words that it may be."""

_TEXT: Final[_Allowed] = (str,)
_COUNT: Final[_Allowed] = (int,)
_RUN: Final[Mapping[str, _Allowed]] = {
    **dict.fromkeys(("run_id", "request_id", "reason"), _TEXT),
    "mode": get_args(AgentMode),
    "state": get_args(RunState),
    **dict.fromkeys(("used", "limits"), (dict,)),
    **dict.fromkeys(("calls", "steps", "files_changed"), (list,)),
    "can_undo": (bool,),
}
_AMOUNTS: Final[Mapping[str, _Allowed]] = {
    **dict.fromkeys(("steps", "tokens"), _COUNT),
    "usd": (int, float, NoneType),
    "seconds": (int, float),
}
_CALL: Final[Mapping[str, _Allowed]] = {
    **dict.fromkeys(("call_id", "tool", "title", "arguments", "reason", "result"), _TEXT),
    **dict.fromkeys(("step", "tokens", "left_out"), _COUNT),
    "started_at": _TEXT,
    "status": get_args(ToolStatus),
    "question": (dict, NoneType),
    "duration_ms": (int, NoneType),
}
_QUESTION: Final[Mapping[str, _Allowed]] = {
    **dict.fromkeys(("text", "why", "origin", "warning"), _TEXT),
    **dict.fromkeys(("scopes", "prefix"), (list,)),
    **dict.fromkeys(("is_sandboxed", "wants_text"), (bool,)),
}


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One answer of a run.

    Attributes:
        calls: of tools, in the provider's form or in the answer's text.
        thinking: signed parts of the reasoning, which go back with the results.
    """

    calls: tuple[ToolCall, ...] = ()
    thinking: tuple[Mapping[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeInterval:
    """A time in which a run may have changed files.

    Attributes:
        step: of the run, from 1.
        before: name of the checkpoint at its beginning.
        after: at its end.
    """

    step: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run.

    Attributes:
        row: as a front end shows it.
        steps: one for each answer.
        intervals: in which it acted, in order.
    """

    row: RunRow
    steps: tuple[StepRecord, ...] = ()
    intervals: tuple[ChangeInterval, ...] = field(default=())

    def with_row(self, **changed: object) -> "RunRecord":
        """Return it with other members of the row."""
        return replace(self, row=cast("RunRow", {**self.row, **changed}))

    def to_json(self) -> str:
        """Write it for the history."""
        return json.dumps(
            {
                "row": self.row,
                "steps": [
                    {
                        "calls": [[one.call_id, one.name, one.arguments] for one in step.calls],
                        "thinking": list(step.thinking),
                    }
                    for step in self.steps
                ],
                "intervals": [[one.step, one.before, one.after] for one in self.intervals],
            }
        )


def run_from_json(written: str) -> RunRecord | None:
    """Read what `to_json` wrote; None for "".

    Raises:
        ValueError: it is something else; anybody may have written it.
        KeyError: something is missing in it.
        TypeError: something in it is of another type.
    """
    if not written:
        return None
    try:
        said = json.loads(written, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("too deep") from None
    intervals = tuple(
        ChangeInterval(int(step), str(before), str(after))
        for step, before, after in said["intervals"]
    )
    row = _row(said["row"], changed_steps(intervals))
    return RunRecord(row=row, steps=tuple(map(_step, said["steps"])), intervals=intervals)


def changed_steps(intervals: Iterable[ChangeInterval]) -> list[int]:
    """Return the steps in which something was changed, each once, in order."""
    return sorted({one.step for one in intervals})


def _row(row: object, changed: list[int]) -> RunRow:
    checked = _checked(row, _RUN)
    _checked(checked["used"], _AMOUNTS)
    _checked(checked["limits"], _AMOUNTS)
    for call in cast("list[object]", checked["calls"]):
        if (question := _checked(call, _CALL)["question"]) is not None:
            asked = _checked(question, _QUESTION)
            _all_of(asked, "scopes", get_args(ToolScope))
            _all_of(asked, "prefix", _TEXT)
    _all_of(checked, "steps", _COUNT)
    _all_of(checked, "files_changed", _TEXT)
    known = {name: checked[name] for name in _RUN}
    return cast("RunRow", {**known, "changed_steps": changed})


def _checked(found: object, needed: Mapping[str, _Allowed]) -> Mapping[str, object]:
    """Return an object whose members are of these types, or among these words."""
    if not isinstance(found, dict):
        raise TypeError("a part of a run is no object")
    for name, allowed in needed.items():
        _require(name, found[name], allowed)
    return found


def _all_of(found: Mapping[str, object], name: str, allowed: _Allowed) -> None:
    for each in cast("list[object]", found[name]):
        _require(name, each, allowed)


def _require(name: str, value: object, allowed: _Allowed) -> None:
    is_word = isinstance(value, str) and value in allowed
    is_endless = isinstance(value, float) and not math.isfinite(value)
    if is_endless or not (is_word or type(value) in allowed):
        raise TypeError(f"{name} of a run is not as it is written here")


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is no JSON")


def _step(said: Mapping[str, object]) -> StepRecord:
    calls = cast("list[list[object]]", said["calls"])
    thinking = cast("list[Mapping[str, object]]", said["thinking"])
    if not all(isinstance(part, dict) for part in thinking):
        raise TypeError("the reasoning of a run is not as it is written here")
    return StepRecord(
        tuple(ToolCall(*map(str, call)) for call in calls),
        tuple(thinking),
    )


def interrupted(run: RunRecord, reason: str) -> RunRecord:
    """Return a run whose process has ended in the middle as one that has failed."""
    if run.row["state"] != "running":
        return run
    open_states = {"waiting", "running"}
    calls = [
        {**call, "status": "cancelled", "reason": reason} if call["status"] in open_states else call
        for call in run.row["calls"]
    ]
    return run.with_row(state="failed", reason=reason, calls=calls)


NO_AMOUNTS: Final = RunAmounts(steps=0, tokens=0, usd=None, seconds=0.0)


def without_calls(row: RunRow) -> RunRow:
    """Return a run for an event: its calls have events of their own."""
    return cast("RunRow", {**row, "calls": []})
