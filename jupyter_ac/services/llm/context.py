"""RPC methods for the model's context: show the next request and its cost, shorten the log."""

from collections.abc import Sequence
from typing import Final

from jupyter_ac.chat.compaction.compactor import Compactor
from jupyter_ac.chat.compaction.trimming import trim
from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.images import MAX_IMAGES
from jupyter_ac.chat.open_notebooks import NONE_OPEN
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.counts import scale_for
from jupyter_ac.chat.shapes import ContextBreakdown
from jupyter_ac.chat.symbol_tokens import OutlineOf, symbol_tokens
from jupyter_ac.chat.turn.preview import context_breakdown, sent_map
from jupyter_ac.chat.turn.runner import require_length
from jupyter_ac.chat.web_pages import excluding_all_but
from jupyter_ac.context_rows import FileSymbolTokens
from jupyter_ac.errors import InvalidParams, TooLarge
from jupyter_ac.events import SessionChanged
from jupyter_ac.ids import RepoPath
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import BILLED, Access, Refusal, method
from jupyter_ac.services.llm.selection import require_paths
from jupyter_ac.services.llm.shapes import CompactionStarted, Trimmed
from jupyter_ac.services.llm.urls import require_urls
from jupyter_ac.services.subscribers import Subscribers

MAX_PATHS: Final = 10_000
MAX_FILES: Final = 50
"""That are counted by symbol in one call."""


class TrimmingMethods:
    """RPC methods for the text that is sent to the model again with each question.

    Args:
        book: the conversations.
        ports: the dependencies of a turn.
        compactor: compacts the conversations.
    """

    def __init__(self, book: ConversationRegistry, ports: TurnPorts, compactor: Compactor) -> None:
        self._conversations = book
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
        conversation = await self._conversations.open(current_caller().conversation_key)
        await self._conversations.refresh(conversation)
        wanted = [RepoPath(path) for path in paths] if paths is not None else None
        freed = await trim(conversation, self._ports, wanted)
        return {"status": "ok", "tokens_freed": freed}

    @method(Access.WRITE, refusal=Refusal, rules=BILLED)
    async def compact_now(self) -> CompactionStarted:
        """Compact the conversation though it is not due; `compactionEvent` tells how it goes."""
        conversation = await self._conversations.open(current_caller().conversation_key)
        await self._conversations.refresh(conversation)
        await self._compactor.compact_now(conversation)
        return {"status": "started"}


class InspectionMethods:
    """Views of the next request.

    Args:
        book: the conversations.
        ports: the dependencies of a turn.
        audience: notified when another server has continued the conversation.
    """

    def __init__(self, book: ConversationRegistry, ports: TurnPorts, audience: Subscribers) -> None:
        self._conversations = book
        self._ports = ports
        self._subscribers = audience

    @method(Access.READ)
    async def get_context_breakdown(
        self,
        agent_tag: object = None,
        question: str | Sequence[object] = "",
        images: int = 0,
    ) -> ContextBreakdown:
        """Count the next request by category and file, exactly as it would be sent.

        `images` says how many come with the question. As in seed 000, a list of files as the first
        argument, and a list of fetched addresses as the second, are counted as if these were
        selected; nothing changes.
        """
        if not 0 <= images <= MAX_IMAGES:
            raise InvalidParams(f"images must be a number from 0 to {MAX_IMAGES}.")
        conversation = await self._conversation()
        if isinstance(agent_tag, list):
            require_paths(agent_tag)
            files = await self._ports.files.known(agent_tag)
            conversation = conversation.as_if(selection=files)
        if not isinstance(question, str):
            included = excluding_all_but(conversation.pages, require_urls(question))
            conversation, question = conversation.as_if(pages=included), ""
        require_length(question)
        return await context_breakdown(conversation, self._ports, question, images)

    @method(Access.READ)
    async def get_sent_map(self, question: str = "") -> str:
        """Return the map of the repository as the next request would hold it; "" without one."""
        require_length(question)
        return await sent_map(await self._conversation(), self._ports, question)

    async def _conversation(self) -> Conversation:
        conversation_key = current_caller().conversation_key
        conversation = await self._conversations.open(conversation_key)
        if await self._conversations.refresh(conversation):
            self._subscribers.publish(
                SessionChanged(conversation.session.snapshot()), conversation_key
            )
        return conversation


class SymbolTokenMethods:
    """What the symbols of files take of the next request.

    Args:
        book: the conversations.
        ports: the dependencies of a turn.
        outline_of: lists the symbols of a file.
    """

    def __init__(self, book: ConversationRegistry, ports: TurnPorts, outline_of: OutlineOf) -> None:
        self._conversations = book
        self._ports = ports
        self._outline_of = outline_of

    @method(Access.READ)
    async def get_symbol_tokens(self, paths: Sequence[str]) -> list[FileSymbolTokens]:
        """Count ticked files by symbol, as they are now; at most 50.

        What isn't ticked or can't be sent is left out. A line counts to the innermost symbol
        around it.
        """
        require_paths(paths)
        if len(paths) > MAX_FILES:
            raise TooLarge(f"At most {MAX_FILES} files can be counted at once.").as_fault()
        conversation = await self._conversations.open(current_caller().conversation_key)
        ticked = set(conversation.selection)
        wanted = [RepoPath(path) for path in dict.fromkeys(paths) if path in ticked]
        views = conversation.notebook_views
        reading = await self._ports.files.read(wanted, NONE_OPEN, views)
        scale = scale_for(self._ports.counts, self._ports.models.choice())
        return [await symbol_tokens(file, self._outline_of, scale) for file in reading.files]
