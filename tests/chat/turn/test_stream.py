import asyncio

import pytest

from jupyter_ac.chat.records import TurnState
from jupyter_ac.chat.turn.record import record, settle
from jupyter_ac.chat.turn.turn import Turn
from jupyter_ac.errors import AcError, Conflict, ProviderUnavailable
from jupyter_ac.events import CompactionEvent
from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.client import Retry
from tests.chat.memory import Recorder, World, open_world
from tests.chat.turn.stages import admitted, answered, asked, asked_in, prepared


async def ready(world: World, *selection: str) -> Turn:
    turn = asked("Why?")
    turn.context.conversation.selection = tuple(RepoPath(path) for path in selection)
    await admitted(turn, world.ports())
    await prepared(turn, world.ports())
    return turn


async def test_the_blocks_are_kept_before_the_model_is_called() -> None:
    world = open_world({"a.py": "1\n"})
    turn = await ready(world, "a.py")
    await answered(turn, world.ports())
    assert world.history.steps == ["begin Why?", "keep_sent standard"]
    assert turn.context.stream.text == "Hello world"
    assert world.model.requests[0].messages == turn.request.prompt.messages()
    assert turn.record.sent == turn.request.sent


async def test_notices_and_reading_progress_come_before_the_answer() -> None:
    world, follower = open_world({".env": "A=1\n"}), Recorder()
    turn = await ready(world, ".env")
    turn.context.stream.follow("page", follower)
    await answered(turn, world.ports())
    notice, reading = follower.told[:2]
    assert isinstance(notice, CompactionEvent)
    assert isinstance(reading, CompactionEvent)
    assert notice.event["stage"] == "notice"
    assert (reading.event["stage"], reading.event["percent"]) == ("reading", 25)
    assert follower.told[2:] == ["grew", "grew"]


async def test_a_pause_before_a_request_is_sent_again_is_said() -> None:
    world, follower = open_world(), Recorder()
    world.model.progress = (Retry(2, 4, 7.5, "The provider is busy."),)
    turn = await ready(world)
    turn.context.stream.follow("page", follower)
    await answered(turn, world.ports())
    event = follower.told[0]
    assert isinstance(event, CompactionEvent)
    assert (event.event["stage"], event.event["message"]) == (
        "waiting",
        "The provider is busy. Trying again in 8 s (2 of 4) …",
    )
    retry = follower.told[1]
    assert retry == Retry(2, 4, 7.5, "The provider is busy.")


async def test_reasoning_is_kept_with_the_turn_and_never_part_of_the_prompt_log() -> None:
    world = open_world()
    world.model.thoughts = ("Let me ", "think.")
    turn = await ready(world)
    await answered(turn, world.ports())
    settle(turn, None)
    assert turn.record.reasoning == "Let me think."
    assert turn.record.answer == "Hello world"
    message = turn.record.messages()[1]
    assert (message["reasoning"], message["finish_reason"]) == ("Let me think.", "stop")
    await record(turn, world.ports())
    again = asked_in(turn.context.conversation, "And?", "2-b")
    await admitted(again, world.ports())
    await prepared(again, world.ports())
    assert "think" not in str(again.request.prompt.messages())


async def test_a_turn_that_waits_for_the_model_library_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("jupyter_ac.chat.turn.stream.PATIENCE_S", 0.01)
    world, follower = open_world(), Recorder()
    world.model.loaded.clear()
    turn = await ready(world)
    turn.context.stream.follow("page", follower)
    streaming = asyncio.create_task(answered(turn, world.ports()))
    async with asyncio.timeout(30):
        while not follower.told:
            await asyncio.sleep(0.005)
    (event,) = follower.told
    assert isinstance(event, CompactionEvent)
    assert (event.event["stage"], event.event["message"]) == (
        "waiting",
        "Loading the model library …",
    )
    world.model.loaded.set()
    await asyncio.wait_for(streaming, 30)


