from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from jupyter_ac.edit_rows import EditBlockRow, EditResult
from jupyter_ac.hosts.acp.session_updates import (
    call_changed,
    call_started,
    edit_ended,
    edit_started,
    plan_changed,
)
from jupyter_ac.tool_rows import ToolCallRow
from tests.support.tool_call_rows import call_row

if TYPE_CHECKING:
    from jupyter_ac.planner_rows import PlanRow

ROOT = Path("/srv/garden")


def row(tool: str, arguments: str) -> ToolCallRow:
    return cast("ToolCallRow", {**call_row(tool, "running", "a.py"), "arguments": arguments})


def block(**changed: object) -> EditBlockRow:
    usual: dict[str, object] = {"index": 0, "file": "a.py", "kind": "edit", "is_create": False}
    usual |= {"new_path": None, "old_span": [2, 4], "new_span": [4, 6], "complete": True}
    return cast("EditBlockRow", usual | changed)


def test_a_call_has_its_kind_and_its_place() -> None:
    started = call_started(row("read_file", '{"path": "a.py", "first_line": 3}'), ROOT, "c")
    assert (started.kind, started.status, started.title) == (
        "read",
        "in_progress",
        "read_file a.py",
    )
    assert started.locations is not None
    assert (started.locations[0].path, started.locations[0].line) == ("/srv/garden/a.py", 3)
    assert call_started(row("mcp__db__look", "{}"), ROOT, "c").kind == "other"


@pytest.mark.parametrize(
    "arguments",
    ["", "[", "[]", '{"path": 3}', '{"path": "../x"}', '{"path": "/etc/passwd"}', '{"path": ""}'],
)
def test_arguments_that_name_no_place_have_none(arguments: str) -> None:
    assert not call_started(row("read_file", arguments), ROOT, "c").locations


def test_an_ended_call_has_its_result_or_why_it_was_refused() -> None:
    done = cast("ToolCallRow", {**call_row(status="done"), "result": "seen"})
    refused = cast("ToolCallRow", {**call_row(status="refused"), "reason": "No."})
    for ended, status, text in ((done, "completed", "seen"), (refused, "failed", "No.")):
        shown = call_changed(ended, "c").model_dump(exclude_none=True)
        assert shown["status"] == status
        assert shown["content"][0]["content"]["text"] == text


def test_an_edit_shows_what_it_replaces_counted_as_browsers_do() -> None:
    shown = edit_started(block(), "🟧x\nyz", ROOT, "c").model_dump(exclude_none=True)
    (diff,) = shown["content"]
    assert (diff["path"], diff["old_text"], diff["new_text"]) == ("/srv/garden/a.py", "x\n", "yz")
    made = edit_started(block(kind="create", is_create=True), "🟧x\nyz", ROOT, "c")
    assert made.title == "Create a.py"
    assert "old_text" not in made.model_dump(exclude_none=True)["content"][0]
    moved = edit_started(block(kind="rename", new_path="b.py"), "", ROOT, "c")
    assert (moved.title, moved.kind) == ("Rename a.py to b.py", "move")
    assert not moved.content


def test_the_end_of_an_edit_has_its_line() -> None:
    result = {"index": 0, "file": "a.py", "line": 7, "message": "", "status": "applied"}
    ended = edit_ended(cast("EditResult", result), ROOT, "c")
    assert ended.status == "completed"
    assert ended.locations is not None
    assert ended.locations[0].line == 7
    failed = edit_ended(cast("EditResult", {**result, "line": 0, "status": "failed"}), ROOT, "c")
    assert (failed.status, failed.locations) == ("failed", None)


def test_a_plan_has_all_its_tasks() -> None:
    tasks = [
        {"id": f"t{number}", "description": "do", "priority": number, "status": status}
        for number, status in ((1, "running"), (3, "done"), (5, "ready"))
    ]
    shown = plan_changed(cast("PlanRow", {"tasks": tasks})).model_dump()
    found = [(one["content"], one["priority"], one["status"]) for one in shown["entries"]]
    assert found == [
        ("t1: do", "high", "in_progress"),
        ("t3: do", "medium", "completed"),
        ("t5: do", "low", "pending"),
    ]
