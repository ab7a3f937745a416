"""RPC methods that start a new conversation or resume an earlier one."""

from jupyter_ac.chat.conversation import Conversation, ConversationBook
from jupyter_ac.events import SessionChanged
from jupyter_ac.ids import RepoPath
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, Refusal, method
from jupyter_ac.services.llm.selection import selection_event
from jupyter_ac.services.llm.shapes import LoadedSession, NewSession
from jupyter_ac.services.subscribers import Subscribers


class SessionMethods:
    """The sessions of a person; one is current.

    Args:
        book: the conversations.
        audience: notified when the current session changes.
    """

    def __init__(self, book: ConversationBook, audience: Subscribers) -> None:
        self._book = book
        self._audience = audience

    @method(Access.WRITE, refusal=Refusal)
    async def new_session(self) -> NewSession:
        """Begin a new conversation; what the user has ticked stays.

        Refused while an answer is made.
        """
        return await self._begin()

    @method(Access.WRITE, refusal=Refusal)
    async def history_new_session(self) -> NewSession:
        """Do the same as `new_session`."""
        return await self._begin()

    @method(Access.WRITE, refusal=Refusal)
    async def load_session_into_context(self, session_id: str) -> LoadedSession:
        """Go on with an earlier session of the same person; refused while an answer is made."""
        conversation = await self._book.open(current_caller().seat)
        before = conversation.selection
        await self._book.load(conversation, session_id)
        self._tell_selection(conversation, before)
        snapshot = conversation.session.snapshot()
        self._audience.publish(SessionChanged(snapshot), conversation.seat)
        return {**snapshot, "message_count": conversation.session.message_count}

    async def _begin(self) -> NewSession:
        conversation = await self._book.open(current_caller().seat)
        before = conversation.selection
        await self._book.new_session(conversation)
        self._tell_selection(conversation, before)
        self._audience.publish(SessionChanged(conversation.session.snapshot()), conversation.seat)
        return {"session_id": conversation.session.session_id}

    def _tell_selection(self, conversation: Conversation, before: tuple[RepoPath, ...]) -> None:
        if conversation.selection != before:
            self._audience.publish(selection_event(conversation), conversation.seat)
