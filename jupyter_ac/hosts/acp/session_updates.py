"""Tool calls, edits and plans of the engine as the updates of an ACP session."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from acp.helpers import (
    plan_entry,
    start_tool_call,
    text_block,
    tool_content,
    tool_diff_content,
    update_plan,
    update_tool_call,
)
from acp.schema import (
    AgentPlanUpdate,
    FileEditToolCallContent,
    PlanEntryPriority,
    PlanEntryStatus,
    ToolCallLocation,
    ToolCallProgress,
    ToolCallStart,
    ToolCallStatus,
    ToolKind,
)

from jupyter_ac.edit_rows import EditBlockRow, EditResult
from jupyter_ac.hosts.tool_questions import visible
from jupyter_ac.planner_rows import PlanRow
from jupyter_ac.tool_rows import ToolCallRow, ToolStatus

_KINDS: Final[Mapping[str, ToolKind]] = {
    **dict.fromkeys(("read_file", "read_cell", "git_diff", "git_log"), "read"),
    **dict.fromkeys(
        ("list_files", "search", "find_symbol", "references", "outline", "list_variables"),
        "search",
    ),
    **dict.fromkeys(("run_command", "run_tests", "run_cell", "browser_js", "stop"), "execute"),
    **dict.fromkeys(("fetch_url", "browser_navigate"), "fetch"),
}
_STATUSES: Final[Mapping[ToolStatus, ToolCallStatus]] = {
    "waiting": "pending",
    "running": "in_progress",
    "done": "completed",
    "failed": "failed",
    "refused": "failed",
    "cancelled": "failed",
}
_EDIT_KINDS: Final[Mapping[str, ToolKind]] = {
    "edit": "edit",
    "create": "edit",
    "delete": "delete",
    "rename": "move",
}
_EDIT_STATUSES: Final[Mapping[str, ToolCallStatus]] = {
    "applied": "completed",
    "already_applied": "completed",
    "pending": "pending",
}
_TASKS: Final[Mapping[str, PlanEntryStatus]] = {
    **dict.fromkeys(("running", "validating"), "in_progress"),
    **dict.fromkeys(("done", "skipped", "cancelled", "failed"), "completed"),
}
_HIGH, _MEDIUM = 2, 3


def call_started(row: ToolCallRow, root: Path, call_id: str) -> ToolCallStart:
    """Return a tool call as it is first shown."""
    arguments = _arguments(row)
    return start_tool_call(
        call_id,
        _title(row),
        kind=_KINDS.get(row["tool"], "other"),
        status=_STATUSES[row["status"]],
        locations=_locations(arguments, root),
        raw_input=arguments,
    )


def call_changed(row: ToolCallRow, call_id: str) -> ToolCallProgress:
    """Return the news of a tool call that is shown already."""
    text = row["result"] or row["reason"]
    return update_tool_call(
        call_id,
        title=_title(row),
        status=_STATUSES[row["status"]],
        content=[tool_content(text_block(text))] if text else None,
    )


def edit_started(block: EditBlockRow, text: str, root: Path, call_id: str) -> ToolCallStart:
    """Return an edit block as a tool call.

    Args:
        block: complete.
        text: of the answer, which the block's spans are about.
        root: the repository's top folder.
        call_id: of the tool call.
    """
    path = os.path.normpath(root / block["file"])
    words = {"create": "Create", "delete": "Delete", "rename": "Rename"}
    new_path = f" to {visible(block['new_path'])}" if block["new_path"] else ""
    title = f"{words.get(block['kind'], 'Edit')} {visible(block['file'])}{new_path}"
    return start_tool_call(
        call_id,
        title,
        kind=_EDIT_KINDS.get(block["kind"], "edit"),
        status="in_progress",
        content=[diff_of(block, text, path)] if block["kind"] in {"edit", "create"} else None,
        locations=[ToolCallLocation(path=path)],
    )


def diff_of(block: EditBlockRow, text: str, path: str) -> FileEditToolCallContent:
    """Return what a block replaces, and by what."""
    old = _span(text, block["old_span"])
    new = _span(text, block["new_span"])
    return tool_diff_content(path, new, None if block["is_create"] else old)


def edit_ended(result: EditResult, root: Path, call_id: str) -> ToolCallProgress:
    """Return what became of an edit."""
    line = result["line"] or None
    path = os.path.normpath(root / result["file"])
    return update_tool_call(
        call_id,
        status=_EDIT_STATUSES.get(result["status"], "failed"),
        locations=[ToolCallLocation(path=path, line=line)] if line else None,
        raw_output={"status": result["status"], "message": result["message"]},
    )


def plan_changed(plan: PlanRow) -> AgentPlanUpdate:
    """Return a plan with all its tasks."""
    return update_plan(
        plan_entry(
            f"{task['id']}: {task['description']}",
            priority=_priority(task["priority"]),
            status=_TASKS.get(task["status"], "pending"),
        )
        for task in plan["tasks"]
    )


def _priority(number: int) -> PlanEntryPriority:
    if number <= _HIGH:
        return "high"
    return "medium" if number == _MEDIUM else "low"


def _title(row: ToolCallRow) -> str:
    return visible(f"{row['tool']} {row['title']}".strip())


def _arguments(row: ToolCallRow) -> Mapping[str, object]:
    """Return the arguments of a call; nothing of those that aren't JSON, or are shortened."""
    try:
        found = json.loads(row["arguments"] or "{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _locations(arguments: Mapping[str, object], root: Path) -> list[ToolCallLocation] | None:
    path, line = arguments.get("path"), arguments.get("first_line")
    if not isinstance(path, str) or not path or "\0" in path:
        return None
    place = os.path.normpath(root / path)
    if not place.startswith(f"{root}{os.sep}"):
        return None
    return [ToolCallLocation(path=place, line=line if isinstance(line, int) else None)]


def _span(text: str, span: list[int]) -> str:
    """Return a part of a text; a span counts UTF-16 code units."""
    start, end = span
    return text.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end].decode(
        "utf-16-le", "replace"
    )
