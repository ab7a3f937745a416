"""What the model is about to be sent, and what it costs."""

from jupyter_ac.chat.conversation import ConversationBook
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.preview import context_breakdown
from jupyter_ac.chat.shapes import ContextBreakdown
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method


class Inspect:
    """Views of the next request.

    Args:
        book: the conversations.
        ports: what a turn works with.
    """

    def __init__(self, book: ConversationBook, ports: TurnPorts) -> None:
        self._book = book
        self._ports = ports

    @method(Access.READ)
    async def get_context_breakdown(
        self, _agent_tag: object = None, question: str = ""
    ) -> ContextBreakdown:
        """Count the next request by category and file, exactly as it would be sent."""
        conversation = await self._book.open(current_caller().seat)
        return await context_breakdown(conversation, self._ports, question)
