"""From what two looks found to the files that a tree shows; only what differs is worked out anew.

Pure but for counting the lines of files that have changed.
"""

import os
import stat
from bisect import bisect_left
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from jupyter_ac.git import status
from jupyter_ac.git.in_progress import under_way
from jupyter_ac.git.name_lists import names_in
from jupyter_ac.git.numstat import DiffStat
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.status import GitStatus
from jupyter_ac.git.tree.disk import Disk, changed, look, rearranged
from jupyter_ac.git.tree.entries import (
    BINARY,
    CONFLICTED,
    DELETED,
    EMPTY,
    LINK,
    MODIFIED,
    STAGED,
    SUBMODULE,
    UNTRACKED,
    Folder,
    Packed,
    refilled,
    split,
)
from jupyter_ac.git.tree.lines import count_lines
from jupyter_ac.git.tree.scan import GitAnswers, attribute_files
from jupyter_ac.git.tree.serialize import Lists
from jupyter_ac.git.untracked_files import untracked_filter

_KINDS: Final = {stat.S_IFDIR: SUBMODULE, stat.S_IFLNK: LINK}
_NO_LINES: Final[DiffStat] = {"additions": 0, "deletions": 0}
_HEAD: Final = (b"# branch.head ", b"# branch.oid ")
_HEAD_BYTES: Final = 64 * 1024

Mark = tuple[int, int, int]
"""Flags, additions and deletions."""

_UNMARKED: Final[Mark] = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class ScanResult:
    """What a look found.

    Attributes:
        told: what git said.
        tracked: the names in `told.tracked`.
        status: the lists in `told.status`.
        disk: what there is under the names of all files that may be there.
        attributes: the same for the files that have a say in how lines are compared.
        operation: the merge, rebase, cherry-pick, revert or bisect under way.
        with_jupyter_files: whether what Jupyter writes beside documents is in `status`.
        lacks_lines: whether git could not say how many lines have changed.
    """

    told: GitAnswers = field(default_factory=GitAnswers)
    tracked: Sequence[str] = ()
    status: GitStatus = field(default_factory=GitStatus)
    disk: Disk = field(default_factory=Disk)
    attributes: Disk = field(default_factory=Disk)
    operation: str | None = None
    with_jupyter_files: bool = False
    lacks_lines: bool = field(default=False, compare=False)

    @property
    def is_settled(self) -> bool:
        """Whether git could say everything, and no file may change again and keep its times."""
        return not (self.disk.restless or self.attributes.restless or self.lacks_lines)

    def still_holds(self, later: "ScanResult") -> bool:
        """Whether nothing that follows from a later look can differ from what followed here."""
        return self.is_settled and self == later


@dataclass(frozen=True, slots=True)
class TreeState:
    """What follows from a look.

    Attributes:
        seen: what was found.
        lists: paths by state.
        gone: the deleted files that are shown.
        filled: all files that are shown, by folder.
    """

    seen: ScanResult = field(default_factory=ScanResult)
    lists: Lists = field(default_factory=Lists)
    gone: frozenset[str] = frozenset()
    filled: Mapping[str, Folder] = field(default_factory=dict)


def sift(repository: Repository, before: ScanResult, told: GitAnswers, disk: Disk) -> ScanResult:
    """Return what a look found, in the objects of the one before where it is the same.

    For a thread: what git names and `disk` lacks is looked at.

    Args:
        repository: which one.
        before: the look before.
        told: what git said.
        disk: what there was under the names of the look before.
    """
    shows = repository.shows_jupyter_files()
    same_names = told.tracked == before.told.tracked
    same_states = (told.status, shows) == (before.told.status, before.with_jupyter_files)
    tracked = before.tracked if same_names else _names(told.tracked)
    is_shown = untracked_filter(with_jupyter_files=shows)
    found = before.status if same_states else status.parse(told.status, is_shown)
    if not (same_names and same_states):
        deleted = set(found.deleted)
        named = [name for name in (*tracked, *found.untracked) if name not in deleted]
        disk = rearranged(repository.root, disk, sorted(dict.fromkeys(named)))
    attributes = look(repository.root, attribute_files(repository, told, found))
    return ScanResult(told, tracked, found, disk, attributes, under_way(repository), shows)


def head_of(told: GitAnswers) -> str:
    """Return the branch and the commit."""
    fields = told.status[:_HEAD_BYTES].split(b"\0")
    said = [line.removeprefix(name) for name in _HEAD for line in fields if line.startswith(name)]
    return b" ".join(said).decode("utf-8", "surrogateescape")


