import pytest
from mcp_types import (
    ClientCapabilities,
    ElicitationCapability,
    ElicitRequestFormParams,
    ElicitResult,
    FormElicitationCapability,
    UrlElicitationCapability,
)

from jupyter_ac.agent.tool import Question
from jupyter_ac.agent.tool_approvals import Decision, question_row
from jupyter_ac.hosts.mcp.elicitation import can_elicit, decision_of, elicit_request
from tests.support.tool_call_rows import call_row

COMMAND = question_row(Question("read\x1b[2J", why="Git ignores it."))
TEXT = question_row(Question("Which one?", wants_text=True))


@pytest.mark.parametrize(
    ("capabilities", "can"),
    [
        (None, False),
        (ClientCapabilities(), False),
        (ClientCapabilities(elicitation=ElicitationCapability()), True),
        (
            ClientCapabilities(elicitation=ElicitationCapability(form=FormElicitationCapability())),
            True,
        ),
        (
            ClientCapabilities(elicitation=ElicitationCapability(url=UrlElicitationCapability())),
            False,
        ),
    ],
)
def test_only_clients_with_forms_are_asked(
    capabilities: ClientCapabilities | None, *, can: bool
) -> None:
    assert can_elicit(capabilities) is can


def test_the_message_is_exact_and_shows_what_cannot_be_seen() -> None:
    params = elicit_request(call_row(tool="read_file"), COMMAND).params
    assert isinstance(params, ElicitRequestFormParams)
    assert "\x1b" not in params.message
    assert r"read\x1b[2J" in params.message
    assert "Git ignores it." in params.message
    assert params.requested_schema["properties"]["decision"]["enum"] == ["once", "session"]


@pytest.mark.parametrize(
    ("result", "decision"),
    [
        (ElicitResult(action="accept", content={"decision": "once"}), Decision(allow=True)),
        (
            ElicitResult(action="accept", content={"decision": "session"}),
            Decision(allow=True, scope="session"),
        ),
        (ElicitResult(action="accept", content={"decision": "prefix"}), Decision(allow=False)),
        (ElicitResult(action="accept", content={"decision": True}), Decision(allow=False)),
        (ElicitResult(action="accept", content={}), Decision(allow=False)),
        (ElicitResult(action="accept"), Decision(allow=False)),
        (ElicitResult(action="decline", content={"decision": "once"}), Decision(allow=False)),
        (ElicitResult(action="cancel"), Decision(allow=False)),
    ],
)
def test_anything_but_a_clear_consent_is_a_refusal(
    result: ElicitResult, decision: Decision
) -> None:
    assert decision_of(result, COMMAND) == decision


def test_a_text_is_passed_on() -> None:
    said = ElicitResult(action="accept", content={"decision": "the first"})
    assert decision_of(said, TEXT) == Decision(allow=True, text="the first")
    assert not decision_of(ElicitResult(action="accept", content={"decision": " "}), TEXT).allow
