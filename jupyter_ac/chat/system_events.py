"""Records system events in the session in which they began; they are never sent to the model."""

import logging

from jupyter_ac.chat.chat_events import PageEvent
from jupyter_ac.chat.conversation import ConversationBook
from jupyter_ac.chat.history.events import HistoryEvents, new_event
from jupyter_ac.errors import AcError
from jupyter_ac.event_bus import EventBus
from jupyter_ac.events import SessionChanged
from jupyter_ac.ids import ConversationKey, SessionId

log = logging.getLogger(__name__)


class SystemEventRecorder:
    """Records system events on disk and in the open conversation, and sends them to its pages.

    They are shown and stored, but never sent to the model.

    Args:
        book: the conversations.
        store: of the events.
        bus: publishes the changed session to the pages.
    """

    def __init__(self, book: ConversationBook, store: HistoryEvents, bus: EventBus) -> None:
        self._book = book
        self._store = store
        self._bus = bus

    async def note(
        self, seat: ConversationKey, session_id: SessionId, kind: str, text: str
    ) -> None:
        """Note that something has happened; a disk that fails costs the note on disk only.

        Args:
            seat: whose conversation.
            session_id: the session that was on its screens when it was begun.
            kind: one word, such as `commit`.
            text: one sentence for the user.
        """
        conversation = await self._book.open(seat)
        session = conversation.session
        is_shown = session.session_id == session_id
        turns = session.turns if is_shown else ()
        event = new_event(kind, text, turns[-1].turn_id if turns else "")
        if is_shown:
            session.add_event(event)
        try:
            revision = await self._store.add(seat, session_id, event)
        except AcError as error:
            log.warning("an event is not kept: %s", error)
            revision = None
        if revision is not None and session.revision + 1 == revision and is_shown:
            session.revision = revision
        if conversation.session is session and is_shown:
            self._bus.publish(PageEvent(SessionChanged(session.snapshot()), seat))