def advance(
    root: Path, before: TreeState, seen: ScanResult, stats: Mapping[str, DiffStat]
) -> TreeState:
    """Return what follows from a look; for a thread, as it may read many files.

    Args:
        root: the repository's top folder.
        before: what followed from the one before.
        seen: what was found.
        stats: changed lines by path.
    """
    there = seen.disk.there()
    lists = _lists(seen.status, there, stats)
    gone = _shown(lists.deleted, there, seen.disk.names)
    entries = _Entries(root, before, seen.disk, _marks(lists))
    another = changed(before.seen.disk, seen.disk) | before.seen.disk.restless
    differing = _marks(before.lists).items() ^ entries.marks.items()
    changes: dict[str, Packed | None] = {}
    paths = another.union((path for path, _ in differing), before.gone ^ gone)
    for path in _in_order(paths, seen.disk.names):
        entry = None
        if path in there:
            entry = entries.of_file(path, reread=path in another)
        elif path in gone:
            entry = entries.of_deleted(path)
        if entry != entries.old(path):
            changes[path] = entry
    filled = refilled(before.filled, changes.items()) if changes else before.filled
    return TreeState(seen, lists, gone, filled)


class _Entries:
    """Makes entries."""

    def __init__(
        self, root: Path, before: TreeState, disk: Disk, marks: Mapping[str, Mark]
    ) -> None:
        self.marks = marks
        self._root = os.fspath(root).rstrip("/")
        self._filled = before.filled
        self._disk = disk
        self._positions = {name: at for at, name in enumerate(disk.names)}

    def old(self, path: str) -> Packed | None:
        """Return what was shown."""
        return self._filled.get(split(path)[0], EMPTY).files.get(path)

    def of_file(self, path: str, *, reread: bool) -> Packed:
        """Return the entry of a file that is there."""
        found = self._disk[self._positions[path]]
        flags, additions, deletions = self.marks.get(path, _UNMARKED)
        kind = stat.S_IFMT(int(found.mode))
        old = self.old(path)
        lines = 0
        if old is not None and not reread:
            lines, flags = old[0], flags | old[2] & BINARY
        elif kind == stat.S_IFREG:
            count = count_lines(self._root, path)
            lines, flags = count.lines, flags | BINARY * count.is_binary
        return (lines, found.mtime, flags | _KINDS.get(kind, 0), additions, deletions)

    def of_deleted(self, path: str) -> Packed:
        """Return the entry of a file that is gone."""
        return (0, 0.0, *self.marks.get(path, _UNMARKED))


def _lists(found: GitStatus, there: Container[str], stats: Mapping[str, DiffStat]) -> Lists:
    unmerged = (path for path in found.conflicted if path not in there)
    return Lists(
        modified=sorted(found.modified),
        staged=sorted(set(found.staged)),
        untracked=sorted(found.untracked),
        deleted=sorted({*found.deleted, *unmerged}),
        conflicted=sorted(found.conflicted),
        diff_stats=stats,
    )


def _marks(lists: Lists) -> dict[str, Mark]:
    """Return flags and changed lines of all files that have any."""
    flags: dict[str, int] = {}
    for flag, paths in (
        (MODIFIED, lists.modified),
        (STAGED, lists.staged),
        (UNTRACKED, lists.untracked),
        (DELETED, lists.deleted),
        (CONFLICTED, lists.conflicted),
    ):
        for path in paths:
            flags[path] = flags.get(path, 0) | flag
    stats = lists.diff_stats
    return {
        path: (flags.get(path, 0), one["additions"], one["deletions"])
        for path in flags.keys() | stats.keys()
        for one in (stats.get(path, _NO_LINES),)
    }


def _in_order(paths: set[str], names: Sequence[str]) -> list[str]:
    """Sort paths by names that are sorted: a sort of many holds up all threads."""
    known = [name for name in names if name in paths]
    return known + sorted(paths.difference(known))


def _shown(deleted: Sequence[str], there: set[str], names: Sequence[str]) -> frozenset[str]:
    """Return the deleted files whose name, or whose folder's, nothing else has taken.

    Args:
        deleted: sorted.
        there: the files that are on disk.
        names: sorted, with all of them.
    """
    if not deleted:
        return frozenset()
    ordered = [name for name in names if name in there]
    shown: set[str] = set()
    for path in deleted:
        is_taken = path in there or _is_folder(path, ordered)
        if not (is_taken or any(above in there or above in shown for above in _above(path))):
            shown.add(path)
    return frozenset(shown)


def _is_folder(path: str, ordered: Sequence[str]) -> bool:
    inside = f"{path}/"
    at = bisect_left(ordered, inside)
    return at < len(ordered) and ordered[at].startswith(inside)


def _above(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def _names(output: bytes) -> list[str]:
    """Return the names in a list, each once: of an unmerged file there are several."""
    return list(dict.fromkeys(names_in(output)))
