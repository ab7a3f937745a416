"""Where names in the repository's files lead, as editors ask for it."""

from typing import Protocol

from jupyter_ac.index.navigation.rows import Completion, Hover, Target
from jupyter_ac.rpc.methods import Access, method


class NavigatorPort(Protocol):
    """Answers from the index; lines and columns count from 1, columns in UTF-16 code units.

    A path that leads out of the repository raises `RefusedPath`; an index that isn't ready and a
    file that isn't there answer with nothing.
    """

    async def hover(self, path: str, line: int, col: int) -> Hover | None:
        """Say what is known of what stands at a place."""

    async def definition(self, path: str, line: int, col: int) -> Target | None:
        """Find where what stands at a place is defined."""

    async def references(self, path: str, line: int, col: int) -> list[Target]:
        """Find where what stands at a place is used."""

    async def completions(self, path: str, line: int, col: int, prefix: str) -> list[Completion]:
        """Find what could be written at a place."""


class NavigationMethods:
    """The wire's view of it.

    Args:
        navigator: answers.
    """

    def __init__(self, navigator: NavigatorPort) -> None:
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
