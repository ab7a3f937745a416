"""RPC methods for the snippets, by mode."""

import asyncio

from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.settings.shapes import SnippetRow
from jupyter_ac.settings.snippet_store import SnippetStore
from jupyter_ac.settings.snippets import Mode


class SnippetMethods:
    """RPC methods that return snippets.

    Args:
        snippets: of both modes.
    """

    def __init__(self, snippets: SnippetStore) -> None:
        self._snippets = snippets

    @method(Access.READ)
    async def get_snippets(self) -> list[SnippetRow]:
        """Return the snippets for work on code."""
        return await snippet_rows(self._snippets, "code")

    @method(Access.READ)
    async def get_review_snippets(self) -> list[SnippetRow]:
        """Return the snippets for reviews."""
        return await snippet_rows(self._snippets, "review")


async def snippet_rows(snippets: SnippetStore, mode: Mode) -> list[SnippetRow]:
    """Serialize the snippets for a mode."""
    return [
        {"icon": snippet.icon, "tooltip": snippet.tooltip, "message": snippet.message}
        for snippet in await asyncio.to_thread(snippets.get, mode)
    ]
