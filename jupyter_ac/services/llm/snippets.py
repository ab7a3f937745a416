"""The snippets that fit what is being done."""

import asyncio
from collections.abc import Awaitable, Callable

from jupyter_ac.review_rows import ReviewState
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.settings.shapes import SnippetRow
from jupyter_ac.settings.snippets import Mode


class Snippets:
    """A view of them.

    Args:
        rows: gives those for a mode.
        review: says what is under review; looks at the disk.
    """

    def __init__(
        self,
        rows: Callable[[Mode], Awaitable[list[SnippetRow]]],
        review: Callable[[], ReviewState],
    ) -> None:
        self._rows = rows
        self._review = review

    @method(Access.READ)
    async def get_snippets(self) -> list[SnippetRow]:
        """Return the snippets for what is being done: a review, else work on code."""
        review = await asyncio.to_thread(self._review)
        return await self._rows("review" if review["active"] else "code")
