import asyncio

from jupyter_ac.chat.chat_events import PageEvent, TurnEnded, TurnStarted
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.records import TurnState
from jupyter_ac.chat.turn.runner import ChatRequest, Turns
from jupyter_ac.event_bus import EventBus
from jupyter_ac.ids import ConversationKey
from tests.chat.memory import ADA, Recorder, open_world


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
