import pytest

from jupyter_ac.agent.tool import Question
from jupyter_ac.agent.tools.result_text import MAX_CHARS
from jupyter_ac.agent.tools.user import AskUserTool, DoneTool
from jupyter_ac.errors import InvalidParams
from tests.agent.tools.calls import Caller


async def test_the_user_is_asked_for_a_text_which_is_the_result() -> None:
    tool, caller = AskUserTool(), Caller()
    caller.answer = "the blue one"
    question = await caller.question(tool, question="Which one?")
    assert question == Question("Which one?", wants_text=True)
    result = await caller.allowed(tool, question="Which one?")
    assert result.text == "The user answers:\nthe blue one"
    assert not result.ends_run
    caller.answer = "  "
    assert (await caller.allowed(tool, question="?")).text == "The user has answered nothing."


async def test_a_question_without_words_isnt_asked() -> None:
    with pytest.raises(InvalidParams, match="blank"):
        await Caller().question(AskUserTool(), question=" \n")


async def test_done_ends_the_run_without_asking() -> None:
    tool, caller = DoneTool(), Caller()
    assert await caller.question(tool, summary="All tests pass.") is None
    result = await caller.allowed(tool, summary="All tests pass.")
    assert (result.text, result.ends_run) == ("All tests pass.", True)
    long = await caller.allowed(tool, summary="x" * 100_000)
    assert len(long.text) < MAX_CHARS + 200
    assert tool.title({"summary": "a\nb"}) == "a b"
