"""RPC methods for the file tree and the list of files."""

import asyncio

from jupyter_ac.errors import InvalidParams
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.git.tree.listing import flat_file_list
from jupyter_ac.git.tree.serialize import FileTree
from jupyter_ac.rpc.encoded import Encoded
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.repo.tree_rows import ToldTrees, TreeRows


class TreeMethods:
    """`Repo` methods that list files.

    Args:
        repository: whose files.
        cache: its tree, shared with the watch.
    """

    def __init__(self, repository: Repository, cache: TreeCache) -> None:
        self._repository = repository
        self._cache = cache
        self._told = ToldTrees()

    @method(Access.READ)
    async def get_file_tree(self) -> Encoded[FileTree]:
        """Return the tree of files with their git state and changed lines."""
        snapshot = await self._cache.snapshot()
        return await asyncio.to_thread(lambda: snapshot.encoded)

    @method(Access.READ)
    async def get_tree_rows(self, since: str = "", start: int = 0, version: str = "") -> TreeRows:
        """Return the files as rows, or those that differ from an older tree, 2,000 at a time.

        The first call gives `since` alone: the version that the caller has, or "". When that
        version isn't kept any more the answer is a whole tree, and its `since` is "". The
        following slices are asked for by `start`, the `next` of the slice before, the same
        `since`, and the `version` of the first slice. An answer of another version is the first
        slice of a whole tree, and the caller begins anew with it.
        """
        if start < 0:
            raise InvalidParams(f"A slice can't start at {start}; take `next` of the one before.")
        going_on = self._told.go_on(version, since, start) if start else None
        if going_on is not None:
            return going_on
        snapshot = await self._cache.snapshot()
        return await self._told.begin(snapshot, "" if start else since)

    @method(Access.READ)
    async def get_flat_file_list(self) -> str:
        """Return the files on disk, sorted, one a line."""
        return await flat_file_list(self._repository)
