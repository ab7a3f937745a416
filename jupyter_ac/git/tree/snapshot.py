"""An immutable snapshot of the file tree.

A snapshot shares the `Folder` of each unchanged folder with the previous one, so a comparison only
compares folder identities, and each folder is serialized once.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from jupyter_ac.git.tree.entries import EMPTY, Folder, TreeEntry, split
from jupyter_ac.git.tree.serialize import FileTree, Lists, serialize, subfolders
from jupyter_ac.rpc.codec import Encoded


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The files of a repository with git's state of each.

    Attributes:
        version: unique identifier of the snapshot.
        name: name of the repository.
        head: the branch and the commit.
        operation: an unfinished merge, rebase, cherry-pick, revert or bisect.
        lists: paths by state.
        filled: folders that directly contain files.
    """

    version: str
    name: str
    head: str
    operation: str | None
    lists: Lists
    filled: Mapping[str, Folder]

    @cached_property
    def entries(self) -> Mapping[str, TreeEntry]:
        """All files by path."""
        return _Entries(self.filled)

    @cached_property
    def folders(self) -> Collection[str]:
        """All folders that contain files at any depth, including ""."""
        return subfolders(self.filled).keys()

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """All files' paths, sorted; computed once, slow for many files."""
        return tuple(sorted(self.entries))

    @cached_property
    def encoded(self) -> Encoded[FileTree]:
        """The tree for `get_file_tree`; computed once, in a thread because it is slow."""
        return Encoded(serialize(self.name, self.filled, self.lists, self.operation))

    def changed_from(self, older: "Snapshot") -> list[str]:
        """Return the paths that differ from an older snapshot, sorted, removed files included."""
        changed: set[str] = set()
        for folder in self.filled.keys() | older.filled.keys():
            here, there = self.filled.get(folder, EMPTY), older.filled.get(folder, EMPTY)
            if here is not there:
                changed.update(path for path, _ in here.files.items() ^ there.files.items())
        return sorted(changed)


class _Entries(Mapping[str, TreeEntry]):
    """A mapping of paths to files, over folders."""

    def __init__(self, filled: Mapping[str, Folder]) -> None:
        self._filled = filled

    def __getitem__(self, path: str) -> TreeEntry:
        return TreeEntry._make(self._filled[split(path)[0]].files[path])

    def __iter__(self) -> Iterator[str]:
        for folder in self._filled.values():
            yield from folder.files

    def __len__(self) -> int:
        return sum(len(folder.files) for folder in self._filled.values())
