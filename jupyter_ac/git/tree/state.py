"""Updates the file tree from a scan; recomputes only the differences to the previous scan.

Pure functions, except for counting the lines of changed files.
"""

import os
import stat
from bisect import bisect_left
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from jupyter_ac.git import status
from jupyter_ac.git.in_progress import unfinished_operation
from jupyter_ac.git.output_parsers import DiffStat, names_in
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.status import GitStatus
from jupyter_ac.git.tree.disk import Disk, changed, stat_files, with_names
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
    apply_changes,
    split,
)
from jupyter_ac.git.tree.scan import GitAnswers, attribute_files, count_lines
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
    """The result of a scan.

    Attributes:
        answers: output of git.
        tracked: names in `answers.tracked`.
        status: lists parsed from `answers.status`.
        disk: attributes of all files that may exist.
        attributes: attributes of files that affect the comparison of lines.
        operation: an unfinished merge, rebase, cherry-pick, revert or bisect.
        with_jupyter_files: whether `status` includes files that Jupyter writes beside documents.
        lacks_lines: whether git could not count the changed lines.
    """

    answers: GitAnswers = field(default_factory=GitAnswers)
    tracked: Sequence[str] = ()
    status: GitStatus = field(default_factory=GitStatus)
    disk: Disk = field(default_factory=Disk)
    attributes: Disk = field(default_factory=Disk)
    operation: str | None = None
    with_jupyter_files: bool = False
    lacks_lines: bool = field(default=False, compare=False)

    @property
    def is_settled(self) -> bool:
        """Whether git's output is complete, and no file may change again with the same times."""
        return not (self.disk.unsettled or self.attributes.unsettled or self.lacks_lines)

    def is_unchanged(self, later: "ScanResult") -> bool:
        """Return whether everything derived from this scan is also valid for a later one."""
        return self.is_settled and self == later


@dataclass(frozen=True, slots=True)
class TreeState:
    """A tree and the scan that it was computed from.

    Attributes:
        scan: the scan.
        lists: paths by state.
        deleted: the deleted files that are shown.
        filled: all shown files, by folder.
    """

    scan: ScanResult = field(default_factory=ScanResult)
    lists: Lists = field(default_factory=Lists)
    deleted: frozenset[str] = frozenset()
    filled: Mapping[str, Folder] = field(default_factory=dict)


def merge_scan(
    repository: Repository, before: ScanResult, answers: GitAnswers, disk: Disk
) -> ScanResult:
    """Parse a scan, reusing objects of the previous scan where nothing has changed.

    Blocks, so call it in a thread: attributes of files that `disk` lacks are read.

    Args:
        repository: the repository.
        before: the previous scan.
        answers: output of git.
        disk: current attributes for the names of the previous scan.
    """
    shows = repository.shows_jupyter_files()
    same_names = answers.tracked == before.answers.tracked
    same_states = (answers.status, shows) == (before.answers.status, before.with_jupyter_files)
    is_shown = untracked_filter(with_jupyter_files=shows)
    tracked = before.tracked if same_names else _names(answers.tracked)
    found = before.status if same_states else status.parse(answers.status, is_shown)
    if repository.is_plain_folder and not (same_names and same_states):
        parsed = status.parse(answers.status, is_shown)
        tracked, found = _all_as_tracked(_names(answers.tracked), parsed), GitStatus()
    if not (same_names and same_states):
        deleted = set(found.deleted)
        named = [name for name in (*tracked, *found.untracked) if name not in deleted]
        disk = with_names(repository.root, disk, sorted(dict.fromkeys(named)))
    attributes = stat_files(repository.root, attribute_files(repository, answers, found))
    return ScanResult(
        answers, tracked, found, disk, attributes, unfinished_operation(repository), shows
    )


def _all_as_tracked(tracked: Sequence[str], found: GitStatus) -> Sequence[str]:
    """Return the files of a folder without a repository, where none is changed or untracked."""
    gone = set(found.deleted)
    return sorted({name for name in tracked if name not in gone}.union(found.untracked))


def head_of(answers: GitAnswers) -> str:
    """Return the branch and the commit as text."""
    fields = answers.status[:_HEAD_BYTES].split(b"\0")
    values = [line.removeprefix(name) for name in _HEAD for line in fields if line.startswith(name)]
    return b" ".join(values).decode("utf-8", "surrogateescape")


def update_state(
    root: Path, before: TreeState, scan: ScanResult, stats: Mapping[str, DiffStat]
) -> TreeState:
    """Compute the tree for a scan; blocks, because it may read many files.

    Args:
        root: the repository's top folder.
        before: the previous tree.
        scan: the new scan.
        stats: changed lines by path.
    """
    existing = scan.disk.existing()
    lists = _lists(scan.status, existing, stats)
    deleted = _shown_deleted(lists.deleted, existing, scan.disk.names)
    entries = _Entries(root, before, scan.disk, _marks(lists))
    another = changed(before.scan.disk, scan.disk) | before.scan.disk.unsettled
    differing = _marks(before.lists).items() ^ entries.marks.items()
    changes: dict[str, Packed | None] = {}
    paths = another.union((path for path, _ in differing), before.deleted ^ deleted)
    for path in _in_order(paths, scan.disk.names):
        entry = None
        if path in existing:
            entry = entries.of_file(path, reread=path in another)
        elif path in deleted:
            entry = entries.of_deleted(path)
        if entry != entries.old(path):
            changes[path] = entry
    filled = apply_changes(before.filled, changes.items()) if changes else before.filled
    return TreeState(scan, lists, deleted, filled)


class _Entries:
    """Creates entries."""

    def __init__(
        self, root: Path, before: TreeState, disk: Disk, marks: Mapping[str, Mark]
    ) -> None:
        self.marks = marks
        self._root = os.fspath(root).rstrip("/")
        self._filled = before.filled
        self._disk = disk
        self._positions = {name: at for at, name in enumerate(disk.names)}

    def old(self, path: str) -> Packed | None:
        """Return the entry in the previous tree."""
        return self._filled.get(split(path)[0], EMPTY).files.get(path)

    def of_file(self, path: str, *, reread: bool) -> Packed:
        """Return the entry of an existing file."""
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
        """Return the entry of a deleted file."""
        return (0, 0.0, *self.marks.get(path, _UNMARKED))


def _lists(found: GitStatus, existing: Container[str], stats: Mapping[str, DiffStat]) -> Lists:
    unmerged = (path for path in found.conflicted if path not in existing)
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
    """Sort paths by a sorted list of names: sorting many paths would block all threads."""
    known = [name for name in names if name in paths]
    return known + sorted(paths.difference(known))


def _shown_deleted(
    deleted: Sequence[str], existing: set[str], names: Sequence[str]
) -> frozenset[str]:
    """Return the deleted files whose path, or a folder of it, is not used by another entry.

    Args:
        deleted: sorted.
        existing: the files on disk.
        names: sorted; includes all of them.
    """
    if not deleted:
        return frozenset()
    ordered = [name for name in names if name in existing]
    shown: set[str] = set()
    for path in deleted:
        is_taken = path in existing or _is_folder(path, ordered)
        if not (is_taken or any(above in existing or above in shown for above in _above(path))):
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
    """Return the names in a list, each once: an unmerged file is listed several times."""
    return list(dict.fromkeys(names_in(output)))
