"""RPC methods for the selection: the files that the user has ticked."""

from collections.abc import Collection, Sequence
from typing import Final

from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.errors import InvalidParams, TooLarge
from jupyter_ac.events import FilesChanged
from jupyter_ac.ids import ConversationKey, RepoPath
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.subscribers import Subscribers

MAX_SELECTED: Final = 10_000


def require_paths(files: Sequence[object]) -> None:
    """See that names of files came; whether there are such files isn't asked.

    Raises:
        InvalidParams: it is no list, or something in it is no text; a fault of the call.
        TooLarge: there are too many; likewise.
    """
    if not isinstance(files, list):
        raise InvalidParams("files must be a list of paths.").as_fault()
    if len(files) > MAX_SELECTED:
        message = f"At most {MAX_SELECTED:,} files can be selected; select fewer."
        raise TooLarge(message).as_fault()
    for at, file in enumerate(files):
        if not isinstance(file, str):
            message = f"files[{at}] must be a path, a text, not {str(file)[:80]!r}."
            raise InvalidParams(message).as_fault()


def selection_event(conversation: Conversation) -> FilesChanged:
    """Return the event with the ticked files, and which of them the program has ticked."""
    paths, marked = conversation.selection, conversation.by_program
    return FilesChanged(list(paths), [path for path in paths if path in marked])


class SelectionUpdate:
    """Replaces a conversation's selection on the server's initiative, and notifies the pages.

    `chat.auto_selection` decides which files may be selected, not this class.

    Args:
        book: the conversations.
        audience: notified of it.
    """

    def __init__(self, book: ConversationRegistry, audience: Subscribers) -> None:
        self._conversations = book
        self._subscribers = audience

    async def replace(
        self,
        conversation_key: ConversationKey,
        paths: Sequence[RepoPath],
        by_program: Collection[RepoPath],
    ) -> None:
        """Make these files the selection; `by_program`: those that the user has not ticked."""
        conversation = await self._conversations.open(conversation_key)
        await self._conversations.select(conversation, paths, by_program)
        self._subscribers.publish(selection_event(conversation), conversation_key)


class SelectionMethods:
    """The selection of a person, the same in all their panels.

    Args:
        book: the conversations.
        audience: notified when the selection changes.
    """

    def __init__(self, book: ConversationRegistry, audience: Subscribers) -> None:
        self._conversations = book
        self._subscribers = audience

    @method(Access.WRITE)
    async def set_selected_files(self, files: Sequence[str]) -> list[RepoPath]:
        """Replace the selection; answers what was kept: files that exist, each once, in order."""
        require_paths(files)
        conversation = await self._conversations.open(current_caller().conversation_key)
        kept = await self._conversations.select(conversation, files)
        self._subscribers.publish(selection_event(conversation), conversation.conversation_key)
        return kept

    @method(Access.READ)
    async def get_selected_files(self) -> list[RepoPath]:
        """List the selection."""
        conversation = await self._conversations.open(current_caller().conversation_key)
        return list(conversation.selection)
