"""RPC methods for excluded files: nothing of them is sent to a model."""

from collections.abc import Sequence
from typing import Final

from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.chat.excluded_files import ExcludedFiles
from jupyter_ac.chat.history.exclusion_store import MAX_EXCLUDED
from jupyter_ac.errors import Conflict, InvalidParams, TooLarge
from jupyter_ac.ids import RepoPath
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.llm.selection import selection_event
from jupyter_ac.services.subscribers import Subscribers

_TOO_MANY: Final = (
    f"At most {MAX_EXCLUDED:,} files and folders can be excluded; exclude a folder as a whole "
    "instead."
)

_CHANGED: Final = (
    "The list of excluded files has been changed elsewhere; read it with "
    "get_excluded_index_files and make the change again."
)


class ExcludedFileMethods:
    """The excluded files of the repository, the same for all persons and worktrees.

    Args:
        book: the conversations, in which excluded files are unticked.
        excluded: keeps them; tells the pages.
        audience: notified of selections.
    """

    def __init__(
        self, book: ConversationRegistry, excluded: ExcludedFiles, audience: Subscribers
    ) -> None:
        self._conversations = book
        self._excluded = excluded
        self._subscribers = audience

    @method(Access.WRITE)
    async def set_excluded_index_files(
        self, files: Sequence[str], made_from: object = None
    ) -> list[RepoPath]:
        """Exclude these files and folders, and no others; answers them, sorted.

        Nothing of an excluded file is sent to a model: no text, name or symbol, whoever asks. They
        are unticked in all conversations, and can't be ticked. A folder stands for all that is
        below it, now and later. A path need not exist.

        `made_from` is the list that `files` was made from: if another is in force by now, the call
        is refused with `conflict`, so that nobody's change gets lost. Without a list nothing is
        compared.
        """
        if not isinstance(files, list):
            raise InvalidParams("files must be a list of paths.").as_fault()
        if len(files) > MAX_EXCLUDED:
            raise TooLarge(_TOO_MANY).as_fault()
        for at, file in enumerate(files):
            if not isinstance(file, str):
                message = f"files[{at}] must be a path, a text, not {str(file)[:80]!r}."
                raise InvalidParams(message).as_fault()
        if isinstance(made_from, list):
            await self._require(made_from)
        found = await self._excluded.replace(files)
        for conversation in self._conversations.of():
            if await self._conversations.refresh_selection(conversation):
                key = conversation.conversation_key
                self._subscribers.publish(selection_event(conversation), key)
        return list(found.paths)

    async def _require(self, known: Sequence[object]) -> None:
        if set(known) != set((await self._excluded.read()).paths):
            raise Conflict(_CHANGED).as_fault()

    @method(Access.READ)
    async def get_excluded_index_files(self) -> list[RepoPath]:
        """List the excluded files and folders; some may be gone since."""
        return list((await self._excluded.read()).paths)
