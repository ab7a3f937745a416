"""Permission requests of agents as questions to the user, and decisions as their outcomes. Pure."""

import json
from collections.abc import Sequence
from typing import Final

from acp.schema import (
    AllowedOutcome,
    DeniedOutcome,
    FileEditToolCallContent,
    PermissionOption,
    PermissionOptionKind,
    RequestPermissionResponse,
    ToolCallUpdate,
)

from jupyter_ac.agent.tool import Question
from jupyter_ac.agent.tool_approvals import Decision
from jupyter_ac.terminal import terminal_text

MAX_QUESTION: Final = 8_000
MAX_TITLE: Final = 200

_WHY: Final = "{agent} asks before it does this."
_WARNING: Final = (
    "The agent describes this itself. What it does without asking can't be bound by jupyter_ac"
)
_HELD: Final = "; it runs in the sandbox."
_FREE: Final = ", and it runs outside of the sandbox."


def title_of(title: str | None) -> str:
    """Return what an agent calls something, on one line."""
    return terminal_text(" ".join((title or "").split()))[:MAX_TITLE]


def question_about(call: ToolCallUpdate, agent: str, *, is_sandboxed: bool) -> Question:
    """Return what the user is asked; all that the agent has told of the call.

    Args:
        call: that it wants to make.
        agent: its name in the settings.
        is_sandboxed: it runs in the sandbox.
    """
    parts = [terminal_text(call.title or "")]
    if call.raw_input is not None:
        parts.append(terminal_text(json.dumps(call.raw_input, ensure_ascii=False, indent=1)))
    parts += [terminal_text(each.path) for each in call.locations or ()]
    parts += [
        f"{terminal_text(each.path)}:\n{terminal_text(each.new_text)}"
        for each in call.content or ()
        if isinstance(each, FileEditToolCallContent)
    ]
    return Question(
        text="\n".join(dict.fromkeys(part for part in parts if part)),
        why=_WHY.format(agent=agent),
        is_sandboxed=is_sandboxed,
        warning=_WARNING + (_HELD if is_sandboxed else _FREE),
    )


def outcome(decision: Decision, options: Sequence[PermissionOption]) -> RequestPermissionResponse:
    """Return the option of an agent's that a decision chooses; never one that goes further.

    What is allowed once is never answered by an option for always; of the options of one kind the
    first is taken. Where there is none the request counts as cancelled.
    """
    order: tuple[PermissionOptionKind, ...]
    if not decision.allow:
        order = ("reject_once",) if decision.scope == "once" else ("reject_always", "reject_once")
    elif decision.scope == "once":
        order = ("allow_once",)
    else:
        order = ("allow_always", "allow_once")
    for kind in order:
        for option in options:
            if option.kind == kind:
                chosen = AllowedOutcome(outcome="selected", option_id=option.option_id)
                return RequestPermissionResponse(outcome=chosen)
    return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))


def is_answerable(decision: Decision, response: RequestPermissionResponse) -> bool:
    """Return whether an agent is told of a consent; it isn't if it offers no such option."""
    return not decision.allow or isinstance(response.outcome, AllowedOutcome)
