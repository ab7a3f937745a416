"""RPC methods for the history: its sessions, search, size, costs, and messages.

Messages are those that a conversation's snapshot leaves out: earlier ones, the rest of long ones.
"""

from datetime import datetime, timedelta
from typing import Final

from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.history.search import MessageQuery
from jupyter_ac.chat.pagination import PAGE_MESSAGES, page_of, shorten
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.shapes import HistoryStatus, KeptMessage, Spend
from jupyter_ac.chat.streams import utf16_length
from jupyter_ac.chat.turn.preview import history_room
from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.ids import SessionId
from jupyter_ac.message_rows import SessionSnapshot
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.llm.client_spellings import history_status
from jupyter_ac.services.llm.shapes import ListedSession, MessageText, SessionMatches
from jupyter_ac.usage_rows import DaySpend

MOST_SESSIONS: Final = 1000
MOST_HITS: Final = 200
MOST_HIT_CHARS: Final = 20_000
MOST_HIT_BYTES: Final = 100_000
MOST_SESSION_BYTES: Final = 8 << 20
MAX_QUERY_CHARS: Final = 1000
MOST_DAYS: Final = 365

_PREVIEW_CHARS: Final = 200
_BEFORE_HIT_CHARS: Final = 60


class SessionHistoryMethods:
    """Views of a person's history in this repository.

    Args:
        book: the conversations.
        ports: the dependencies of a turn.
        archive: the history on disk.
    """

    def __init__(
        self, book: ConversationRegistry, ports: TurnPorts, archive: HistoryArchive
    ) -> None:
        self._conversations = book
        self._ports = ports
        self._archive = archive

    @method(Access.READ)
    async def get_history_status(self) -> HistoryStatus:
        """Say how many tokens the talk has, and how much room there is for it."""
        conversation = await self._conversations.open(current_caller().conversation_key)
        return history_status(await history_room(conversation, self._ports))

    @method(Access.READ)
    async def history_list_sessions(self, limit: int = 50) -> list[ListedSession]:
        """List the caller's sessions, the one used last first; empty ones are left out."""
        conversation = await self._conversations.open(current_caller().conversation_key)
        most = min(max(limit, 0), MOST_SESSIONS)
        return [
            {**session, "current": session["session_id"] == conversation.session.session_id}
            for session in await self._archive.sessions(
                conversation.conversation_key.identity, most
            )
        ]

    @method(Access.READ)
    async def history_get_session(self, session_id: str) -> list[KeptMessage]:
        """Give the messages of one of the caller's sessions, oldest first; none for another's.

        Of a session that is very long, its newest ones; `export_session` writes all of it.
        """
        found = await self._archive.messages(current_caller().identity, SessionId(session_id))
        return page_of(found, lambda message: [message], len(found), MOST_SESSION_BYTES).messages

    @method(Access.READ)
    async def history_search(
        self, query: str, role: str | None = None, limit: int = 50
    ) -> list[SessionMatches]:
        """Find messages that hold a text, newest first, gathered by session.

        Literally, upper and lower case being one. `limit` counts messages. An empty query finds
        nothing.
        """
        if len(query) > MAX_QUERY_CHARS:
            raise InvalidParams(f"The query is longer than {MAX_QUERY_CHARS:,} characters.")
        most = min(limit, MOST_HITS)
        if not query.strip() or most <= 0:
            return []
        wanted = MessageQuery(query, role or "", most)
        found = await self._archive.search(current_caller().identity, wanted)
        sessions: dict[str, list[KeptMessage]] = {}
        for message in found:
            sessions.setdefault(message["session_id"], []).append(message)
        return [_matches(messages, query) for messages in sessions.values()]

    @method(Access.READ)
    async def get_spend(self) -> Spend:
        """Say what the caller's answers have cost, as far as their prices are known."""
        conversation = await self._conversations.open(current_caller().conversation_key)
        midnight = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        return await self._archive.spend(
            conversation.conversation_key.identity,
            conversation.session.session_id,
            int(midnight.timestamp() * 1000),
        )

    @method(Access.READ)
    async def get_spend_by_day(self, days: int = 90) -> list[DaySpend]:
        """Say what the caller's answers in this repository have used, by day, oldest first.

        Days without answers are left out; `days` is from 1 to 365, today included.
        """
        if not 1 <= days <= MOST_DAYS:
            raise InvalidParams(f"days must be from 1 to {MOST_DAYS}.")
        midnight = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        since = midnight - timedelta(days=days - 1)
        identity = current_caller().identity
        return await self._archive.spend_by_day(identity, int(since.timestamp() * 1000))


def _matches(messages: list[KeptMessage], query: str) -> SessionMatches:
    newest = messages[0]
    return {
        "session_id": newest["session_id"],
        "messages": [_cut(message) for message in messages],
        "message_id": newest["id"],
        "role": newest["role"],
        "content_preview": _preview(newest["content"], query),
        "timestamp": newest["timestamp"],
    }


def _cut(message: KeptMessage) -> KeptMessage:
    content = message["content"]
    if len(content) > MOST_HIT_CHARS:
        message = {**message, "content": f"{content[:MOST_HIT_CHARS]} …"}
    shorten(message, MOST_HIT_BYTES)
    return message


def _preview(content: str, query: str) -> str:
    start = max(0, content.casefold().find(query.casefold()) - _BEFORE_HIT_CHARS)
    return " ".join(content[start : start + _PREVIEW_CHARS].split())


PART_UNITS: Final = 1 << 18
"""UTF-16 code units that `get_message_text` gives at once."""


class MessageMethods:
    """The current session's messages, a page at a time.

    Args:
        book: the conversations.
    """

    def __init__(self, book: ConversationRegistry) -> None:
        self._conversations = book

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
        conversation = await self._conversations.open(current_caller().conversation_key)
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
        conversation = await self._conversations.open(current_caller().conversation_key)
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
