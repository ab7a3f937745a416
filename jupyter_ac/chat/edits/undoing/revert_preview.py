"""Previews the effect of reverting changes on the present files.

A change can be reverted if the lines that it wrote can be found again without ambiguity, and no
other change that is to stay depends on it. All other lines stay as they are.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from jupyter_ac.chat.edit_blocks.file_changes import FOREIGN, lines_of
from jupyter_ac.chat.edits.undoing.alignment import Alignment
from jupyter_ac.chat.edits.undoing.weave import WovenFile, WovenFiles
from jupyter_ac.git.disk_entries import NOTHING, DiskEntry
from jupyter_ac.ids import RepoPath

_MOST_LINES: Final = 4_000_000
"""Most compared lines for the status of a turn's edits; beyond it, the status is unknown."""


class RevertStatus(StrEnum):
    """How an applied edit stands in the files; the words are the wire's."""

    APPLIED = "applied"
    UNDONE = "undone"
    CHANGED = "changed"


@dataclass(slots=True)
class RevertPreview:
    """The result that a revert would have.

    Attributes:
        taken: the changes that can be reverted.
        wanted: by path, the new content of files that would change.
        reasons: why others can't be reverted, by their number.
    """

    taken: set[int] = field(default_factory=set)
    wanted: dict[RepoPath, DiskEntry] = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reverted:
    """A text from which changes were taken.

    Attributes:
        data: what is left.
        failed: the changes of which it can't be said where they stand; `data` is the old text then.
    """

    data: bytes
    failed: frozenset[int] = frozenset()


def preview_revert(
    woven: WovenFiles, numbers: Collection[int], disk: Mapping[RepoPath, DiskEntry]
) -> RevertPreview:
    """Work out what taking changes back would give.

    Args:
        woven: the files through the changes.
        numbers: those that are to be taken back.
        disk: what stands at all names that the files had; what can't be read is missing.
    """
    reasons: dict[int, str] = {}
    rest = set(numbers)
    while True:
        free = woven.free(rest)
        reasons |= dict.fromkeys(rest - free, "later edits build on it")
        rest = free
        views = [
            _View(file, woven.active, woven.active - rest, disk) for file in woven.touched(rest)
        ]
        vacated = {view.old for view in views if view.leaves}
        failed: dict[int, str] = {}
        for view in views:
            failed |= view.work_out(rest & view.file.touched, vacated)
        if not failed:
            return RevertPreview(rest, _wanted(views, disk), reasons)
        reasons |= failed
        rest -= failed.keys()


def standings(
    woven: WovenFiles, blocks: Collection[int], disk: Mapping[RepoPath, DiskEntry]
) -> dict[int, tuple[RevertStatus, bool]]:
    """Say how edit blocks stand, and whether each can be taken back alone.

    Args:
        woven: the files through the changes.
        blocks: by their number in the turn.
        disk: as for `preview_revert`.
    """
    found: dict[int, tuple[RevertStatus, bool]] = {}
    room = _MOST_LINES
    sizes = {file: len(file.text(woven.active)) + 1 for file in woven.files}
    for block in sorted(blocks):
        numbers = woven.of_blocks({block})
        together = woven.with_builders(numbers)
        room -= sum(sizes[file] for file in woven.touched(together))
        if room < 0:
            break
        found[block] = _standing(woven, numbers, together, disk)
    return found


def _standing(
    woven: WovenFiles,
    numbers: set[int],
    together: set[int],
    disk: Mapping[RepoPath, DiskEntry],
) -> tuple[RevertStatus, bool]:
    if not numbers:
        return RevertStatus.UNDONE, False
    seen = preview_revert(woven, together, disk)
    is_whole = seen.taken == together and FOREIGN not in woven.blocks_of(together)
    if not is_whole:
        return RevertStatus.CHANGED, False
    if not seen.wanted:
        return RevertStatus.UNDONE, False
    return RevertStatus.APPLIED, woven.blocks_of(together) == woven.blocks_of(numbers)


