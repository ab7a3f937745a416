"""RPC methods for code navigation: definitions, references, and symbol search."""

from typing import Final

from jupyter_ac.index.navigation.navigator import Navigator
from jupyter_ac.index.navigation.rows import (
    Completion,
    FileMapBlock,
    Hover,
    SymbolRow,
    Target,
)
from jupyter_ac.rpc.methods import Access, Refusal, method

_MOST_NAMES: Final = 200


class NavigationMethods:
    """The questions of an editor about a place in a file.

    Args:
        navigator: answers from the index.
    """

    def __init__(self, navigator: Navigator) -> None:
        self._navigator = navigator

    @method(Access.READ)
    async def lsp_get_hover(self, path: str, line: int, col: int) -> Hover | None:
        """Return what is known of the name at a place, as Markdown; null when nothing is.

        Lines and columns count from 1, columns in UTF-16 code units.
        """
        return await self._navigator.hover(path, line, col)

    @method(Access.READ)
    async def lsp_get_definition(self, path: str, line: int, col: int) -> Target | None:
        """Return where the name at a place is defined in the repository; null when nowhere."""
        return await self._navigator.definition(path, line, col)

    @method(Access.READ)
    async def lsp_get_references(self, path: str, line: int, col: int) -> list[Target]:
        """Return where the name at a place is used in the repository, sorted."""
        return await self._navigator.references(path, line, col)

    @method(Access.READ)
    async def lsp_get_completions(
        self, path: str, line: int, col: int, prefix: str = ""
    ) -> list[Completion]:
        """Return what could be written at a place, at most 50, whatever case the prefix has.

        Without a prefix it is the name that ends at the place.
        """
        return await self._navigator.completions(path, line, col, prefix)


class SymbolMethods:
    """Symbols by name, and files as the map shows them.

    Args:
        navigator: answers from the index; one that isn't ready finds nothing.
    """

    def __init__(self, navigator: Navigator) -> None:
        self._navigator = navigator

    @method(Access.READ)
    async def search_symbols(self, query: str, limit: int = 50) -> list[SymbolRow]:
        """Find symbols by name, the best first.

        First those of exactly this name, then by its beginning, by the beginnings of its words
        (`gfc` finds `get_file_content`), by any part of it.
        """
        return await self._navigator.symbols(query, limit)

    @method(Access.READ)
    async def resolve_symbols(self, names: list[str]) -> list[SymbolRow]:
        """Find the symbols of exactly these names, for links in a text; at most 200 names.

        A name may have what it belongs to before it, which is not looked at: `Class.name` gives
        all symbols called `name`, of each name at most 20.
        """
        return await self._navigator.resolve(names[:_MOST_NAMES])

    @method(Access.READ, refusal=Refusal)
    async def get_file_map_block(self, path: str) -> FileMapBlock:
        """Return one file as the map in the prompt shows it."""
        return await self._navigator.block(path)
