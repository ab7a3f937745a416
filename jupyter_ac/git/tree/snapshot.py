"""What a tree shows at one moment.

A snapshot that is made of another has the same `Folder` for every folder in which nothing differs,
so that comparing two takes a look at each folder, and what was spelt of a folder is spelt once.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from jupyter_ac.git.tree.entries import EMPTY, Folder, TreeEntry, split
from jupyter_ac.git.tree.serialize import FileTree, Lists, spell, subfolders
from jupyter_ac.rpc.encoded import Encoded


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The files of a repository, and what git says about each.

    Attributes:
        version: names the snapshot; no other one has it.
        name: the repository's.
        head: the branch and the commit.
        operation: the merge, rebase, cherry-pick, revert or bisect under way.
        lists: paths by state.
        filled: the folders that have files of their own.
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
        """All folders that hold files, at any depth; "" is among them."""
        return subfolders(self.filled).keys()

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """All files' paths, sorted; the first time takes a while where they are many."""
        return tuple(sorted(self.entries))

    @cached_property
    def encoded(self) -> Encoded[FileTree]:
        """The tree for `get_file_tree`; the first time takes a while, in a thread."""
        return Encoded(spell(self.name, self.filled, self.lists, self.operation))

    def changed_from(self, older: "Snapshot") -> list[str]:
        """Return the paths that differ, sorted; those of files that are gone are among them."""
        changed: set[str] = set()
        for folder in self.filled.keys() | older.filled.keys():
            here, there = self.filled.get(folder, EMPTY), older.filled.get(folder, EMPTY)
            if here is not there:
                changed.update(path for path, _ in here.files.items() ^ there.files.items())
        return sorted(changed)


class _Entries(Mapping[str, TreeEntry]):
    """Files by path over folders."""

    def __init__(self, filled: Mapping[str, Folder]) -> None:
        self._filled = filled

    def __getitem__(self, path: str) -> TreeEntry:
        return TreeEntry._make(self._filled[split(path)[0]].files[path])

    def __iter__(self) -> Iterator[str]:
        for folder in self._filled.values():
            yield from folder.files

    def __len__(self) -> int:
        return sum(len(folder.files) for folder in self._filled.values())