async def test_no_checkpoint_outlives_a_stopped_stream() -> None:
    world = open_world()
    world.model.held = True
    turn = await ready(world)
    streaming = asyncio.create_task(answered(turn, world.ports()))
    await asyncio.wait_for(world.model.began.wait(), 30)
    streaming.cancel()
    await asyncio.wait({streaming}, timeout=30)
    assert streaming.cancelled()
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_partial_text_stays_when_the_provider_breaks_off() -> None:
    world = open_world()
    world.model.error = ProviderUnavailable("The connection broke.")
    turn = await ready(world)
    with pytest.raises(ProviderUnavailable):
        await answered(turn, world.ports())
    assert turn.context.stream.text == "Hello world"


async def test_a_turn_that_is_over_is_kept_and_part_of_the_conversation() -> None:
    world = open_world()
    turn = await ready(world)
    await answered(turn, world.ports())
    settle(turn, None)
    await record(turn, world.ports())
    assert world.history.steps[-1] == "finish done"
    assert turn.context.session.revision == 2
    assert [found.state for found in turn.context.session.turns] == [TurnState.DONE]
    assert len(turn.context.session.exchanges) == 1


async def test_a_disk_that_fails_at_the_end_is_a_notice() -> None:
    world = open_world()
    turn = await ready(world)
    world.history.failure = AcError("The disk is full.")
    await answered(turn, world.ports())
    settle(turn, None)
    await record(turn, world.ports())
    assert turn.record.notices == (
        "This prompt is not kept in the history: The disk is full.",
        "This answer is not kept in the history: The disk is full.",
    )
    assert turn.context.session.snapshot()["messages"][1]["content"] == "Hello world"


async def test_a_turn_that_the_disk_refused_at_first_gets_one_more_chance() -> None:
    world, refused = open_world({"a.py": "1\n"}), AcError("The disk is full.")
    world.history.failure = refused
    turn = await ready(world, "a.py")
    await answered(turn, world.ports())
    turn.context.notices.append("About a file.")
    assert (turn.stored.is_kept, len(turn.context.notices)) == (False, 2)
    settle(turn, None)
    world.history.failure = None
    await record(turn, world.ports())
    assert world.history.steps[-3:] == ["begin Why?", "keep_sent standard", "finish done"]
    (kept,) = world.history.sessions[turn.context.session.session_id].turns
    assert kept == turn.record == turn.context.session.turn("1-a")
    assert (kept.answer, kept.notices) == ("Hello world", ("About a file.",))


async def test_a_turn_that_the_disk_refuses_twice_says_so_once() -> None:
    world = open_world()
    world.history.failure = AcError("The disk is full.")
    turn = await ready(world)
    await answered(turn, world.ports())
    settle(turn, None)
    await record(turn, world.ports())
    assert turn.record.notices == ("This turn is not kept in the history: The disk is full.",)


async def test_a_turn_whose_history_was_deleted_meanwhile_is_kept_again() -> None:
    world = open_world()
    turn = await ready(world)
    await answered(turn, world.ports())
    world.history.sessions.clear()
    settle(turn, None)
    await record(turn, world.ports())
    kept = world.history.sessions[turn.context.session.session_id]
    assert (kept.turns, kept.revision) == ((turn.record,), turn.context.session.revision)
    assert turn.record.notices == ()


async def test_what_is_excluded_while_the_library_loads_is_not_sent() -> None:
    world = open_world({"a.py": "1\n"})
    turn = await ready(world, "a.py")
    world.model.loaded.clear()
    answering = asyncio.create_task(answered(turn, world.ports()))
    while "keep_sent standard" not in world.history.steps:
        await asyncio.sleep(0)
    world.files.not_sent = ExcludedPaths((RepoPath("a.py"),))
    world.model.loaded.set()
    with pytest.raises(Conflict, match="Ask again"):
        await answering
    assert world.model.requests == []
