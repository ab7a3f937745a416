"""RPC methods that shorten the prompt's log: remove files, compact the conversation."""

from collections.abc import Sequence
from typing import Final

from jupyter_ac.chat.compaction.compactor import Compactor
from jupyter_ac.chat.compaction.trimming import trim
from jupyter_ac.chat.conversation import ConversationBook
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.errors import InvalidParams, TooLarge
from jupyter_ac.ids import RepoPath
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, Refusal, method
from jupyter_ac.services.llm.shapes import CompactionStarted, Trimmed

MAX_PATHS: Final = 10_000


class TrimmingMethods:
    """RPC methods for the text that is sent to the model again with each question.

    Args:
        book: the conversations.
        ports: the dependencies of a turn.
        compactor: compacts the conversations.
    """

    def __init__(self, book: ConversationBook, ports: TurnPorts, compactor: Compactor) -> None:
        self._book = book
        self._ports = ports
        self._compactor = compactor

    @method(Access.WRITE, refusal=Refusal)
    async def trim_context(self, paths: Sequence[str] | None = None) -> Trimmed:
        """Send the copies of these files no more; without paths, of all that aren't selected.

        A selected one goes out once more with the next question, as it is then.
        """
        if paths is not None and not isinstance(paths, list):
            raise InvalidParams("paths must be a list of paths.").as_fault()
        if paths is not None and len(paths) > MAX_PATHS:
            message = f"At most {MAX_PATHS:,} paths can be named; leave them out for all."
            raise TooLarge(message).as_fault()
        conversation = await self._book.open(current_caller().seat)
        await self._book.refresh(conversation)
        wanted = [RepoPath(path) for path in paths] if paths is not None else None
        freed = await trim(conversation, self._ports, wanted)
        return {"status": "ok", "tokens_freed": freed}

    @method(Access.WRITE, refusal=Refusal)
    async def compact_now(self) -> CompactionStarted:
        """Compact the conversation though it is not due; `compactionEvent` tells how it goes."""
        conversation = await self._book.open(current_caller().seat)
        await self._book.refresh(conversation)
        await self._compactor.compact_now(conversation)
        return {"status": "started"}
