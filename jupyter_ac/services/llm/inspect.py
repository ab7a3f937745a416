"""RPC methods that show the next request to the model and its cost."""

from jupyter_ac.chat.conversation import Conversation, ConversationBook
from jupyter_ac.chat.images import MAX_IMAGES
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.shapes import ContextBreakdown
from jupyter_ac.chat.turn.preview import context_breakdown, sent_map
from jupyter_ac.chat.turn.runner import require_length
from jupyter_ac.errors import InvalidParams
from jupyter_ac.events import SessionChanged
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.subscribers import Subscribers


class InspectionMethods:
    """Views of the next request.

    Args:
        book: the conversations.
        ports: the dependencies of a turn.
        audience: notified when another server has continued the conversation.
    """

    def __init__(self, book: ConversationBook, ports: TurnPorts, audience: Subscribers) -> None:
        self._book = book
        self._ports = ports
        self._audience = audience

    @method(Access.READ)
    async def get_context_breakdown(
        self, _agent_tag: object = None, question: str = "", images: int = 0
    ) -> ContextBreakdown:
        """Count the next request by category and file, exactly as it would be sent.

        `images` says how many come with the question.
        """
        if not 0 <= images <= MAX_IMAGES:
            raise InvalidParams(f"images must be a number from 0 to {MAX_IMAGES}.")
        require_length(question)
        conversation = await self._conversation()
        return await context_breakdown(conversation, self._ports, question, images)

    @method(Access.READ)
    async def get_sent_map(self, question: str = "") -> str:
        """Return the map of the repository as the next request would hold it; "" without one."""
        require_length(question)
        return await sent_map(await self._conversation(), self._ports, question)

    async def _conversation(self) -> Conversation:
        seat = current_caller().seat
        conversation = await self._book.open(seat)
        if await self._book.refresh(conversation):
            self._audience.publish(SessionChanged(conversation.session.snapshot()), seat)
        return conversation
