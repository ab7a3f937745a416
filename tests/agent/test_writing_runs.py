"""Conversations side by side in one working tree: which of them may change files, and when."""

import asyncio
from pathlib import Path

import pytest

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.turn.edit import RUN_NOTICE
from jupyter_ac.chat.writing_turns import WritingTurns
from jupyter_ac.errors import Busy
from jupyter_ac.ids import ConversationKey
from jupyter_ac.tool_rows import AgentMode
from tests.agent.acting import GOOD, ActingWorld, acting, run_of
from tests.chat.edited import Reply, edit, result_of
from tests.chat.memory import ADA

OTHER = edit("b.txt", "b\n", "B\n")


async def two(world: ActingWorld) -> tuple[Conversation, Conversation]:
    """Ada's conversation, and one beside it."""
    first = await world.edits.conversation("a.txt", "b.txt")
    session_id = "sess_1700000000000_abcdef"
    key = ConversationKey(ADA, opened=session_id)
    await world.edits.history.start_session(key, key.first_session)
    return first, await world.edits.book.open(key, first)


async def begun(world: ActingWorld) -> None:
    await asyncio.wait_for(world.edits.model.began.wait(), 90)
    world.edits.model.began.clear()


@pytest.mark.parametrize("mode", ["agent", "sandbox"])
async def test_a_second_run_is_refused_while_one_may_write(tmp_path: Path, mode: AgentMode) -> None:
    async with acting(tmp_path) as world:
        one, beside = await two(world)
        hold = asyncio.Event()
        running = world.edits.start(one, Reply("Done.", hold=hold), mode=mode)
        await begun(world)
        with pytest.raises(Busy, match=r"“Question 1”\) is changing files"):
            world.edits.start(beside, "Never asked", number=2, mode="sandbox")
        assert (beside.stream, beside.session.turns) == (None, [])
        only_read = world.edits.start(beside, "I only read.", number=3, mode="plan")
        assert run_of(await result_of(only_read))["state"] == "done"
        hold.set()
        await result_of(running)
        result = await world.edits.ask(beside, GOOD, "Done.", number=4, mode="agent")
        assert run_of(result)["files_changed"] == ["a.txt"]


async def test_the_edits_of_an_answer_wait_while_a_run_writes_and_can_be_accepted_then(
    tmp_path: Path,
) -> None:
    async with acting(tmp_path) as world:
        one, beside = await two(world)
        hold = asyncio.Event()
        running = world.edits.start(one, Reply(GOOD, hold=hold), "Done.", mode="agent")
        await begun(world)
        rest = world.edits.model.replies
        asked = world.edits.start(beside, OTHER, number=2)
        result = await result_of(asked)
        assert [row["status"] for row in result["edit_results"]] == ["pending"]
        assert RUN_NOTICE in result["notices"]
        assert world.edits.text("b.txt") == "b\n"
        world.edits.model.replies = rest
        hold.set()
        await result_of(running)
        assert world.edits.text("a.txt") == "ONE\ntwo\n"
        await world.edits.decider.accept(beside, "r2", [0])
        assert world.edits.text("b.txt") == "B\n"
        applied = await world.edits.ask(beside, edit("b.txt", "B\n", "C\n"), number=3)
        assert [row["status"] for row in applied["edit_results"]] == ["applied"]


async def test_a_run_of_another_process_ends_this_one_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jupyter_ac.chat.writing_turns._WAIT_S", 0.0)
    async with acting(tmp_path) as world:
        conversation = await world.edits.conversation()
        async with WritingTurns(world.edits.state).run():
            result = await world.edits.ask(conversation, "Never asked", mode="agent")
            assert "in another Jupyter server, kernel or terminal" in str(result["error"])
            assert world.requests == []
        result = await world.edits.ask(conversation, "Done.", number=2, mode="agent")
        assert run_of(result)["state"] == "done"
