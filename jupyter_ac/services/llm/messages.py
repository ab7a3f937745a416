"""Messages that are not in a conversation's snapshot: earlier ones, and the rest of long ones."""

from typing import Final

from jupyter_ac.chat.conversation import ConversationBook
from jupyter_ac.chat.pagination import PAGE_MESSAGES
from jupyter_ac.chat.streams import utf16_length
from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.events import SessionSnapshot
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.llm.shapes import MessageText

PART_UNITS: Final = 1 << 18
"""UTF-16 code units that `get_message_text` gives at once."""


class MessageMethods:
    """The current session's messages, a page at a time.

    Args:
        book: the conversations.
    """

    def __init__(self, book: ConversationBook) -> None:
        self._book = book

    @method(Access.READ)
    async def get_session_messages(
        self, before: str = "", limit: int = PAGE_MESSAGES
    ) -> SessionSnapshot:
        """Give messages of the current session, oldest first: those right before another one.

        Args:
            before: the `request_id` of the oldest message that is known; "" for the newest ones.
            limit: how many; fewer are given when they are long. A question and its answer come
                together.
        """
        conversation = await self._book.open(current_caller().seat)
        return conversation.session.snapshot(before, min(max(limit, 1), PAGE_MESSAGES))

    @method(Access.READ)
    async def get_message_text(
        self, request_id: str, role: str = "assistant", offset: int = 0, part: str = "content"
    ) -> MessageText:
        """Give the text of a message from a place on; what is too long comes in several calls.

        Args:
            request_id: of the message.
            role: `user` or `assistant`.
            offset: where to begin, in UTF-16 code units.
            part: `content` or `reasoning`.
        """
        conversation = await self._book.open(current_caller().seat)
        turn = conversation.session.turn(request_id)
        if turn is None:
            raise NotFound(f"There is no message {request_id[:64]!r} in this conversation.")
        match role, part:
            case "user", "content":
                text = turn.question
            case "assistant", "content":
                text = turn.answer
            case "assistant", "reasoning":
                text = turn.reasoning
            case _:
                raise InvalidParams(
                    "role must be 'user' or 'assistant', and part 'content' or, of an answer, "
                    "'reasoning'."
                )
        return {
            "request_id": turn.request_id,
            "role": "user" if role == "user" else "assistant",
            "offset": max(offset, 0),
            "text": _units_from(text, max(offset, 0)),
            "length": utf16_length(text),
        }


def _units_from(text: str, offset: int) -> str:
    """Cut a part out of a text that begins and ends between its code points."""
    units = text.encode("utf-16-le", "surrogatepass")
    part = units[2 * offset : 2 * (offset + PART_UNITS)]
    whole = part.decode("utf-16-le", "surrogatepass")
    is_split = len(part) == 2 * PART_UNITS and "\ud800" <= whole[-1] <= "\udbff"
    return whole[:-1] if is_split else whole
