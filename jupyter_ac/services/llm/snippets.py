"""The snippets that fit what is being done."""

from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.settings.shapes import SnippetRow
from jupyter_ac.services.settings.snippets import snippet_rows
from jupyter_ac.settings.shelf import SnippetShelf


class Snippets:
    """A view of the shelf.

    Args:
        shelf: the snippets.
    """

    def __init__(self, shelf: SnippetShelf) -> None:
        self._shelf = shelf

    @method(Access.READ)
    async def get_snippets(self) -> list[SnippetRow]:
        """Return the snippets for the mode that is on; `code` is the only one in this release."""
        return await snippet_rows(self._shelf, "code")
