from collections.abc import Sequence

import pytest
from acp.helpers import tool_diff_content
from acp.schema import (
    AllowedOutcome,
    PermissionOption,
    PermissionOptionKind,
    ToolCallLocation,
    ToolCallUpdate,
)

from jupyter_ac.agent.tool_approvals import Decision
from jupyter_ac.planner.acp_agents.permission_requests import (
    is_answerable,
    outcome,
    question_about,
    title_of,
)
from jupyter_ac.tool_rows import ToolScope

ALL: tuple[PermissionOptionKind, ...] = (
    "reject_always",
    "allow_always",
    "allow_once",
    "reject_once",
)


def options(kinds: Sequence[PermissionOptionKind]) -> list[PermissionOption]:
    return [PermissionOption(option_id=f"id {kind}", name=kind, kind=kind) for kind in kinds]


def test_a_question_has_all_that_the_agent_tells() -> None:
    call = ToolCallUpdate(
        tool_call_id="c",
        title="Edit\x1b[2J it",
        raw_input={"command": "rm\u202e x"},
        locations=[ToolCallLocation(path="/w/a.py")],
        content=[tool_diff_content("/w/a.py", "new\n", "old\n")],
    )
    question = question_about(call, "claude", is_sandboxed=True)
    assert question.text == 'Edit[2J it\n{\n "command": "rm x"\n}\n/w/a.py\n/w/a.py:\nnew\n'
    assert question.why == "claude asks before it does this."
    assert question.warning.endswith("it runs in the sandbox.")
    free = question_about(call, "claude", is_sandboxed=False)
    assert free.warning.endswith("outside of the sandbox.")
    assert not free.is_sandboxed


@pytest.mark.parametrize(
    ("allow", "scope", "kinds", "chosen"),
    [
        (True, "once", ALL, "allow_once"),
        (True, "session", ALL, "allow_always"),
        (True, "session", ("allow_once",), "allow_once"),
        (True, "once", ("allow_always", "reject_once"), None),
        (False, "once", ALL, "reject_once"),
        (False, "session", ALL, "reject_always"),
        (False, "session", ("reject_once",), "reject_once"),
        (False, "once", ("allow_once", "reject_always"), None),
        (True, "once", (), None),
    ],
)
def test_no_option_goes_further_than_the_decision(
    allow: bool, scope: ToolScope, kinds: Sequence[PermissionOptionKind], chosen: str | None
) -> None:
    decision = Decision(allow, scope)
    response = outcome(decision, options(kinds))
    found = response.outcome.option_id if isinstance(response.outcome, AllowedOutcome) else None
    assert found == (f"id {chosen}" if chosen else None)
    assert is_answerable(decision, response) == (not allow or chosen is not None)


def test_titles_are_one_short_line() -> None:
    assert title_of(None) == ""
    assert title_of("a\n b\x07") == "a b"
    assert len(title_of("x" * 1000)) == 200
