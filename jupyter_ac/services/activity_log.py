"""Records a caller's actions outside the conversation, in the session that their page shows."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeAlias

from jupyter_ac.chat.conversation import ConversationBook
from jupyter_ac.chat.system_events import SystemEventRecorder
from jupyter_ac.rpc.context import current_caller, is_called

Note: TypeAlias = Callable[[str, str], Awaitable[None]]
"""Takes the kind of what has happened, and one sentence about it."""

OpenNote: TypeAlias = Callable[[], Awaitable[Note]]
"""Returns what notes in the caller's session of this moment; called before the work begins."""


class ActivityLog:
    """The activity log of whoever calls: each person's, and each notebook's beside it.

    Args:
        book: the conversations.
        events: where it is noted.
    """

    def __init__(self, book: ConversationBook, events: SystemEventRecorder) -> None:
        self._book = book
        self._events = events

    async def open(self) -> Note:
        """Return what notes in the caller's session of this moment, also if it changes later.

        Where nobody calls, as in a workspace that mends itself, nothing is noted.
        """
        if not is_called():
            return _forget
        seat = current_caller().seat
        conversation = await self._book.open(seat)
        return partial(self._events.note, seat, conversation.session.session_id)


async def _forget(_kind: str, _text: str) -> None:
    pass
