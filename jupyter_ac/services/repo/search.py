"""Text search over the files."""

import asyncio
from typing import Final

from jupyter_ac.git.repository import Repository
from jupyter_ac.git.search import FileMatches, Query, search
from jupyter_ac.rpc.methods import Access, method

_AT_ONCE: Final = 2


class SearchPart:
    """`Repo.search_files`."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._slots = asyncio.Semaphore(_AT_ONCE)

    @method(Access.READ)
    async def search_files(
        self,
        query: str,
        whole_word: bool = False,
        use_regex: bool = False,
        ignore_case: bool = True,
        context_lines: int = 1,
    ) -> list[FileMatches]:
        """Return the files with lines that match, each with its matches and lines around them."""
        wanted = Query(
            text=query,
            whole_word=whole_word,
            use_regex=use_regex,
            ignore_case=ignore_case,
            context_lines=context_lines,
        )
        async with self._slots:
            return await search(self._repository, wanted)
