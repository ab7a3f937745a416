"""The steps on disk that carry a batch of blocks out, one after another."""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from jupyter_ac.chat.edit_blocks.blocks import Span
from jupyter_ac.chat.edit_blocks.file_changes import Act, Change, lines_of, replaced
from jupyter_ac.chat.edit_blocks.stored_edits import DocumentStep
from jupyter_ac.errors import AcError, AlreadyExists, Conflict
from jupyter_ac.git.disk_entries import (
    NEW_FILE,
    DiskEntry,
    entry_hash,
    entry_location,
    move_entry,
    read_entry,
    remove_entry,
)
from jupyter_ac.git.files import MAX_FILE_BYTES
from jupyter_ac.git.replacing import WriteRequest, write
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath

NOWHERE: Final = Span()
"""The part that is replaced of a file that wasn't there."""


class StepAction(Enum):
    """The operation of a step."""

    WRITE = auto()
    REMOVE = auto()
    MOVE = auto()


@dataclass(frozen=True, slots=True)
class StepPart:
    """The part of a step that comes from one block.

    Attributes:
        block: its number in the turn.
        data: the file's text behind it.
        span: the bytes of the text before it that it replaces.
    """

    block: int
    data: bytes = b""
    span: Span = NOWHERE


@dataclass(slots=True)
class DiskStep:
    """One change of the disk.

    Attributes:
        do: what.
        key: the file.
        over: what must stand there.
        data: what is written.
        new_key: where a moved file goes.
        positions: the blocks that it carries out.
        parts: what each of these blocks does.
    """

    do: StepAction
    key: RepoPath
    over: DiskEntry
    data: bytes = b""
    new_key: RepoPath | None = None
    positions: list[int] = field(default_factory=list)
    parts: list[StepPart] = field(default_factory=list)

    @property
    def keys(self) -> tuple[RepoPath, ...]:
        """The entries that it changes."""
        return (self.key,) if self.new_key is None else (self.key, self.new_key)

    def signs(self) -> list[tuple[RepoPath, str]]:
        """Return what its entries are to be known by when it has been made."""
        if self.do is StepAction.WRITE:
            return [(self.key, entry_hash(self.over.git_mode or NEW_FILE, self.data))]
        if self.new_key is None:
            return [(self.key, "")]
        return [(self.key, ""), (self.new_key, self.over.sign)]

    def changes(self) -> list[Change]:
        """Return what it does to its file, block by block."""
        if self.new_key is not None:
            return [
                Change(Act.MOVE, self.key, part.block, new_path=self.new_key) for part in self.parts
            ]
        if self.do is StepAction.REMOVE:
            return [Change(Act.REMOVE, self.key, part.block) for part in self.parts]
        changes: list[Change] = []
        before = self.over.data
        for part in self.parts:
            if changes or self.over.exists:
                changes.append(replaced(self.key, part.block, before, part.data, part.span))
            else:
                put = tuple(lines_of(part.data))
                changes.append(Change(Act.CREATE, self.key, part.block, put=put))
            before = part.data
        return changes


@dataclass(slots=True)
class StepResults:
    """The result of carrying out steps.

    Attributes:
        done: the steps that were made.
        failures: by block, why its step was not.
        changed: the entries whose steps were not made since somebody else has changed them.
        in_documents: the steps that were made in open notebooks.
        documents: what was done there.
    """

    done: list[DiskStep] = field(default_factory=list)
    failures: dict[int, AcError] = field(default_factory=dict)
    changed: set[RepoPath] = field(default_factory=set)
    in_documents: list[DiskStep] = field(default_factory=list)
    documents: list[DocumentStep] = field(default_factory=list)

    def add(self, other: "StepResults") -> None:
        """Take in what became of other steps."""
        self.done += other.done
        self.failures.update(other.failures)
        self.changed |= other.changed


def chains(steps: Sequence[DiskStep]) -> list[list[DiskStep]]:
    """Split steps into those that can be made at once: waiting for the disk takes most of the time.

    A file that is there and is only written stands alone. Whatever makes or removes files, and with
    them folders, is one chain.
    """
    keys = Counter(key for step in steps for key in step.keys)
    alone, others = list[list[DiskStep]](), list[DiskStep]()
    for step in steps:
        if step.do is StepAction.WRITE and step.over.exists and keys[step.key] == 1:
            alone.append([step])
        else:
            others.append(step)
    return [*alone, others] if others else alone


def carry_out(
    repository: Repository, steps: Sequence[DiskStep], tag: Callable[[RepoPath], str]
) -> StepResults:
    """Make steps in order; what can't be made keeps no other file's from being made.

    Args:
        repository: where; the caller holds the locks of the files.
        steps: what is to be done.
        tag: names a file's lock.
    """
    carried = StepResults()
    failed: dict[RepoPath, AcError] = {}
    for step in steps:
        error = next((failed[key] for key in step.keys if key in failed), None)
        if error is None:
            error = _make(repository, step, tag)
        if error is None:
            carried.done.append(step)
            continue
        failed.update(dict.fromkeys(step.keys, error))
        carried.failures.update(dict.fromkeys(step.positions, error))
        if isinstance(error, Conflict | AlreadyExists):
            carried.changed.update(step.keys)
    return carried


def _make(repository: Repository, step: DiskStep, tag: Callable[[RepoPath], str]) -> AcError | None:
    try:
        if step.do is StepAction.WRITE:
            over = hashlib.sha256(step.over.data).hexdigest() if step.over.exists else ""
            wanted = WriteRequest(step.data, tag(step.key), over, is_new=not step.over.exists)
            write(repository, entry_location(repository, step.key), wanted)
            return None
        if read_entry(repository, step.key, MAX_FILE_BYTES).sign != step.over.sign:
            raise Conflict(f"{step.key!r} has changed since it was read; ask for the edit again.")
        if step.new_key is None:
            remove_entry(repository, step.key)
        else:
            move_entry(repository, step.key, step.new_key)
    except AcError as error:
        return error
    return None
