"""The snippets that fit what is being done."""

from collections.abc import Awaitable, Callable

from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.settings.shapes import SnippetRow


class Snippets:
    """A view of them.

    Args:
        fitting: gives those for the mode that is on.
    """

    def __init__(self, fitting: Callable[[], Awaitable[list[SnippetRow]]]) -> None:
        self._fitting = fitting

    @method(Access.READ)
    async def get_snippets(self) -> list[SnippetRow]:
        """Return the snippets for the mode that is on; `code` is the only one in this release."""
        return await self._fitting()
