import asyncio

from jupyter_ac.chat.chat_events import PageEvent, SystemEventRecorder, TurnEnded, TurnStarted
from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.history.events import HistoryEvents
from jupyter_ac.chat.records import SystemEvent, TurnState
from jupyter_ac.chat.turn.runner import ChatRequest, Turns
from jupyter_ac.errors import AcError
from jupyter_ac.event_bus import EventBus
from jupyter_ac.ids import ConversationKey, SessionId
from tests.chat.memory import (
    ADA,
    MemoryFiles,
    MemoryHistory,
    Pages,
    Recorder,
    memory_book,
    open_world,
)
from tests.chat.test_conversation import KEPT


async def test_a_turn_tells_of_its_start_and_of_its_end_when_the_next_may_begin() -> None:
    world, bus, heard = open_world(), EventBus(), list[tuple[str, object]]()
    conversation = Conversation(ConversationKey(ADA))

    def started(event: TurnStarted) -> None:
        heard.append(("started", event.record.state))
        assert conversation.stream is not None

    def ended(event: TurnEnded) -> None:
        heard.append(("ended", event.record.state))
        assert (event.conversation, event.info) == (conversation, world.model.info)
        assert event.has_whole_log
        assert conversation.stream is None

    bus.subscribe(TurnStarted, started)
    bus.subscribe(TurnEnded, ended)
    bus.subscribe(PageEvent, lambda told: heard.append((told.event.name, tuple(told.but))))
    follower = Recorder()
    turns = Turns(world.ports(), bus)
    turns.start(conversation, ChatRequest("1-a", "Why?", "page")).follow("page", follower)
    await asyncio.wait_for(follower.over.wait(), 10)
    assert heard == [
        ("started", TurnState.RUNNING),
        ("userMessage", ("page",)),
        ("ended", TurnState.DONE),
        ("sessionChanged", ("page",)),
    ]


SEAT = ConversationKey(ADA)


class Store(HistoryEvents):
    def __init__(self, failure: AcError | None = None) -> None:
        self.kept: list[tuple[SessionId, SystemEvent]] = []
        self.failure = failure

    async def add(
        self, conversation_key: ConversationKey, session_id: SessionId, event: SystemEvent
    ) -> int | None:
        assert conversation_key
        if self.failure is not None:
            raise self.failure
        self.kept.append((session_id, event))
        return len(self.kept)


def book() -> ConversationRegistry:
    history = MemoryHistory()
    history.sessions[KEPT.session_id] = KEPT
    return memory_book(history, MemoryFiles())


async def test_an_event_is_kept_shown_and_told_and_never_sent() -> None:
    conversations, store, pages = book(), Store(), Pages()
    session = (await conversations.open(SEAT)).session
    log = session.exchanges
    await SystemEventRecorder(conversations, store, pages).note(
        SEAT, session.session_id, "commit", "Committed abc"
    )
    assert [
        (message["role"], message["content"]) for message in session.snapshot()["messages"]
    ] == [
        *(("user", "Why?"), ("assistant", "So."), ("system", "Committed abc")),
    ]
    assert session.exchanges == log
    ((name, event),) = store.kept
    assert (name, event.kind, event.after_turn) == (session.session_id, "commit", "t1")
    assert session.revision == 1
    assert pages.names() == ["sessionChanged"]


async def test_an_event_goes_to_the_session_in_which_it_was_begun() -> None:
    conversations, store, pages = book(), Store(), Pages()
    conversation = await conversations.open(SEAT)
    begun_in = conversation.session.session_id
    await conversations.new_session(conversation)
    await SystemEventRecorder(conversations, store, pages).note(
        SEAT, begun_in, "commit", "Committed abc"
    )
    assert [name for name, _ in store.kept] == [begun_in]
    assert conversation.session.snapshot()["messages"] == []
    assert pages.names() == []


async def test_a_disk_that_fails_costs_only_what_is_on_it() -> None:
    conversations, pages = book(), Pages()
    session = (await conversations.open(SEAT)).session
    chronicle = SystemEventRecorder(conversations, Store(AcError("disk full")), pages)
    await chronicle.note(SEAT, session.session_id, "reset", "Reset")
    assert session.snapshot()["messages"][-1]["content"] == "Reset"
    assert session.revision == 0