def reverted(
    data: bytes, file: WovenFile, before: Collection[int], after: Collection[int]
) -> Reverted:
    """Take changes out of a text that others may have changed as well.

    Args:
        data: a version of the file.
        file: through the changes.
        before: the changes that may stand in it.
        after: those of them that stay.
    """
    old, new = file.text(before), file.text(after)
    lines = lines_of(data)
    if lines in (old, new):
        return Reverted(b"".join(new))
    runs = file.runs(before, after)
    here = Alignment(old, lines)
    there: Alignment | None = None
    found: list[tuple[int, int, Sequence[bytes]]] = []
    failed: set[int] = set()
    for run in runs:
        place = here.place(run.start, run.end)
        if place is not None:
            found.append((place, place + run.end - run.start, run.other))
            continue
        there = there or Alignment(new, lines)
        if there.place(run.other_start, run.other_start + len(run.other)) is None:
            failed |= run.changes
    for start, end, other in sorted(found, key=lambda each: each[:2], reverse=True):
        lines[start:end] = other
    if not all(line.endswith(b"\n") for line in lines[:-1]):
        failed |= {number for run in runs for number in run.changes}
    return Reverted(data, frozenset(failed)) if failed else Reverted(b"".join(lines))


class _View:
    """One file, as it is and as it would be."""

    def __init__(
        self,
        file: WovenFile,
        before: Collection[int],
        after: Collection[int],
        disk: Mapping[RepoPath, DiskEntry],
    ) -> None:
        self.file = file
        self._before, self._after = before, after
        self._disk = disk
        self.old, self.new = file.name(before), file.name(after)
        self.was, self.stays = file.exists(before), file.exists(after)
        self.wanted: dict[RepoPath, DiskEntry] = {}

    @property
    def leaves(self) -> bool:
        """Whether it would no longer have its name."""
        return self.was and (not self.stays or self.old != self.new)

    def work_out(self, numbers: set[int], vacated: Collection[RepoPath]) -> dict[int, str]:
        """Note what is wanted; returns the changes that can't be taken back, with the reasons."""
        if self.was and self.stays:
            return self._change(numbers, vacated)
        if self.was:
            return self._take_away(numbers)
        return self._bring_back(numbers, vacated) if self.stays else {}

    def _take_away(self, numbers: set[int]) -> dict[int, str]:
        found = self._disk.get(self.old)
        if found == NOTHING:
            return {}
        text = b"".join(self.file.text(self._before))
        if found is None or found.data != text or found.is_link:
            made = {self.file.born} & numbers
            return dict.fromkeys(made or numbers, self._has_changed(self.old))
        self.wanted[self.old] = NOTHING
        return {}

    def _bring_back(self, numbers: set[int], vacated: Collection[RepoPath]) -> dict[int, str]:
        text = b"".join(self.file.text(self._after))
        found = NOTHING if self.new in vacated else self._disk.get(self.new)
        if found is not None and found.exists and found.data == text:
            return {}
        if found != NOTHING:
            return dict.fromkeys(numbers, f"there is something at {self.new!r}")
        self.wanted[self.new] = DiskEntry(text, self.file.mode)
        return {}

    def _change(self, numbers: set[int], vacated: Collection[RepoPath]) -> dict[int, str]:
        found = self._disk.get(self.old)
        is_moved = self.old != self.new
        at_new = NOTHING if self.new in vacated else self._disk.get(self.new)
        if found == NOTHING and is_moved and at_new is not None and at_new.exists:
            found, is_moved = at_new, False
        if found is None or not found.exists or found.is_link != self.file.is_link:
            return dict.fromkeys(numbers, self._has_changed(self.old))
        back = reverted(found.data, self.file, self._before, self._after)
        if back.failed:
            return dict.fromkeys(back.failed & numbers or numbers, self._has_changed(self.old))
        # A process that dies while it moves a file may leave it under both names.
        if is_moved and at_new != NOTHING and (at_new is None or at_new.data != back.data):
            return dict.fromkeys(numbers, f"there is something at {self.new!r}")
        self.wanted[self.new] = replace(found, data=back.data)
        if is_moved:
            self.wanted.setdefault(self.old, NOTHING)
        return {}

    @staticmethod
    def _has_changed(path: RepoPath) -> str:
        return f"{path!r} has changed there since"


def _wanted(
    views: Sequence[_View], disk: Mapping[RepoPath, DiskEntry]
) -> dict[RepoPath, DiskEntry]:
    """Put together what is wanted of all files; a name that one leaves another may get."""
    wanted: dict[RepoPath, DiskEntry] = {}
    for view in views:
        for path, entry in view.wanted.items():
            if entry.exists or path not in wanted:
                wanted[path] = entry
    return {path: entry for path, entry in wanted.items() if entry != disk.get(path)}
