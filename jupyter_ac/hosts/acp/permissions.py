"""Questions about tool calls and edits as permission requests of ACP, and their answers."""

import shlex
from collections.abc import Mapping
from typing import Final

from acp.helpers import text_block, tool_content, update_tool_call
from acp.schema import (
    AllowedOutcome,
    PermissionOption,
    PermissionOptionKind,
    RequestPermissionResponse,
    ToolCallProgress,
    ToolCallUpdate,
)

from jupyter_ac.hosts.tool_questions import ToolAnswer, question_text, visible
from jupyter_ac.tool_rows import ToolCallRow, ToolQuestion, ToolScope

REFUSE: Final = "refuse"
NO_TEXT: Final = ToolAnswer(
    "refuse",
    text="The editor can't ask the user for a text; end your answer with the question instead.",
)

_KINDS: Final[Mapping[ToolScope, PermissionOptionKind]] = {
    "once": "allow_once",
    "session": "allow_always",
    "prefix": "allow_always",
}


def options_of(question: ToolQuestion) -> list[PermissionOption]:
    """Return what the user may choose, the shortest consent first, no last."""
    words: Mapping[ToolScope, str] = {
        "once": "Allow once",
        "session": f"Allow {visible(question['origin']) or 'this'} for the session",
        "prefix": f"Always allow `{visible(shlex.join(question['prefix']))} …`",
    }
    chosen = [
        PermissionOption(option_id=scope, name=words[scope], kind=_KINDS[scope])
        for scope in question["scopes"]
    ]
    return [*chosen, PermissionOption(option_id=REFUSE, name="No", kind="reject_once")]


def asked_call(row: ToolCallRow, question: ToolQuestion, call_id: str) -> ToolCallUpdate:
    """Return the call that a permission is asked for: exactly what would run, and why it asks."""
    text = question_text(row["tool"], question)
    return as_update(
        update_tool_call(call_id, status="pending", content=[tool_content(text_block(text))])
    )


def as_update(progress: ToolCallProgress) -> ToolCallUpdate:
    """Return the part of a call's news that a permission request has."""
    return ToolCallUpdate.model_validate(progress.model_dump(exclude={"session_update"}))


def answer_of(response: RequestPermissionResponse, question: ToolQuestion) -> ToolAnswer:
    """Return what the user has decided; anything but one of the offers is a refusal."""
    chosen = chosen_option(response)
    for scope in question["scopes"]:
        if chosen == scope:
            return ToolAnswer("allow", scope)
    return ToolAnswer("refuse")


def chosen_option(response: RequestPermissionResponse) -> str:
    """Return the id of the option that was chosen; "" for none."""
    outcome = response.outcome
    return outcome.option_id if isinstance(outcome, AllowedOutcome) else ""
