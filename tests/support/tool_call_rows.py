"""Rows of tool calls, as they come over the wire."""

from collections.abc import Mapping
from typing import cast

from jupyter_ac.tool_rows import RunRow, ToolCallRow, ToolQuestion, ToolStatus, ToolUpdate


def call_row(
    tool: str = "run_command",
    status: ToolStatus = "waiting",
    title: str = "",
    call_id: str = "c1",
    asking: Mapping[str, object] | None = None,
) -> ToolCallRow:
    """Return the row of a call; `asking` are the members of its question that aren't the usual."""
    asked: dict[str, object] = {"text": "touch a", "why": "", "scopes": ["once"], "prefix": []}
    asked |= {"origin": "", "is_sandboxed": False, "warning": "", "wants_text": False}
    return ToolCallRow(
        call_id=call_id,
        step=1,
        tool=tool,
        title=title,
        arguments="{}",
        status=status,
        reason="",
        question=cast("ToolQuestion", asked | dict(asking or {})),
        started_at="",
        duration_ms=None,
        tokens=0,
        result="",
        left_out=0,
    )


def run_row(**changed: object) -> RunRow:
    """Return the row of a run that is done, but for what is given."""
    amounts = {"steps": 2, "tokens": 1234, "usd": None, "seconds": 3.2}
    row: dict[str, object] = {"run_id": "t1", "request_id": "r1", "mode": "agent"}
    row |= {"state": "done", "reason": "", "used": amounts, "limits": amounts, "calls": []}
    row |= {"steps": [4], "changed_steps": [], "files_changed": [], "can_undo": False}
    return cast("RunRow", row | changed)


def update(call: ToolCallRow | None = None, **run: object) -> ToolUpdate:
    """Return news of a call, or of the run alone."""
    news = ToolUpdate(request_id="r1", run=run_row(**run))
    if call is not None:
        news["call"] = call
    return news
