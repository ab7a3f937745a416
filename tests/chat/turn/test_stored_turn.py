import asyncio

import pytest

from jupyter_ac.chat.turn.turn import Turn
from jupyter_ac.errors import AcError
from tests.chat.memory import open_world
from tests.chat.turn.stages import asked


def kept() -> Turn:
    turn = asked("Why?")
    turn.stored.is_kept = True
    return turn


async def test_the_answer_so_far_is_kept_again_and_again_also_after_the_disk_failed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("jupyter_ac.chat.turn.stored_turn.CHECKPOINT_S", 0.001)
    world, turn = open_world(), kept()
    async with asyncio.timeout(30), turn.stored.heartbeat(world.history):
        while world.history.steps.count("checkpoint ") < 2:
            await asyncio.sleep(0.001)
        turn.context.stream.append("Hello")
        world.history.failure = AcError("disk full")
        while world.history.steps.count("checkpoint Hello") < 2:
            await asyncio.sleep(0.001)
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_turn_that_is_not_kept_gives_no_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jupyter_ac.chat.turn.stored_turn.CHECKPOINT_S", 0.0)
    world, turn = open_world(), kept()
    turn.stored.is_kept = False
    async with turn.stored.heartbeat(world.history):
        assert asyncio.all_tasks() == {asyncio.current_task()}
    assert world.history.steps == []
