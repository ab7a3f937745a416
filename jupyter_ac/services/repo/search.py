"""RPC methods for text search in the files."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from weakref import WeakKeyDictionary

from jupyter_ac.git.repository import Repository
from jupyter_ac.git.search.output import FileMatches
from jupyter_ac.git.search.query import Query
from jupyter_ac.rpc.context import CALLER
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.repo.notebook_search import search_with_cells


class Limiter:
    """Limits concurrency per caller and overall, with two semaphores.

    A caller above its own limit waits only for its own searches, and delays no other caller.

    Args:
        each: how many of one caller.
        overall: how many of all callers.
    """

    def __init__(self, each: int, overall: int) -> None:
        self._each = each
        self._everybody = asyncio.Semaphore(overall)
        self._own: WeakKeyDictionary[object, asyncio.Semaphore] = WeakKeyDictionary()

    @asynccontextmanager
    async def turn(self, caller: object) -> AsyncIterator[None]:
        """Acquire a slot for the duration of the block.

        Args:
            caller: remembered as long as it lives.
        """
        own = self._own.setdefault(caller, asyncio.Semaphore(self._each))
        async with own, self._everybody:
            yield


# A page that waits for a slow search can make another one meanwhile.
_OF_EACH: Final = 2
_OF_ALL: Final = 6


class SearchMethods:
    """`Repo.search_files`."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._limiter = Limiter(_OF_EACH, _OF_ALL)

    @method(Access.READ)
    async def search_files(
        self,
        query: str,
        whole_word: bool = False,
        use_regex: bool = False,
        ignore_case: bool = True,
        context_lines: int = 1,
    ) -> list[FileMatches]:
        """Return the files with lines that match, each with its matches and lines around them.

        In notebooks, these are lines of the cells' sources; those elsewhere are counted.
        """
        wanted = Query(
            text=query,
            whole_word=whole_word,
            use_regex=use_regex,
            ignore_case=ignore_case,
            context_lines=context_lines,
        )
        caller = CALLER.get(None)
        async with self._limiter.turn(self if caller is None else caller.peer):
            return await search_with_cells(self._repository, wanted)
