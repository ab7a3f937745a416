"""RPC methods for the history: its sessions, search, size and costs."""

from datetime import datetime
from typing import Final

from jupyter_ac.chat.conversation import ConversationBook
from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.history.search import MessageQuery
from jupyter_ac.chat.pagination import page_of, shorten
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.shapes import HistoryStatus, KeptMessage, Spend
from jupyter_ac.chat.turn.preview import history_room
from jupyter_ac.errors import InvalidParams
from jupyter_ac.ids import SessionId
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.llm.client_spellings import history_status
from jupyter_ac.services.llm.shapes import ListedSession, SessionMatches

MOST_SESSIONS: Final = 1000
MOST_HITS: Final = 200
MOST_HIT_CHARS: Final = 20_000
MOST_HIT_BYTES: Final = 100_000
MOST_SESSION_BYTES: Final = 8 << 20
MAX_QUERY_CHARS: Final = 1000

_PREVIEW_CHARS: Final = 200
_BEFORE_HIT_CHARS: Final = 60


class SessionHistoryMethods:
    """Views of a person's history in this repository.

    Args:
        book: the conversations.
        ports: the dependencies of a turn.
        archive: the history on disk.
    """

    def __init__(self, book: ConversationBook, ports: TurnPorts, archive: HistoryArchive) -> None:
        self._book = book
        self._ports = ports
        self._archive = archive

    @method(Access.READ)
    async def get_history_status(self) -> HistoryStatus:
        """Say how many tokens the talk has, and how much room there is for it."""
        conversation = await self._book.open(current_caller().seat)
        return history_status(await history_room(conversation, self._ports))

    @method(Access.READ)
    async def history_list_sessions(self, limit: int = 50) -> list[ListedSession]:
        """List the caller's sessions, the one used last first; empty ones are left out."""
        conversation = await self._book.open(current_caller().seat)
        most = min(max(limit, 0), MOST_SESSIONS)
        return [
            {**session, "current": session["session_id"] == conversation.session.session_id}
            for session in await self._archive.sessions(conversation.seat.identity, most)
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
        conversation = await self._book.open(current_caller().seat)
        midnight = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        return await self._archive.spend(
            conversation.seat.identity,
            conversation.session.session_id,
            int(midnight.timestamp() * 1000),
        )


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
