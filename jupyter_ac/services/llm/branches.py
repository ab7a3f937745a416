"""RPC methods: asks an earlier question again, in a new conversation (a branch)."""

from jupyter_ac.answer_rows import image_row
from jupyter_ac.chat.branching import Branching
from jupyter_ac.chat.conversation import ConversationBook
from jupyter_ac.events import SessionChanged
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, Refusal, method
from jupyter_ac.services.llm.shapes import BranchedSession
from jupyter_ac.services.subscribers import Subscribers


class SessionBranchMethods:
    """Branches of a person's conversations.

    Args:
        book: the conversations.
        branching: makes the branches.
        audience: notified when the current session changes.
    """

    def __init__(self, book: ConversationBook, branching: Branching, audience: Subscribers) -> None:
        self._book = book
        self._branching = branching
        self._audience = audience

    @method(Access.WRITE, refusal=Refusal)
    async def branch_session(self, request_id: str) -> BranchedSession:
        """Go on from before a question, in a new session; the present one stays in the list.

        The new session has the turns before the question; what is selected stays. Refused while an
        answer is made.
        """
        conversation = await self._book.open(current_caller().seat)
        turn = await self._branching.branch(conversation, request_id)
        snapshot = conversation.session.snapshot()
        self._audience.publish(SessionChanged(snapshot), conversation.seat)
        return {
            **snapshot,
            "message_count": conversation.session.message_count,
            "question": turn.question,
            "images": [image_row(name) for name in turn.images],
        }
