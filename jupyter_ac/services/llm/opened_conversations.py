"""RPC method for conversations beside the one that all panels show, and what each client has open.

A client that opens none shares one conversation with all the person's panels. One that gives its
name (`client=`) keeps the conversation that it has opened on all its connections, also when it
connects again.
"""

from dataclasses import replace
from typing import Final

from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.records import new_session_id
from jupyter_ac.errors import InvalidParams
from jupyter_ac.ids import ClientId, ConversationKey, Identity, SessionId
from jupyter_ac.rpc.context import Opened, Remote, current_caller
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.llm.shapes import LoadedSession
from jupyter_ac.services.subscribers import Subscribers

MAX_CLIENTS: Final = 1000
"""Clients whose conversation is remembered; those that came first are forgotten first."""

_MAX_ID: Final = 100


class OpenedConversations:
    """Opens conversations by their ids, and remembers which one each client has open.

    Args:
        book: the conversations.
        history: makes the sessions of new ones.
    """

    def __init__(self, book: ConversationRegistry, history: HistoryStore) -> None:
        self._conversations, self._history = book, history
        self._clients: dict[tuple[Identity, ClientId], Opened] = {}

    def of(self, remote: Remote) -> Remote:
        """Return a new connection's other end, with what its client has opened before."""
        if not remote.client or remote.aside:
            return replace(remote, opened=Opened())
        key = (remote.identity, remote.client)
        opened = self._clients.pop(key, None) or Opened()
        if opened.name and not self._is_open(ConversationKey(remote.identity, "", opened.name)):
            opened = Opened()
        self._clients[key] = opened
        if len(self._clients) > MAX_CLIENTS:
            self._clients.pop(next(iter(self._clients)))
        return replace(remote, opened=opened)

    async def open(self, like: Conversation, session_id: str) -> Conversation:
        """Return the conversation of a person that shows a session; opens one if none does.

        Args:
            like: the conversation that the caller has; a new one begins with its ticks, mode, web
                pages and notebook views.
            session_id: which session; "" for a new, empty one.

        Raises:
            NotFound: the person has no such session here.
            AcError: the disk fails.
        """
        identity = like.conversation_key.identity
        if not session_id:
            fresh = new_session_id()
            key = ConversationKey(identity, opened=fresh)
            await self._history.start_session(key, fresh)
            return await self._conversations.open(key, like)
        beside = [
            each for each in self._conversations.of(identity) if not each.conversation_key.aside
        ]
        for conversation in beside:
            if conversation.session.session_id == SessionId(session_id):
                return conversation
        key, number = ConversationKey(identity, opened=session_id), 1
        # One that began there has gone on to another session.
        while any(each.conversation_key == key for each in beside):
            number += 1
            key = ConversationKey(identity, opened=f"{session_id}/{number}")
        return await self._conversations.open(key, like)

    def _is_open(self, key: ConversationKey) -> bool:
        return any(each.conversation_key == key for each in self._conversations.of(key.identity))


class OpenConversationMethods:
    """RPC method by which a client opens a conversation of its own.

    Args:
        book: the conversations.
        opened: opens them.
        audience: the client's pages get the events of the other conversation from then on.
    """

    def __init__(
        self, book: ConversationRegistry, opened: OpenedConversations, audience: Subscribers
    ) -> None:
        self._conversations, self._opened, self._subscribers = book, opened, audience

    @method(Access.WRITE)
    async def open_conversation(self, id: str = "") -> LoadedSession:
        """Open a conversation for this client alone, by its session's id; "" begins a new one.

        All connections with the caller's `client=` belong to it from then on, also later ones: it
        has its own ticks, mode, answers and costs. Other clients stay where they are; those that
        open the same id share it. A new one begins with the ticks of the one before. An answer that
        is made in the one before goes on.
        """
        if len(id) > _MAX_ID:
            raise InvalidParams(f"id may have at most {_MAX_ID} characters.")
        caller = current_caller()
        if caller.aside:
            raise InvalidParams("A connection aside has a conversation of its own already.")
        before = await self._conversations.open(caller.conversation_key)
        conversation = await self._opened.open(before, id)
        await self._conversations.refresh(conversation)
        key = conversation.conversation_key
        caller.opened.name = key.opened
        for peer in self._subscribers.pages_of(caller.identity):
            if peer.remote.opened is caller.opened:
                self._subscribers.move(peer, key)
        session = conversation.session
        return {**session.snapshot(), "message_count": session.message_count}
