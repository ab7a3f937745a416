import json

import pytest

from jupyter_ac.agent.tool import Right
from jupyter_ac.agent.toolbox import Toolbox, refusal
from jupyter_ac.chat.prompt.blocks import Category
from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.tool_rows import AgentMode
from tests.agent.runs import MadeUpTool, call

LOOK, ACT = MadeUpTool("look"), MadeUpTool("act", Right.EXECUTE)


def test_the_definitions_are_the_same_bytes_whatever_their_order() -> None:
    one, other = Toolbox([LOOK, ACT], ()).blocks, Toolbox([ACT, LOOK], ()).blocks
    assert one == other
    assert {block.category for block in one} == {Category.TOOLS}
    names = [json.loads(block.text)["function"]["name"] for block in one]
    assert names == ["act", "look"]


def test_the_lesson_names_the_tools_in_the_same_order() -> None:
    lesson = Toolbox([LOOK, ACT], ()).lesson
    assert lesson == Toolbox([ACT, LOOK], ()).lesson
    assert lesson.text.index("- act: Does act.") < lesson.text.index("- look: Does look.")


def test_a_tool_that_is_switched_off_is_none(caplog: pytest.LogCaptureFixture) -> None:
    box = Toolbox([LOOK, ACT], ["act", "unknown"])
    [warning] = caplog.messages
    assert warning.startswith("disabled_tools names 'unknown', which no tool has")
    assert "act" not in box.lesson.text
    assert "act" not in box.blocks[0].text
    assert box.right_of(call("act")) is None
    with pytest.raises(NotFound, match="no tool 'act'; there are look"):
        box.prepare(call("act"))


def test_a_call_is_checked_by_the_tools_own_schema() -> None:
    prepared = Toolbox([LOOK], ()).prepare(call("look", '{"path": "a"}'))
    assert (prepared.tool, prepared.arguments, prepared.title) == (LOOK, {"path": "a"}, "a")
    assert Toolbox([LOOK], ()).right_of(call("look")) is Right.READ


@pytest.mark.parametrize("arguments", ["{", "[]", '{"path": 1}', '{"p": ""}', "null", "[" * 9999])
def test_broken_arguments_are_refused(arguments: str) -> None:
    with pytest.raises(InvalidParams, match="look"):
        Toolbox([LOOK], ()).prepare(call("look", arguments))


def test_what_is_quoted_of_a_made_up_name_is_short() -> None:
    with pytest.raises(NotFound) as caught:
        Toolbox([LOOK], ()).prepare(call("x" * 100_000))
    assert len(caught.value.message) < 200


@pytest.mark.parametrize(
    ("mode", "right", "is_reviewing", "said"),
    [
        ("plan", Right.READ, False, ""),
        ("plan", Right.USER, False, ""),
        ("plan", Right.NETWORK, False, ""),
        ("plan", Right.EXECUTE, False, "this run only reads"),
        ("agent", Right.EXECUTE, False, ""),
        ("agent", Right.EXECUTE, True, "a branch is under review"),
        ("sandbox", Right.EXECUTE, True, "a branch is under review"),
        ("agent", Right.READ, True, ""),
    ],
)
def test_what_may_be_called_depends_on_the_mode_and_on_a_review(
    mode: AgentMode, right: Right, *, is_reviewing: bool, said: str
) -> None:
    refused = refusal(mode, right, is_reviewing=is_reviewing)
    assert said in refused
    assert bool(refused) == bool(said)
