from dataclasses import replace

import pytest

from jupyter_ac.chat.branching import Branching
from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.records import SessionRecord, TurnRecord, TurnState
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.streams import ActiveStream
from jupyter_ac.errors import AccessDenied, Busy, NotFound
from jupyter_ac.ids import ConversationKey, RepoPath, RequestId, SessionId
from tests.chat.memory import (
    ADA,
    MemoryBranches,
    MemoryFiles,
    MemoryFocuses,
    MemoryHistory,
    MemoryPages,
    MemoryViews,
)

SESSION = SessionId("sess_1_a")


def turn(number: int) -> TurnRecord:
    request = RequestId(f"{number}-a")
    return TurnRecord(f"t{number}", request, f"Question {number}", number, TurnState.DONE, "So.")


class World:
    """A conversation of three turns, and what branches it."""

    def __init__(self) -> None:
        self.history = MemoryHistory()
        self.record = SessionRecord(SESSION, 6, (turn(1), turn(2), turn(3)))
        self.history.sessions[SESSION] = self.record
        self.branches = MemoryBranches(self.history)
        self.book = ConversationRegistry(
            self.history, MemoryFiles(), MemoryFocuses(), MemoryPages(), MemoryViews()
        )
        self.branching = Branching(self.book, self.branches)
        self.conversation = Conversation(ConversationKey(ADA), self.record)
        self.conversation.selection = (RepoPath("a.py"),)

    @property
    def questions(self) -> list[str]:
        return [turn.question for turn in self.conversation.session.turns]


async def test_it_goes_on_with_the_turns_before_the_question() -> None:
    world = World()
    assert await world.branching.branch(world.conversation, "3-a") == turn(3)
    assert world.questions == ["Question 1", "Question 2"]
    assert world.conversation.session.session_id != SESSION
    assert world.conversation.selection == ("a.py",)
    assert world.history.sessions[SESSION] == world.record


async def test_before_the_first_question_there_is_nothing() -> None:
    world = World()
    await world.branching.branch(world.conversation, "1-a")
    assert world.questions == []
    assert f"start_session {ADA}" not in world.history.steps


async def test_before_a_first_question_that_is_not_kept_a_new_session_begins() -> None:
    world = World()
    world.branches.is_kept = False
    await world.branching.branch(world.conversation, "1-a")
    assert world.questions == []
    assert f"start_session {ADA}" in world.history.steps


async def test_it_goes_on_behind_an_answer() -> None:
    world = World()
    await world.branching.branch(world.conversation, "2-a", after=True)
    assert world.questions == ["Question 1", "Question 2"]
    await world.branching.branch(world.conversation, "1-a", after=True)
    assert world.questions == ["Question 1"]


async def test_an_unknown_question_changes_nothing() -> None:
    world = World()
    with pytest.raises(NotFound, match="no question '9-z'"):
        await world.branching.branch(world.conversation, "9-z")
    world.branches.is_kept = False
    with pytest.raises(NotFound, match="not kept in the history"):
        await world.branching.branch(world.conversation, "2-a")
    assert world.conversation.session.session_id == SESSION


async def test_nothing_branches_while_an_answer_is_made() -> None:
    world = World()
    world.conversation.stream = ActiveStream(RequestId("4-a"))
    with pytest.raises(Busy, match="press Stop"):
        await world.branching.branch(world.conversation, "2-a")


async def test_what_is_not_ones_own_is_not_branched() -> None:
    world = World()
    world.conversation.session = Session(replace(world.record, is_own=False))
    with pytest.raises(AccessDenied):
        await world.branching.branch(world.conversation, "2-a")
