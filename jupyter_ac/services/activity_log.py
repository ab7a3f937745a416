"""Records a caller's actions outside the conversation, in the session that their page shows."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeAlias

from jupyter_ac.chat.chat_events import SystemEventRecorder
from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.rpc.context import current_caller, is_called

Note: TypeAlias = Callable[[str, str], Awaitable[None]]
"""Takes the kind of what has happened, and one sentence about it."""

OpenNote: TypeAlias = Callable[[], Awaitable[Note]]
"""Returns a recorder bound to the caller's current session; call it before the work begins."""


class ActivityLog:
    """The activity log of the caller: one per person, and one per notebook.

    Args:
        book: the conversations.
        events: the store of the records.
    """

    def __init__(self, book: ConversationRegistry, events: SystemEventRecorder) -> None:
        self._conversations = book
        self._events = events

    async def open(self) -> Note:
        """Return a recorder bound to the caller's current session, also if that changes later.

        Without a caller, as when a workspace repairs itself, nothing is recorded.
        """
        if not is_called():
            return _forget
        conversation_key = current_caller().conversation_key
        conversation = await self._conversations.open(conversation_key)
        return partial(self._events.note, conversation_key, conversation.session.session_id)


async def _forget(_kind: str, _text: str) -> None:
    pass
