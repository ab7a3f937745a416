"""A weave: all lines of a file through all changes of a turn, so that any change can be left out.

A file is represented by all lines that it ever had, each with the changes that added and removed
it. The file with some changes and without others is computed from these.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from jupyter_ac.chat.edit_blocks.file_changes import FOREIGN, Act, Change, lines_of, rewritten
from jupyter_ac.chat.history.before_images import BeforeImage
from jupyter_ac.git.disk_entries import DiskEntry
from jupyter_ac.ids import RepoPath

_BEFORE_ALL: Final = -1
_NEW_MODE: Final = 0o100644


@dataclass(slots=True, eq=False)
class _Line:
    """A line that the file once had.

    Attributes:
        text: with its line end.
        born: the change that added it; `_BEFORE_ALL` for an original line.
        gone: the changes that removed it.
    """

    text: bytes
    born: int = _BEFORE_ALL
    gone: list[int] = field(default_factory=list)

    def stands(self, active: Collection[int]) -> bool:
        is_born = self.born == _BEFORE_ALL or self.born in active
        return is_born and not any(number in active for number in self.gone)


@dataclass(frozen=True, slots=True)
class UnsharedRun:
    """Lines that two versions of a file don't share.

    Attributes:
        start: the first of them in the one version, from 0.
        end: behind the last one.
        other: the lines in their place in the other version.
        other_start: where these begin there.
        changes: that make the difference.
    """

    start: int
    end: int
    other: tuple[bytes, ...]
    other_start: int
    changes: frozenset[int]


class WovenFile:
    """One file through the changes of a turn.

    Args:
        path: its first name.
        disk: what it was before all changes; of one that a change made, what that made.
        born: that change; -1 for none.
    """

    def __init__(self, path: RepoPath, disk: DiskEntry, born: int = _BEFORE_ALL) -> None:
        self.mode = disk.mode
        self.born = born
        self.touched: set[int] = set() if born == _BEFORE_ALL else {born}
        self._lines = [_Line(text, born) for text in lines_of(disk.data)]
        self._names = [(_BEFORE_ALL, path)]
        self._removed: list[int] = []

    @property
    def is_link(self) -> bool:
        """Whether it is a symbolic link."""
        return DiskEntry(mode=self.mode).is_link

    @property
    def names(self) -> Sequence[RepoPath]:
        """All names that it had."""
        return [name for _, name in self._names]

    def exists(self, active: Collection[int]) -> bool:
        """Tell whether it is there with these changes."""
        is_born = self.born == _BEFORE_ALL or self.born in active
        return is_born and not any(number in active for number in self._removed)

    def name(self, active: Collection[int]) -> RepoPath:
        """Return its name with these changes."""
        return next(
            name for number, name in reversed(self._names) if number < 0 or number in active
        )

    def text(self, active: Collection[int]) -> list[bytes]:
        """Return its lines with these changes."""
        return [line.text for line in self._lines if line.stands(active)]

    def runs(self, before: Collection[int], after: Collection[int]) -> list[UnsharedRun]:
        """Return what its lines differ in between two sets of changes, of which one is the larger.

        Args:
            before: the larger one.
            after: the smaller one.
        """
        runs: list[UnsharedRun] = []
        at, other_at = 0, 0
        begun: tuple[int, int] | None = None
        other: list[bytes] = []
        changes: set[int] = set()
        taken = set(before) - set(after)
        for line in [*self._lines, None]:
            is_here = line is None or line.stands(before)
            is_there = line is None or line.stands(after)
            if is_here and is_there and begun is not None:
                runs.append(UnsharedRun(begun[0], at, tuple(other), begun[1], frozenset(changes)))
                begun, other, changes = None, [], set()
            if line is None:
                break
            if is_here != is_there:
                begun = begun or (at, other_at)
                changes |= taken.intersection((line.born, *line.gone))
                if is_there:
                    other.append(line.text)
            at += is_here
            other_at += is_there
        return runs

    def write(self, number: int, change: Change, active: Collection[int]) -> set[int]:
        """Take in that lines were replaced; returns the changes that this one builds on.

        Raises:
            ValueError: the file has no such lines.
        """
        self.touched.add(number)
        places = [at for at, line in enumerate(self._lines) if line.stands(active)]
        end = change.start + change.gone
        if end > len(places):
            raise ValueError("a change of lines that aren't there")
        left = places[change.start - 1] if change.start else -1
        right = places[end] if end < len(places) else len(self._lines)
        if change.gone:
            first, last = places[change.start], places[end - 1]
            builds_on = {self._lines[at].born for at in places[change.start : end]}
        else:
            first, last = left + 1, right - 1
            builds_on = self._around(left, right)
        hidden = {
            gone
            for line in self._lines[first : last + 1]
            for gone in line.gone
            if gone in active and (line.born == _BEFORE_ALL or line.born in active)
        }
        for at in places[change.start : end]:
            self._lines[at].gone.append(number)
        self._lines[last + 1 : last + 1] = [_Line(text, number) for text in change.put]
        return (builds_on | hidden | {self.born}) - {_BEFORE_ALL}

    def move(self, number: int, path: RepoPath) -> set[int]:
        """Take in that it was renamed; returns the changes that this one builds on."""
        builds_on = {self._names[-1][0], self.born} - {_BEFORE_ALL}
        self.touched.add(number)
        self._names.append((number, path))
        return builds_on

    def remove(self, number: int) -> set[int]:
        """Take in that it was removed; returns the changes that this one builds on."""
        builds_on = set(self.touched)
        self.touched.add(number)
        self._removed.append(number)
        return builds_on

    def _around(self, left: int, right: int) -> set[int]:
        """Return the change whose lines stand on both sides of a place."""
        if left < 0 or right >= len(self._lines):
            return set()
        born = self._lines[left].born
        return {born} if born == self._lines[right].born else set()


class WovenFiles:
    """All files of a turn.

    Args:
        images: the files before its changes.
        changes: its journal.

    Attributes:
        files: all that it had to do with.
        active: the changes that are in force, by their number.
        changes: the journal.

    Raises:
        ValueError: the two don't fit each other.
        KeyError: likewise.
    """

    def __init__(self, images: Iterable[BeforeImage], changes: Sequence[Change]) -> None:
        self.changes = changes
        self.files: list[WovenFile] = []
        self.active: set[int] = set()
        self._builds_on: dict[int, set[int]] = {}
        self._at: dict[RepoPath, WovenFile] = {}
        self._left: list[tuple[RepoPath, int]] = []
        for image in images:
            if image.disk.exists:
                self._place(image.path, WovenFile(image.path, image.disk))
        dropped = {
            number for change in changes if change.act is Act.DROP for number in change.undone
        }
        for number, change in enumerate(changes):
            if number not in dropped:
                self._take(number, change)

    def at(self, path: RepoPath) -> WovenFile | None:
        """Return the file that has a name now; None for none."""
        return self._at.get(path)

    @property
    def own(self) -> set[int]:
        """The changes in force that edit blocks have made, not somebody else."""
        return {number for number in self.active if self.changes[number].block != FOREIGN}

    def of_blocks(self, blocks: Collection[int]) -> set[int]:
        """Return the changes in force that edit blocks have made."""
        return {number for number in self.active if self.changes[number].block in blocks}

    def blocks_of(self, numbers: Iterable[int]) -> set[int]:
        """Return the edit blocks that have made changes."""
        return {self.changes[number].block for number in numbers}

    def with_builders(self, numbers: Collection[int]) -> set[int]:
        """Return changes with all changes in force that build on them."""
        found = set(numbers)
        for number in sorted(self.active):
            if not found.isdisjoint(self._builds_on[number]):
                found.add(number)
        return found

    def free(self, numbers: Collection[int]) -> set[int]:
        """Return those of some changes that no other change in force builds on."""
        found = set(numbers)
        for number in sorted(self.active, reverse=True):
            if number not in found:
                found -= self._builds_on[number]
        return found

    def touched(self, numbers: Collection[int]) -> Iterator[WovenFile]:
        """Yield the files that changes touch."""
        return (file for file in self.files if not file.touched.isdisjoint(numbers))

    def is_free_of(self, path: RepoPath, numbers: Collection[int]) -> bool:
        """Return whether no change touches a file that had this name at any time."""
        return all(file.touched.isdisjoint(numbers) for file in self.files if path in file.names)

    def _take(self, number: int, change: Change) -> None:
        if change.act is Act.DROP:
            return
        if change.act is Act.UNDO:
            self._undo(change.undone)
            return
        builds_on: set[int] = set()
        if change.act is Act.CREATE:
            if change.path in self._at:
                raise ValueError("a file was made where there was one")
            made = DiskEntry(b"".join(change.put), _NEW_MODE)
            builds_on = self._freeing_changes(change.path)
            self._place(change.path, WovenFile(change.path, made, number))
        else:
            file = self._at[change.path]
            if change.act is Act.WRITE:
                builds_on = file.write(number, change, self.active)
            elif change.act is Act.REMOVE:
                builds_on = file.remove(number)
                self._leave(change.path, number)
            else:
                builds_on = file.move(number, change.new_path) | self._freeing_changes(
                    change.new_path
                )
                self._leave(change.path, number)
                self._at[change.new_path] = file
        self._builds_on[number] = builds_on & self.active
        self.active.add(number)

    def _undo(self, numbers: Iterable[int]) -> None:
        self.active -= set(numbers)
        self._at = {file.name(self.active): file for file in self.files if file.exists(self.active)}

    def _place(self, path: RepoPath, file: WovenFile) -> None:
        self.files.append(file)
        self._at[path] = file

    def _leave(self, path: RepoPath, number: int) -> None:
        del self._at[path]
        self._left.append((path, number))

    def _freeing_changes(self, path: RepoPath) -> set[int]:
        """Return the changes that have made room for a name: for itself, its folder, or as one."""
        return {
            number
            for left, number in self._left
            if left == path or path.startswith(f"{left}/") or left.startswith(f"{path}/")
        }


def foreign_changes(
    woven: WovenFiles, disk: Mapping[RepoPath, DiskEntry], known: Collection[RepoPath]
) -> list[Change]:
    """Return what somebody else has done to files since the last change of a turn.

    Args:
        woven: the files as the turn left them.
        disk: what stands there.
        known: the files that the turn has changed before; others are as they are.
    """
    found: list[Change] = []
    for path, entry in disk.items():
        if path not in known:
            continue
        file = woven.at(path)
        left = None if file is None else b"".join(file.text(woven.active))
        if left is None:
            if entry.exists:
                found.append(Change(Act.CREATE, path, put=tuple(lines_of(entry.data))))
        elif not entry.exists:
            found.append(Change(Act.REMOVE, path))
        elif entry.data != left:
            found.append(rewritten(path, FOREIGN, left, entry.data))
    return found
