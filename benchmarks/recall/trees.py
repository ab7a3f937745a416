"""The index of one commit's tree after the other's; what is the same in both is kept."""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import tiktoken

from benchmarks.recall.commits import History
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.state import LoadedIndex
from jupyter_ac.index.map.inverted_index import InvertedIndex
from jupyter_ac.workers.launch import environment

if TYPE_CHECKING:
    from jupyter_ac.index.records import FileRecord


class Trees:
    """Keeps an index and a word index at the commit that was asked for last."""

    def __init__(self, history: History) -> None:
        self.state = LoadedIndex()
        self.word_index = InvertedIndex()
        self.records: dict[RepoPath, FileRecord | None] = {}
        self._history = history
        self._blobs: dict[RepoPath, str] = {}

    def show(self, tree: Mapping[RepoPath, str]) -> None:
        """Become the index of a tree."""
        for path in self._blobs.keys() - tree.keys():
            self.state.remove(path)
            self.word_index.remove(path)
            del self.records[path]
        for path, blob in tree.items():
            if self._blobs.get(path) != blob:
                self.state.put(path, blob, self._history.sealed(path, blob))
                self.records[path] = self._history.record(path, blob)
                self.word_index.put(path, blob, self.records[path])
        self._blobs = dict(tree)
        self.state.update()


def counter() -> Callable[[str], int]:
    """Return what counts tokens by cl100k_base, from the table that workers use."""
    os.environ["TIKTOKEN_CACHE_DIR"] = environment(os.environ, {})["TIKTOKEN_CACHE_DIR"]
    table = tiktoken.get_encoding("cl100k_base")
    return lambda text: len(table.encode_ordinary(text))
