import pytest

from jupyter_ac.chat.turn.pipeline import run
from jupyter_ac.errors import NotReady, ProviderAuth
from tests.chat.memory import Recorder, World, open_world
from tests.chat.turn.stages import asked


async def test_a_turn_goes_through_its_stages() -> None:
    world, turn = open_world({"a.py": "1\n"}), asked("Why?", "1-a", "a.py")
    await run(turn, world.ports())
    assert world.history.steps == ["begin Why?", "keep_sent standard"]
    assert turn.gathered is not None
    assert [block.path for block in turn.request.sent] == ["a.py", None]
    assert turn.answers.outcome is not None
    assert turn.context.stream.text == "Hello world"


async def test_the_first_stage_that_raises_ends_the_turn() -> None:
    world, turn = open_world(), asked()
    world.choice = None
    with pytest.raises(NotReady):
        await run(turn, world.ports())
    assert (turn.gathered, world.model.requests) == (None, [])


async def test_what_a_stage_has_found_out_stays_when_a_later_one_fails() -> None:
    world, turn, follower = World(), asked(), Recorder()
    world.gate.open()
    world.model.error = ProviderAuth("The key is wrong.")
    turn.context.stream.follow("page", follower)
    with pytest.raises(ProviderAuth):
        await run(turn, world.ports())
    assert turn.gathered is not None
    assert turn.record.sent == turn.request.sent
    assert turn.context.stream.text == "Hello world"
