import pytest
from acp.schema import AllowedOutcome, DeniedOutcome, RequestPermissionResponse

from jupyter_ac.agent.tool import Question
from jupyter_ac.agent.tool_approvals import question_row
from jupyter_ac.hosts.acp.permissions import answer_of, asked_call, options_of
from jupyter_ac.hosts.tool_questions import ToolAnswer
from tests.support.tool_call_rows import call_row

COMMAND = question_row(
    Question("pytest -q \u202e", argv=("pytest", "-q"), prefix=("pytest", "-q"), is_sandboxed=True)
)
ADDRESS = question_row(Question("https://a.org/x", origin="https://a.org"))


def test_each_scope_is_an_option_and_no_is_the_last() -> None:
    found = [(one.option_id, one.kind, one.name) for one in options_of(COMMAND)]
    assert found == [
        ("once", "allow_once", "Allow once"),
        ("session", "allow_always", "Allow this for the session"),
        ("prefix", "allow_always", "Always allow `pytest -q …`"),
        ("refuse", "reject_once", "No"),
    ]
    assert options_of(ADDRESS)[1].name == "Allow https://a.org for the session"


def test_the_call_shows_exactly_what_would_run() -> None:
    asked = asked_call(call_row(), COMMAND, "c1").model_dump(mode="json", exclude_none=True)
    assert asked["tool_call_id"] == "c1"
    assert asked["status"] == "pending"
    text = asked["content"][0]["content"]["text"]
    assert r"pytest -q \u202e" in text
    assert "in the sandbox" in text


@pytest.mark.parametrize(
    ("option", "answer"),
    [
        ("once", ToolAnswer("allow", "once")),
        ("prefix", ToolAnswer("allow", "prefix")),
        ("refuse", ToolAnswer("refuse")),
        ("always", ToolAnswer("refuse")),
        ("", ToolAnswer("refuse")),
    ],
)
def test_anything_but_an_offer_is_a_refusal(option: str, answer: ToolAnswer) -> None:
    outcome = AllowedOutcome(outcome="selected", option_id=option)
    assert answer_of(RequestPermissionResponse(outcome=outcome), COMMAND) == answer
    dismissed = RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
    assert answer_of(dismissed, COMMAND) == ToolAnswer("refuse")


def test_what_is_not_offered_is_not_granted() -> None:
    outcome = AllowedOutcome(outcome="selected", option_id="prefix")
    response = RequestPermissionResponse(outcome=outcome)
    assert answer_of(response, ADDRESS) == ToolAnswer("refuse")
