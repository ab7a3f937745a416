"""The snippets for the current mode."""

import asyncio
from collections.abc import Awaitable, Callable

from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.review_rows import ReviewState
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.settings.shapes import SnippetRow
from jupyter_ac.settings.snippets import Mode


class ModeSnippetMethods:
    """RPC methods for the snippets of the current mode.

    Args:
        rows: returns the snippets for a mode.
        review: returns the state of the review; reads the disk.
        book: the conversations, each with its mode.
    """

    def __init__(
        self,
        rows: Callable[[Mode], Awaitable[list[SnippetRow]]],
        review: Callable[[], ReviewState],
        book: ConversationRegistry,
    ) -> None:
        self._conversations = book
        self._rows = rows
        self._review = review

    @method(Access.READ)
    async def get_snippets(self) -> list[SnippetRow]:
        """Return the snippets for what is being done: a review, else work on code or documents."""
        review = await asyncio.to_thread(self._review)
        if review["active"]:
            return await self._rows("review")
        return await self._rows(
            (await self._conversations.open(current_caller().conversation_key)).focus.mode
        )
