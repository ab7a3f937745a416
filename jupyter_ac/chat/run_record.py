"""An agent's run as it is shown and stored with its turn: steps, calls, limits, checkpoints."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, cast

from jupyter_ac.chat.tool_calls import ToolCall
from jupyter_ac.tool_rows import RunAmounts, RunRow

_ROW: Final = (
    *("run_id", "request_id", "mode", "state", "reason", "used", "limits", "calls", "steps"),
    *("files_changed", "can_undo"),
)


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
        said = json.loads(written)
    except RecursionError:
        raise ValueError("too deep") from None
    return RunRecord(
        row=_row(said["row"]),
        steps=tuple(map(_step, said["steps"])),
        intervals=tuple(
            ChangeInterval(int(step), str(before), str(after))
            for step, before, after in said["intervals"]
        ),
    )


def _row(row: object) -> RunRow:
    if not isinstance(row, dict) or any(name not in row for name in _ROW):
        raise TypeError("a run is not as it is written here")
    calls = row["calls"]
    if not isinstance(calls, list) or not all(
        isinstance(call, dict) and isinstance(call.get("call_id"), str) for call in calls
    ):
        raise TypeError("the calls of a run are not as they are written here")
    if not all(isinstance(place, int) for place in row["steps"]):
        raise TypeError("the steps of a run are not as they are written here")
    return cast("RunRow", {name: row[name] for name in _ROW})


def _step(said: Mapping[str, object]) -> StepRecord:
    calls = cast("list[list[object]]", said["calls"])
    thinking = cast("list[Mapping[str, object]]", said["thinking"])
    if not all(isinstance(part, dict) for part in thinking):
        raise TypeError("the reasoning of a run is not as it is written here")
    return StepRecord(
        tuple(ToolCall(*map(str, call)) for call in calls),
        tuple(thinking),
    )


NO_AMOUNTS: Final = RunAmounts(steps=0, tokens=0, usd=None, seconds=0.0)


def without_calls(row: RunRow) -> RunRow:
    """Return a run for an event: its calls have events of their own."""
    return cast("RunRow", {**row, "calls": []})
