from jupyter_ac.services.llm.modes import Modes
from tests.support.conformance import problems, result_of


def test_the_one_mode_is_code() -> None:
    modes = Modes()
    state = modes.get_mode()
    assert state["mode"] == "code"
    assert problems(state, result_of(modes.get_mode)) == []
    assert modes.switch_mode("code") == {"mode": "code"}
    for other in ("doc", "review", ""):
        answer = modes.switch_mode(other)
        assert "error" in answer
        assert problems(answer, result_of(modes.switch_mode)) == []
