"""RPC methods for the cells of notebooks that are sent with a question."""

from collections.abc import Mapping, Sequence

from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.notebook_views import NotebookViews
from jupyter_ac.chat.open_notebooks import OpenNotebook
from jupyter_ac.ids import RepoPath
from jupyter_ac.notebook.cell_selection import WHOLE
from jupyter_ac.notebook_rows import NotebookCells
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
    async def get_notebook_cells(self, path: str) -> NotebookCells:
        """List the cells of a notebook, with the tokens that each adds to a request."""
        conversation = await self._conversation()
        key = await self._views.notebook(path)
        return await self._views.cells(conversation, key, await self._open(conversation, key))

    @method(Access.WRITE)
    async def set_excluded_cells(self, path: str, ids: Sequence[str]) -> list[str]:
        """Leave out exactly these cells of a notebook from the next request on.

        Answers those that there are. A cell that is left out is also known by its text. When it can
        be found neither by that nor by its id, nothing of the notebook is sent until this method is
        called again.
        """
        conversation = await self._conversation()
        key = await self._views.notebook(path)
        opened = await self._open(conversation, key)
        excluded = await self._views.exclude(conversation, key, ids, opened)
        self._publish(conversation)
        return excluded

    @method(Access.WRITE)
    async def set_shown_outputs(
        self, path: str, ids: Sequence[str], images: Sequence[str] | None = None
    ) -> list[str]:
        """Send the outputs of exactly these cells of a notebook from the next request on.

        Answers their ids. Of each cell 20 lines of text are sent, errors whole, and of images the
        type and size. Secrets in outputs are masked. `images` names exactly those of the cells
        whose PNG and JPEG images go out as well, each with one question, five with each question
        at most; without it, cells that had them sent keep that. A model that takes no images gets
        none, which a notice says.
        """
        conversation = await self._conversation()
        key = await self._views.notebook(path)
        shown = await self._views.show_outputs(conversation, key, ids, images)
        self._publish(conversation)
        return shown

    async def _open(
        self, conversation: Conversation, key: RepoPath
    ) -> Mapping[RepoPath, OpenNotebook]:
        outputs = conversation.notebook_views.get(key, WHOLE).outputs
        return await self._documents.notebooks(conversation.conversation_key, [key], outputs)

    async def _conversation(self) -> Conversation:
        return await self._conversations.open(current_caller().conversation_key)

    def _publish(self, conversation: Conversation) -> None:
        self._subscribers.publish(selection_event(conversation), conversation.conversation_key)
