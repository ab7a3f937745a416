"""RPC methods for the file tree and the list of files.

The tree is sent as rows in slices: whole, or as a delta to an older version. A page remembers its
version and asks for a delta. The snapshots that were sent last are cached for this; for an older
version the response is a whole tree.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypedDict, TypeVar

from jupyter_ac.errors import InvalidParams
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.git.tree.serialize import FileTree, flat_file_list
from jupyter_ac.git.tree.snapshot import Snapshot
from jupyter_ac.rpc.codec import Encoded
from jupyter_ac.rpc.methods import Access, method

MAX_ROWS: Final = 2000
KEPT: Final = 16

Row = tuple[str | float, ...]
"""A tuple: the garbage collector untracks these, but would count each list."""

Key = TypeVar("Key")
Value = TypeVar("Value")


class TreeRows(TypedDict):
    """A slice of the tree's files, as rows.

    Attributes:
        name: the repository's.
        version: of the tree; ask for what differs from it by `since`.
        since: the version from which the rows differ; "" when they are a whole tree.
        head: the branch and the commit.
        operation: the merge, rebase, cherry-pick, revert or bisect under way.
        total: how many rows all slices have together.
        rows: `[path, lines, mtime, flags, additions, deletions]` by path, without the last two
            where both are 0. Flags: 1 modified, 2 staged, 4 untracked, 8 deleted, 16 conflicted,
            32 binary, 64 submodule, 128 link.
        removed: the files that are gone, whole in the first slice.
        next: where the following slice starts; null in the last one.
    """

    name: str
    version: str
    since: str
    head: str
    operation: str | None
    total: int
    rows: Sequence[Sequence[str | float]]
    removed: list[str]
    next: int | None


@dataclass(frozen=True, slots=True)
class TreeSlice:
    """A whole tree or a delta, to be sent to a page in slices.

    Attributes:
        snapshot: the tree.
        since: the version that the page has; "" for none.
        paths: the files whose rows it needs.
        removed: the files removed since.
    """

    snapshot: Snapshot
    since: str
    paths: Sequence[str]
    removed: list[str]

    def slice(self, start: int) -> TreeRows:
        """Return the rows from `start` on."""
        snapshot = self.snapshot
        end = start + MAX_ROWS
        return TreeRows(
            name=snapshot.name,
            version=snapshot.version,
            since=self.since,
            head=snapshot.head,
            operation=snapshot.operation,
            total=len(self.paths),
            rows=[_row(snapshot, path) for path in self.paths[start:end]],
            removed=[] if start else self.removed,
            next=end if end < len(self.paths) else None,
        )


class SentTrees:
    """Cache of the trees sent to pages, the bases of later deltas. Belongs to one event loop."""

    def __init__(self) -> None:
        self._snapshots: OrderedDict[str, Snapshot] = OrderedDict()
        self._slice: OrderedDict[tuple[str, str], TreeSlice] = OrderedDict()

    async def begin(self, snapshot: Snapshot, since: str) -> TreeRows:
        """Return the first slice of the delta from a version to a snapshot, or of a whole tree."""
        told = await asyncio.to_thread(_slice, snapshot, self._snapshots.get(since))
        _keep(self._snapshots, snapshot.version, snapshot)
        _keep(self._slice, (snapshot.version, since), told)
        return told.slice(0)

    def go_on(self, version: str, since: str, start: int) -> TreeRows | None:
        """Return a later slice of a response; None if the response isn't cached."""
        told = self._slice.get((version, since))
        return None if told is None else told.slice(start)


def _slice(snapshot: Snapshot, older: Snapshot | None) -> TreeSlice:
    if older is None:
        return TreeSlice(snapshot, "", snapshot.paths, [])
    changed = snapshot.changed_from(older)
    entries = snapshot.entries
    shown = [path for path in changed if path in entries]
    gone = [path for path in changed if path not in entries]
    return TreeSlice(snapshot, older.version, shown, gone)


def _keep(kept: OrderedDict[Key, Value], key: Key, value: Value) -> None:
    """Put a value at the end, and evict the oldest."""
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > KEPT:
        kept.popitem(last=False)


def _row(snapshot: Snapshot, path: str) -> Row:
    entry = snapshot.entries[path]
    return (path, *entry) if entry.additions or entry.deletions else (path, *entry[:3])


class TreeMethods:
    """`Repo` methods that list files.

    Args:
        repository: whose files.
        cache: its tree, shared with the watch.
    """

    def __init__(self, repository: Repository, cache: TreeCache) -> None:
        self._repository = repository
        self._cache = cache
        self._slice = SentTrees()

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
        going_on = self._slice.go_on(version, since, start) if start else None
        if going_on is not None:
            return going_on
        snapshot = await self._cache.snapshot()
        return await self._slice.begin(snapshot, "" if start else since)

    @method(Access.READ)
    async def get_flat_file_list(self) -> str:
        """Return the files on disk, sorted, one a line."""
        return await flat_file_list(self._repository)
