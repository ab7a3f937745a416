"""SymbolQueries by name, and files as the map shows them."""

from collections.abc import Sequence
from typing import Final, Protocol

from jupyter_ac.index.navigation.rows import FileMapBlock, SymbolRow
from jupyter_ac.rpc.methods import Access, Refusal, method

_MOST_NAMES: Final = 200


class SymbolFinder(Protocol):
    """Answers from the index; one that isn't ready finds nothing."""

    async def symbols(self, query: str, limit: int) -> list[SymbolRow]:
        """Find symbols by a part of their name, the best first."""

    async def resolve(self, names: Sequence[str]) -> list[SymbolRow]:
        """Find the symbols of exactly these names, a few for each."""

    async def block(self, path: str) -> FileMapBlock:
        """Show one file as the map does.

        Raises:
            NotReady: the index isn't there yet.
            NotFound: the map doesn't show this file.
            RefusedPath: the path leads out of the repository.
        """


class SymbolQueries:
    """The wire's view of them.

    Args:
        finder: answers.
    """

    def __init__(self, finder: SymbolFinder) -> None:
        self._finder = finder

    @method(Access.READ)
    async def search_symbols(self, query: str, limit: int = 50) -> list[SymbolRow]:
        """Find symbols by name, the best first.

        First those of exactly this name, then by its beginning, by the beginnings of its words
        (`gfc` finds `get_file_content`), by any part of it.
        """
        return await self._finder.symbols(query, limit)

    @method(Access.READ)
    async def resolve_symbols(self, names: list[str]) -> list[SymbolRow]:
        """Find the symbols of exactly these names, for links in a text; at most 200 names.

        A name may have what it belongs to before it, which is not looked at: `Class.name` gives
        all symbols called `name`, of each name at most 20.
        """
        return await self._finder.resolve(names[:_MOST_NAMES])

    @method(Access.READ, refusal=Refusal)
    async def get_file_map_block(self, path: str) -> FileMapBlock:
        """Return one file as the map in the prompt shows it."""
        return await self._finder.block(path)
