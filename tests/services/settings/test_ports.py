from jupyter_ac.errors import AcError
from jupyter_ac.services.settings.ports import refusal
from jupyter_ac.settings.schema import BrokenSettings


def test_a_refusal_names_the_line_when_there_is_one() -> None:
    assert refusal(AcError("No.")) == {"error": "No."}
    assert refusal(BrokenSettings("x.json", "no.")) == {"error": "x.json: no."}
    assert refusal(BrokenSettings("x.json", "no.", 3)) == {
        "error": "x.json, line 3: no.",
        "line": 3,
    }
