"""The events of a chat on the event bus, and the system events of its sessions.

On the bus are starts and ends of turns, and updates for the pages. A system event is recorded in
the session in which it began; it is never sent to the model.
"""

import logging
from collections.abc import Collection
from dataclasses import dataclass

from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.history.events import HistoryEvents, new_event
from jupyter_ac.chat.records import TurnRecord
from jupyter_ac.errors import AcError
from jupyter_ac.event_bus import EventBus
from jupyter_ac.events import Event, SessionChanged
from jupyter_ac.ids import ConversationKey, SessionId
from jupyter_ac.models.client import ModelInfo


@dataclass(frozen=True, slots=True)
class PageEvent:
    """An event for the pages that show one conversation.

    Attributes:
        event: as it goes over the wire.
        conversation_key: whose pages get it.
        but: peers that are left out.
    """

    event: Event
    conversation_key: ConversationKey
    but: Collection[object] = ()


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A question was asked; no stage of its turn has run yet.

    Attributes:
        conversation: where it was asked.
        record: of the turn.
    """

    conversation: Conversation
    record: TurnRecord


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A turn has ended and is stored; its conversation is free for the next question.

    Attributes:
        conversation: where it was asked.
        record: of the turn.
        info: what is known of its model; None when there was none.
        has_whole_log: its prompt held the whole log, as the model has room for it.
    """

    conversation: Conversation
    record: TurnRecord
    info: ModelInfo | None
    has_whole_log: bool


log = logging.getLogger(__name__)


class SystemEventRecorder:
    """Records system events on disk and in the open conversation, and sends them to its pages.

    They are shown and stored, but never sent to the model.

    Args:
        book: the conversations.
        store: of the events.
        bus: publishes the changed session to the pages.
    """

    def __init__(self, book: ConversationRegistry, store: HistoryEvents, bus: EventBus) -> None:
        self._conversations = book
        self._store = store
        self._bus = bus

    async def note(
        self, conversation_key: ConversationKey, session_id: SessionId, kind: str, text: str
    ) -> None:
        """Note that something has happened; a disk that fails costs the note on disk only.

        Args:
            conversation_key: whose conversation.
            session_id: the session that was on its screens when it was begun.
            kind: one word, such as `commit`.
            text: one sentence for the user.
        """
        conversation = await self._conversations.open(conversation_key)
        session = conversation.session
        is_shown = session.session_id == session_id
        turns = session.turns if is_shown else ()
        event = new_event(kind, text, turns[-1].turn_id if turns else "")
        if is_shown:
            session.add_event(event)
        try:
            revision = await self._store.add(conversation_key, session_id, event)
        except AcError as error:
            log.warning("an event is not kept: %s", error)
            revision = None
        if revision is not None and session.revision + 1 == revision and is_shown:
            session.revision = revision
        if conversation.session is session and is_shown:
            self._bus.publish(PageEvent(SessionChanged(session.snapshot()), conversation_key))
