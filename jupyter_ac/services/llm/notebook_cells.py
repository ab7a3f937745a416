"""RPC methods for the cells of notebooks that are sent with a question."""

from collections.abc import Sequence

from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.notebook_views import NotebookViews
from jupyter_ac.notebook.percent import WHOLE
from jupyter_ac.notebook_rows import NotebookCellRow
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.llm.open_documents import OpenDocuments
from jupyter_ac.services.llm.selection import selection_event
from jupyter_ac.services.subscribers import Subscribers


class NotebookCellMethods:
    """RPC methods for the cells of notebooks.

    Args:
        book: the conversations.
        views: what they show of notebooks.
        documents: the notebooks that are open in pages.
        audience: notified when what is sent changes.
    """

    def __init__(
        self,
        book: ConversationRegistry,
        views: NotebookViews,
        documents: OpenDocuments,
        audience: Subscribers,
    ) -> None:
        self._conversations = book
        self._views = views
        self._documents = documents
        self._subscribers = audience

    @method(Access.READ)
    async def get_notebook_cells(self, path: str) -> list[NotebookCellRow]:
        """List the cells of a notebook, with the tokens that each adds to a request."""
        conversation = await self._conversation()
        key = await self._views.notebook(path)
        outputs = conversation.notebook_views.get(key, WHOLE).outputs
        opened = await self._documents.notebooks(conversation.conversation_key, [key], outputs)
        return await self._views.cells(conversation, key, opened)

    @method(Access.WRITE)
    async def set_excluded_cells(self, path: str, ids: Sequence[object]) -> list[str]:
        """Leave out exactly these cells of a notebook from the next request on.

        Answers their ids. An id that no cell has any more is kept, since an edit can be undone.
        """
        conversation = await self._conversation()
        key = await self._views.notebook(path)
        view = await self._views.change(conversation, key, excluded=ids)
        self._publish(conversation)
        return sorted(view.excluded)

    @method(Access.WRITE)
    async def set_shown_outputs(self, path: str, ids: Sequence[object]) -> list[str]:
        """Send the outputs of exactly these cells of a notebook from the next request on.

        Answers their ids. Of each cell 20 lines of text are sent, errors whole, and of images the
        type and size. Secrets in outputs are masked.
        """
        conversation = await self._conversation()
        key = await self._views.notebook(path)
        view = await self._views.change(conversation, key, outputs=ids)
        self._publish(conversation)
        return sorted(view.outputs)

    async def _conversation(self) -> Conversation:
        return await self._conversations.open(current_caller().conversation_key)

    def _publish(self, conversation: Conversation) -> None:
        self._subscribers.publish(selection_event(conversation), conversation.conversation_key)
