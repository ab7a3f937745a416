"""The file tree and the list of files."""

import asyncio

from jupyter_ac.git.lines import LineCounts
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.tree import FileTree, file_tree, flat_file_list
from jupyter_ac.rpc.methods import Access, method


class TreePart:
    """`Repo` methods that list files; remembers line counts from call to call.

    One call at a time asks git: many pages that reload at once don't start a process each at the
    same moment.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._counts = LineCounts()
        self._turn = asyncio.Lock()

    @method(Access.READ)
    async def get_file_tree(self) -> FileTree:
        """Return the tree of files with their git state and changed lines."""
        async with self._turn:
            return await file_tree(self._repository, self._counts)

    @method(Access.READ)
    async def get_flat_file_list(self) -> str:
        """Return the files on disk, sorted, one a line."""
        return await flat_file_list(self._repository)
