import asyncio

import pytest

from jupyter_ac.answer_rows import CommitOutcome
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.streams import ActiveStream
from jupyter_ac.errors import Busy, Conflict
from jupyter_ac.events import CommitResult, Event
from jupyter_ac.git.commit_hooks import CommitHooks
from jupyter_ac.git.whole_commit import MadeCommit
from jupyter_ac.ids import ConversationKey, RequestId, SessionId
from jupyter_ac.services.llm.commit_work import CommitWork, committed
from jupyter_ac.services.subscribers import Subscribers
from tests.chat.memory import ADA
from tests.services.llm.test_commit import Noted

SEAT, SESSION = ConversationKey(ADA), SessionId("s")


class Heard(Subscribers):
    """Remembers what is published."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[Event] = []

    def publish(self, event: Event, *_seat: object, **_but: object) -> None:
        self.events.append(event)


def work() -> tuple[CommitWork, Heard, Noted]:
    heard, noted = Heard(), Noted()
    return CommitWork(heard, noted), heard, noted


async def fails(outcome: CommitOutcome) -> CommitOutcome:
    outcome["message"] = "said"
    raise Conflict("Not now.", {"secrets": [".env"]})


async def test_a_commit_is_told_and_noted_once() -> None:
    made = MadeCommit("abcdef", "abc", "fix: it\n\nWhy.", ["a"], CommitHooks([], "", []))

    async def make(_: CommitOutcome) -> CommitOutcome:
        return committed(made)

    doing, heard, noted = work()
    running = doing.begin(SEAT, SESSION, make)
    running.answers_failure = True
    outcome = await running.task
    assert outcome["system_event_message"] == "Committed abc: fix: it"
    assert heard.events == [CommitResult(outcome)]
    assert noted.events == [(SEAT, SESSION, "commit", "Committed abc: fix: it")]


async def test_a_failure_is_told_to_all_unless_the_caller_is() -> None:
    doing, heard, noted = work()
    running = doing.begin(SEAT, SESSION, fails)
    running.answers_failure = True
    outcome = await running.task
    assert outcome == {
        "status": "failed",
        "error": "Not now.",
        "message": "said",
        "secrets": [".env"],
    }
    assert heard.events == []
    outcome = await doing.begin(SEAT, SESSION, fails).task
    assert heard.events == [CommitResult(outcome)]
    assert noted.events == []


async def test_one_commit_at_a_time_and_none_beside_an_answer() -> None:
    doing, _, _ = work()
    conversation = Conversation(SEAT)
    gate = asyncio.Event()

    async def wait(outcome: CommitOutcome) -> CommitOutcome:
        await gate.wait()
        return outcome

    running = doing.begin(SEAT, SESSION, wait)
    with pytest.raises(Busy, match="being made already"):
        doing.refuse(conversation)
    gate.set()
    await running.task
    doing.refuse(conversation)
    conversation.stream = ActiveStream(RequestId("1-a"))
    with pytest.raises(Busy, match="before undoing a commit"):
        doing.refuse(conversation, "undoing a commit")


async def test_what_runs_ends_with_the_work() -> None:
    doing, heard, _ = work()

    async def forever(_: CommitOutcome) -> CommitOutcome:
        await asyncio.Event().wait()
        raise AssertionError

    running = doing.begin(SEAT, SESSION, forever)
    kept = doing.keep(asyncio.sleep(3600))
    await asyncio.sleep(0)
    await doing.aclose()
    assert running.task.cancelled()
    assert kept.cancelled()
    assert len(heard.events) == 1
