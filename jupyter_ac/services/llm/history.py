"""How much talk there is."""

from jupyter_ac.chat.conversation import ConversationBook
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.preview import history_status
from jupyter_ac.chat.shapes import HistoryStatus
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method


class History:
    """Views of the conversation's history.

    Args:
        book: the conversations.
        ports: what a turn works with.
    """

    def __init__(self, book: ConversationBook, ports: TurnPorts) -> None:
        self._book = book
        self._ports = ports

    @method(Access.READ)
    async def get_history_status(self) -> HistoryStatus:
        """Say how many tokens the talk has, and how much room there is for it."""
        conversation = await self._book.open(current_caller().seat)
        return await history_status(conversation, self._ports)
