"""The context that all parts of an index worker share."""

import importlib
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Final

from jupyter_ac.errors import NotReady
from jupyter_ac.git.repository import discover
from jupyter_ac.index.documents.document_index import DocumentIndex
from jupyter_ac.index.indexing.indexer import Indexer
from jupyter_ac.worker.jobs import Jobs

_TABLE: Final = "cl100k_base"


class IndexContext:
    """The one index of the process, and a tokenizer.

    Args:
        jobs: by which the host cancels.
    """

    def __init__(self, jobs: Jobs) -> None:
        self.jobs = jobs
        self._indexer: Indexer | None = None

    @property
    def indexer(self) -> Indexer:
        """The index.

        Raises:
            NotReady: it isn't open yet.
        """
        if self._indexer is None:
            raise NotReady("The index isn't open yet; try again in a moment.")
        return self._indexer

    async def open(self, root: Path, cache_dir: Path) -> None:
        """Open the index of a working tree; idempotent.

        Raises:
            NotFound: there is no repository.
            GitError: git can't read it.
        """
        if self._indexer is None:
            self._indexer = Indexer(await discover(root), cache_dir)

    @cached_property
    def documents(self) -> DocumentIndex:
        """The documents of the index, and their mentions of its code."""
        return DocumentIndex(self.indexer)

    def count(self, text: str) -> int:
        """Count tokens; the first call loads the table, which takes a while."""
        return self._count(text)

    @cached_property
    def _count(self) -> Callable[[str], int]:
        # Loaded lazily: the index can be opened and used for navigation before.
        tokens = importlib.import_module("jupyter_ac.worker.tokens")
        table = tokens.tiktoken.get_encoding(_TABLE)
        return lambda text: int(tokens.count_tokens(table, text))
