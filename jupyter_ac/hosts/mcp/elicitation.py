"""Questions about tool calls as MCP elicitations, and their answers."""

from collections.abc import Mapping
from typing import Final

from mcp_types import ClientCapabilities, ElicitRequest, ElicitRequestFormParams, ElicitResult

from jupyter_ac.agent.tool_approvals import Decision
from jupyter_ac.hosts.tool_questions import question_text
from jupyter_ac.tool_rows import ToolCallRow, ToolQuestion, ToolScope

DECISION: Final = "decision"
NO_ELICITATION: Final = Decision(
    allow=False,
    text="It was refused: it needs the user's consent, and this client can't ask the user "
    "(it has no elicitation).",
)

_WORDS: Final[Mapping[ToolScope, str]] = {
    "once": "Allow once",
    "session": "Allow for this session",
    "prefix": "Allow from now on",
}
_TEXT: Final = {"type": "string", "maxLength": 20_000}


def can_elicit(capabilities: ClientCapabilities | None) -> bool:
    """Return whether a client can ask its user by a form."""
    found = capabilities.elicitation if capabilities is not None else None
    return found is not None and (found.form is not None or found.url is None)


def elicit_request(row: ToolCallRow, question: ToolQuestion) -> ElicitRequest:
    """Return the request that asks the user: the exact call, and for how long it is allowed."""
    scopes = question["scopes"]
    field: Mapping[str, object] = {
        "type": "string",
        "title": "Your decision",
        "enum": list(scopes),
        "enumNames": [_WORDS[scope] for scope in scopes],
    }
    schema = {
        "type": "object",
        "properties": {DECISION: _TEXT if question["wants_text"] else field},
        "required": [DECISION],
    }
    message = question_text(row["tool"], question)
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def decision_of(result: ElicitResult, question: ToolQuestion) -> Decision:
    """Return what the user has decided; anything but a clear consent is a refusal."""
    said = (result.content or {}).get(DECISION)
    if result.action != "accept" or not isinstance(said, str):
        return Decision(allow=False)
    if question["wants_text"]:
        return Decision(allow=bool(said.strip()), text=said)
    for scope in question["scopes"]:
        if said == scope:
            return Decision(allow=True, scope=scope)
    return Decision(allow=False)
