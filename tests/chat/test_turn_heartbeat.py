import asyncio

import pytest

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.turn import Turn
from jupyter_ac.chat.turn_heartbeat import kept_alive
from jupyter_ac.errors import AcError
from jupyter_ac.ids import ConversationKey
from tests.chat.memory import ADA, open_world


def asked() -> Turn:
    turn = Turn.of(Conversation(ConversationKey(ADA)), "1-a", "Why?")
    turn.is_kept = True
    return turn


async def test_the_answer_so_far_is_kept_again_and_again_also_after_the_disk_failed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("jupyter_ac.chat.turn_heartbeat.CHECKPOINT_S", 0.001)
    world, turn = open_world(), asked()
    async with asyncio.timeout(30), kept_alive(turn, world.ports()):
        while world.history.steps.count("checkpoint ") < 2:
            await asyncio.sleep(0.001)
        turn.stream.append("Hello")
        world.history.failure = AcError("disk full")
        while world.history.steps.count("checkpoint Hello") < 2:
            await asyncio.sleep(0.001)
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_turn_that_is_not_kept_gives_no_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jupyter_ac.chat.turn_heartbeat.CHECKPOINT_S", 0.0)
    world, turn = open_world(), asked()
    turn.is_kept = False
    async with kept_alive(turn, world.ports()):
        assert asyncio.all_tasks() == {asyncio.current_task()}
    assert world.history.steps == []
