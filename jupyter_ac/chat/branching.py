"""Branches a conversation: a new session continues from before one of its questions, or behind."""

from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.history.branching import HistoryBranches
from jupyter_ac.chat.records import TurnRecord, new_session_id
from jupyter_ac.errors import NotFound


class Branching:
    """Branches the conversations of one workspace.

    Args:
        book: the conversations.
        branches: makes their sessions on disk.
    """

    def __init__(self, book: ConversationRegistry, branches: HistoryBranches) -> None:
        self._conversations = book
        self._branches = branches

    async def branch(
        self, conversation: Conversation, request_id: str, *, after: bool = False
    ) -> TurnRecord:
        """Continue in a new session with the turns before a question; the old one doesn't change.

        The selection doesn't change. Files that later edits changed stay changed; the model is
        informed of that as of any change.

        Args:
            conversation: of the question.
            request_id: of the question.
            after: the question and its answer are in the new session, too.

        Returns:
            The turn of the question.

        Raises:
            Busy: an answer is being made.
            AccessDenied: the conversation isn't the user's own.
            NotFound: there is no such question, or it is not on disk.
            AcError: the disk fails.
        """
        conversation.require_idle("asking anew from an earlier question")
        session = conversation.session
        session.require_own()
        turn = session.turn(request_id)
        if turn is None:
            raise NotFound(
                f"There is no question {request_id[:64]!r} in this conversation; reload the page."
            )
        fresh = new_session_id()
        if not await self._branches.begin(
            conversation.conversation_key, session.session_id, turn.turn_id, fresh, after=after
        ):
            if session.turns[0] is turn and not after:
                await self._conversations.new_session(conversation)
                return turn
            raise NotFound("The question is not kept in the history, so nothing can branch there.")
        await self._conversations.load(conversation, fresh)
        return turn
