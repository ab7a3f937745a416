"""Read interfaces of the index, for maps, navigation, search and documents."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.records import FileRecord


class Definition(NamedTuple):
    """A symbol of the repository: its file, and its index in the file's record."""

    path: RepoPath
    symbol: int


class Spot(NamedTuple):
    """A stretch of one line: 1-based line, 0-based columns in UTF-16 code units, end excluded."""

    path: RepoPath
    line: int
    column: int
    end_column: int


class FilesView(Protocol):
    """The files of one working tree, as of one moment."""

    @property
    def generation(self) -> str:
        """Names the tree's content: equal trees have equal names, on every machine."""

    @property
    def version(self) -> int:
        """Grows whenever something changes; counts from the start of the process."""

    def changed_since(self, version: int) -> Collection[RepoPath] | None:
        """Return the files that came, went or changed since, or whose `fame` is another.

        None when that isn't known: any may have.
        """

    def content(self, path: RepoPath) -> str:
        """Return what names a file's content; "" for a file in no known language."""

    def paths(self) -> Sequence[RepoPath]:
        """Return all files that git tracks, or would offer to track, sorted."""

    def record(self, path: RepoPath) -> FileRecord | None:
        """Return what a file says of itself; None for a file in no known language."""

    def record_without_uses(self, path: RepoPath) -> FileRecord | None:
        """Return the same without its uses, which take most of the time to read."""

    def skipped(self) -> Mapping[RepoPath, str]:
        """Return the files that were left out or read in part, each with the reason."""


class NamesView(Protocol):
    """Name resolution in the graph."""

    def defining(self, name: str) -> Sequence[Definition]:
        """Return the symbols of this name, sorted by path and place."""

    def meaning(self, path: RepoPath, use: int) -> Definition | None:
        """Return what the use of this index in the file's record means."""

    def imported(self, path: RepoPath, position: int) -> RepoPath | None:
        """Return the file that the import of this index in the file's record leads to."""

    def bound(self, path: RepoPath, name: str) -> Definition | None:
        """Return what a file's imports make a name mean, `NOBODY` of a file for the whole file."""

    def exported(self, path: RepoPath, name: str) -> Definition | None:
        """Return what a name taken out of a file means, through what that imports, too."""

    def bases(self, definition: Definition) -> Sequence[Definition]:
        """Return the classes that a class extends."""

    def parts(self, definition: Definition) -> Sequence[Definition]:
        """Return the other parts of a class that is declared in several places."""

    def references(self, definition: Definition) -> Sequence[Spot]:
        """Return where a symbol is used or imported, sorted."""


class PackagesView(Protocol):
    """Names that files know by the packages that they declare."""

    def in_known_packages(self, path: RepoPath) -> Iterator[RepoPath]:
        """Yield the files of the packages that a file is in, and of those that it opens."""

    def in_package(self, path: RepoPath, package: str, name: str) -> Definition | None:
        """Return what a name means in a package by the last part of its name; "" for any known."""

    def opened_classes(self, path: RepoPath) -> Sequence[Definition]:
        """Return the classes all of whose members the imports of a file make known."""


class GraphView(Protocol):
    """How files are related."""

    def targets(self, path: RepoPath) -> Mapping[RepoPath, int]:
        """Return the files that a file refers to, each with the number of its references."""

    def sources(self, path: RepoPath) -> Mapping[RepoPath, int]:
        """Return the files that refer to a file, each with the number of its references."""

    def fame(self, path: RepoPath) -> int:
        """Return by how many files a file is referred to."""

    def popularity(self) -> Mapping[RepoPath, int]:
        """Return by how many files each file is referred to, those left out that none refers to."""

    def holders(self, word: str) -> Sequence[RepoPath]:
        """Return the files among whose words this one is, exactly as written, sorted."""


class IndexView(FilesView, NamesView, PackagesView, GraphView, Protocol):
    """The whole index of one working tree."""
