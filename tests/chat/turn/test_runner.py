import asyncio
from itertools import pairwise

import pytest

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.records import TurnPosition, TurnRecord
from jupyter_ac.chat.turn.runner import ChatRequest, Turns
from jupyter_ac.chat.turn.turn import Turn
from jupyter_ac.errors import (
    AcError,
    AlreadyExists,
    Busy,
    InvalidParams,
    NotFound,
    ProviderUnavailable,
    TooLarge,
)
from jupyter_ac.events import SessionChanged, StreamComplete, UserMessage
from jupyter_ac.ids import ConversationKey
from tests.chat.compaction.world import sent
from tests.chat.memory import ADA, Recorder, World, open_world

PAGE = "page"


class Session:
    """A conversation, its turns, and a page that follows them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.conversation = Conversation(ConversationKey(ADA))
        self.turns = Turns(world.ports(), world.pages)

    def ask(self, request_id: str = "1-a", question: str = "Why?") -> Recorder:
        follower = Recorder()
        stream = self.turns.start(self.conversation, ChatRequest(request_id, question, PAGE))
        stream.follow(PAGE, follower)
        return follower


async def completion(follower: Recorder) -> StreamComplete:
    await asyncio.wait_for(follower.over.wait(), 30)
    found = [told for told in follower.told if isinstance(told, StreamComplete)]
    assert len(found) == 1
    assert follower.told[-1] is found[0]
    return found[0]


async def test_a_turn_ends_with_its_completion_and_is_in_the_log() -> None:
    session = Session(open_world())
    follower = session.ask()
    assert session.turns.active == 1
    result = (await completion(follower)).result
    assert (result["response"], result["user_message"]) == ("Hello world", "Why?")
    assert len(session.conversation.session.exchanges) == 1
    assert session.world.history.steps[-1] == "finish done"


async def test_other_pages_hear_of_the_question_at_once_and_of_the_talk_at_the_end() -> None:
    session = Session(open_world())
    follower = session.ask()
    (asked, conversation_key, but) = session.world.pages.published[0]
    assert asked == UserMessage({"content": "Why?", "request_id": "1-a"})
    assert (conversation_key, but) == (ConversationKey(ADA), (PAGE,))
    await completion(follower)
    (changed, conversation_key, but) = session.world.pages.published[1]
    assert isinstance(changed, SessionChanged)
    assert (conversation_key, but) == (ConversationKey(ADA), (PAGE,))
    assert changed.session == session.conversation.session.snapshot()


async def test_the_place_is_free_before_anyone_hears_of_the_end() -> None:
    session = Session(open_world())

    class Eager(Recorder):
        def ended(self, completion: object) -> None:
            assert session.conversation.stream is None
            session.ask("2-b", "And?")
            assert isinstance(completion, StreamComplete)
            super().ended(completion)

    eager = Eager()
    session.turns.start(session.conversation, ChatRequest("1-a", "Why?", PAGE)).follow(PAGE, eager)
    await completion(eager)
    assert session.conversation.stream is not None
    await session.turns.aclose()


async def test_a_second_turn_is_refused_while_one_runs() -> None:
    session = Session(open_world())
    session.world.model.held = True
    follower = session.ask()
    with pytest.raises(Busy, match=r"Another stream is active \(1-a\) — press Stop or wait."):
        session.ask("2-b")
    session.world.model.release.set()
    await completion(follower)


async def test_a_request_id_is_used_once() -> None:
    session = Session(open_world())
    await completion(session.ask())
    with pytest.raises(AlreadyExists):
        session.ask("1-a", "Again?")


@pytest.mark.parametrize("request_id", ["", "a b", "x" * 65, "ä", "1\n"])
async def test_a_request_id_of_another_form_is_refused(request_id: str) -> None:
    with pytest.raises(InvalidParams, match="request_id"):
        Session(open_world()).ask(request_id)


async def test_an_empty_or_endless_question_is_refused() -> None:
    session = Session(open_world())
    with pytest.raises(InvalidParams, match="empty"):
        session.ask("1-a", " \n")
    with pytest.raises(TooLarge):
        session.ask("1-a", "x" * 1_000_001)


async def test_stop_keeps_the_text_so_far() -> None:
    session = Session(open_world())
    session.world.model.held = True
    follower = session.ask()
    await asyncio.wait_for(session.world.model.began.wait(), 30)
    session.turns.stop(session.conversation, "1-a")
    result = (await completion(follower)).result
    assert (result["cancelled"], result["response"]) == (True, "Hello world")
    assert "error" not in result
    assert session.conversation.session.snapshot()["messages"][1]["state"] == "cancelled"
    assert session.world.history.steps[-1] == "finish cancelled"


async def test_stop_works_before_the_turn_has_done_anything() -> None:
    session = Session(open_world())
    follower = session.ask()
    session.turns.stop(session.conversation, "1-a")
    assert (await completion(follower)).result["cancelled"] is True
    assert session.world.model.requests == []
    assert session.world.history.steps == ["begin Why?", "finish cancelled"]


async def test_stop_while_the_question_is_being_kept_keeps_it_and_the_place_in_the_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = Session(open_world())
    history, begin, is_writing, go_on = (
        session.world.history,
        session.world.history.begin,
        asyncio.Event(),
        asyncio.Event(),
    )

    async def slow_begin(place: TurnPosition, turn: TurnRecord) -> None:
        is_writing.set()
        await go_on.wait()
        await begin(place, turn)

    monkeypatch.setattr(history, "begin", slow_begin)
    follower = session.ask()
    await asyncio.wait_for(is_writing.wait(), 30)
    for _ in range(2):
        session.turns.stop(session.conversation, "1-a")
        await asyncio.sleep(0)
    go_on.set()
    assert (await completion(follower)).result["cancelled"] is True
    assert history.steps == ["begin Why?", "finish cancelled"]
    await completion(session.ask("2-a"))
    assert "session" not in history.steps  # no conflict with what is on disk
    assert [
        message["request_id"] for message in session.conversation.session.snapshot()["messages"]
    ] == [
        *("1-a", "1-a"),
        *("2-a", "2-a"),
    ]


async def test_stop_works_while_the_turn_waits_for_the_start() -> None:
    session = Session(World())
    follower = session.ask()
    while not follower.told:
        await asyncio.sleep(0)
    session.turns.stop(session.conversation, "1-a")
    assert (await completion(follower)).result["cancelled"] is True


async def test_stopping_what_does_not_run_is_an_error() -> None:
    session = Session(open_world())
    with pytest.raises(NotFound):
        session.turns.stop(session.conversation, "1-a")
    await completion(session.ask())
    with pytest.raises(NotFound):
        session.turns.stop(session.conversation, "1-a")


async def test_a_provider_that_fails_ends_the_turn_with_its_error_and_the_partial_text() -> None:
    session = Session(open_world())
    session.world.model.error = ProviderUnavailable("The connection broke.")
    result = (await completion(session.ask())).result
    assert (result["error"], result["response"]) == ("The connection broke.", "Hello world")
    assert session.conversation.session.snapshot()["messages"][1]["state"] == "error"


async def test_a_stage_that_crashes_ends_the_turn_as_internal(
    caplog: pytest.LogCaptureFixture,
) -> None:
    session = Session(open_world())
    session.world.model.error = ValueError("a bug")
    result = (await completion(session.ask())).result
    assert isinstance(result["error_info"], dict)
    assert result["error_info"]["error_type"] == "internal"
    assert "a bug" in caplog.text
    assert "a bug" not in str(result)


async def test_a_record_that_crashes_still_ends_the_turn(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(turn: Turn, ports: TurnPorts) -> None:
        raise ValueError(f"a bug {turn} {ports}"[:5])

    monkeypatch.setattr("jupyter_ac.chat.turn.runner.record", broken)
    session = Session(open_world())
    assert (await completion(session.ask())).result["response"] == "Hello world"
    assert "could not be kept" in caplog.text


async def test_a_disk_that_fails_doesnt_stop_the_talk() -> None:
    session = Session(open_world())
    session.world.history.failure = AcError("The disk is full.")
    result = (await completion(session.ask())).result
    assert result["response"] == "Hello world"
    assert "The disk is full." in str(result["notices"])


async def test_closing_stops_what_runs_keeps_it_and_says_so() -> None:
    session = Session(open_world())
    session.world.model.held = True
    follower = session.ask()
    await asyncio.wait_for(session.world.model.began.wait(), 30)
    await asyncio.wait_for(session.turns.aclose(), 30)
    result = (await completion(follower)).result
    assert "cancelled" not in result
    assert "interrupted" in str(result["error"])
    assert session.turns.active == 0
    assert session.world.history.steps[-1] == "finish error"
    with pytest.raises(Busy, match="closing"):
        session.ask("2-b")


async def test_closing_is_bounded_when_the_disk_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    async def hangs(turn: Turn, ports: TurnPorts) -> None:
        assert turn
        assert ports
        await asyncio.Event().wait()

    monkeypatch.setattr("jupyter_ac.chat.turn.runner.record", hangs)
    monkeypatch.setattr("jupyter_ac.chat.turn.runner._CLOSE_TIMEOUT_S", 0.05)
    session = Session(open_world())
    follower = session.ask()
    await asyncio.wait_for(session.world.model.began.wait(), 30)
    await asyncio.wait_for(session.turns.aclose(), 30)
    await completion(follower)


async def test_the_next_prompt_begins_with_the_last_one_byte_for_byte() -> None:
    session = Session(open_world({"a.py": "1\n"}))
    session.conversation.selection = tuple(await session.world.files.known(["a.py"]))
    for number in range(3):
        await completion(session.ask(f"{number}-a", f"question {number}"))
    requests = [sent(request) for request in session.world.model.requests]
    for earlier, later in pairwise(requests):
        assert later[: len(earlier)] == earlier
        assert later[len(earlier)] == ("assistant", ["Hello world"])
    assert str(requests[-1][1:]).count("a.py") == 1
