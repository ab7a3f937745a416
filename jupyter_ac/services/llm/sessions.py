"""Beginning a new conversation, and going on with an earlier one."""

from jupyter_ac.chat.conversation import ConversationBook
from jupyter_ac.errors import AcError
from jupyter_ac.events import SessionChanged
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.audience import Audience
from jupyter_ac.services.llm.shapes import LoadedSession, NewSession
from jupyter_ac.services.refusal import Refusal


class Sessions:
    """The sessions of a person; one is current.

    Args:
        book: the conversations.
        audience: told when the current session changes.
    """

    def __init__(self, book: ConversationBook, audience: Audience) -> None:
        self._book = book
        self._audience = audience

    @method(Access.WRITE)
    async def new_session(self) -> NewSession | Refusal:
        """Begin a new conversation, the selection stays; refused while an answer is made."""
        return await self._begin()

    @method(Access.WRITE)
    async def history_new_session(self) -> NewSession | Refusal:
        """Do the same as `new_session`."""
        return await self._begin()

    @method(Access.WRITE)
    async def load_session_into_context(self, session_id: str) -> LoadedSession | Refusal:
        """Go on with an earlier session of the same person; refused while an answer is made."""
        conversation = await self._book.open(current_caller().seat)
        try:
            await self._book.load(conversation, session_id)
        except AcError as error:
            return {"error": error.message}
        snapshot = conversation.session.snapshot()
        self._audience.publish(SessionChanged(snapshot), conversation.seat)
        return {**snapshot, "message_count": conversation.session.message_count}

    async def _begin(self) -> NewSession | Refusal:
        conversation = await self._book.open(current_caller().seat)
        try:
            await self._book.new_session(conversation)
        except AcError as error:
            return {"error": error.message}
        self._audience.publish(SessionChanged(conversation.session.snapshot()), conversation.seat)
        return {"session_id": conversation.session.session_id}
