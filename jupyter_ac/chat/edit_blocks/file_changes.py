"""The journal of a turn's changes to files; each change can be undone alone.

The journal is append-only: an undo, or a change that was not made in the end, is an entry as well.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from jupyter_ac.chat.edit_blocks.blocks import Span
from jupyter_ac.ids import RepoPath

FOREIGN: Final = -1
"""The block of a change that somebody else made, between two edits of the turn."""

_NO_PATH: Final = RepoPath("")


class Act(StrEnum):
    """The kind of a change."""

    WRITE = "write"
    CREATE = "create"
    REMOVE = "remove"
    MOVE = "move"
    UNDO = "undo"
    """Changes were taken back."""
    DROP = "drop"
    """Changes were not made after all."""


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of a journal.

    Attributes:
        act: what was done.
        path: to which file, by the name that it had then; "" for `UNDO` and `DROP`.
        block: the number of the edit block in its turn; `FOREIGN` for somebody else's.
        new_path: where a moved file went.
        start: the first line that a `WRITE` replaced, from 0.
        gone: how many lines it replaced.
        put: the lines in their place, with their ends; all lines of a file that was created.
        undone: the entries, by their number from 0, that `UNDO` or `DROP` is about.
    """

    act: Act
    path: RepoPath = _NO_PATH
    block: int = FOREIGN
    new_path: RepoPath = _NO_PATH
    start: int = 0
    gone: int = 0
    put: tuple[bytes, ...] = ()
    undone: tuple[int, ...] = ()


def lines_of(data: bytes) -> list[bytes]:
    """Cut bytes into lines that keep their ends; only LF ends one."""
    parts = data.split(b"\n")
    lines = [part + b"\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines


def replaced(path: RepoPath, block: int, before: bytes, after: bytes, span: Span) -> Change:
    """Return the change that replaced a part of a text, in whole lines.

    Args:
        path: of the file.
        block: that made it.
        before: the text.
        after: what became of it.
        span: the bytes of `before` that were replaced.
    """
    begin = before.rfind(b"\n", 0, span.start) + 1
    is_whole = span.end == begin or before[span.end - 1 : span.end] == b"\n"
    end = span.end if is_whole else before.find(b"\n", span.end) + 1 or len(before)
    put = tuple(lines_of(after[begin : len(after) - (len(before) - end)]))
    start = before.count(b"\n", 0, begin)
    gone = len(lines_of(before[begin:end]))
    return Change(Act.WRITE, path, block, start=start, gone=gone, put=put)


def rewritten(path: RepoPath, block: int, before: bytes, after: bytes) -> Change:
    """Return the change that makes one text of another where only the two are known.

    Lines count as replaced from the first to the last that may be others, equal ones too.
    """
    old, new = lines_of(before), lines_of(after)
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    head, tail = min(head, shorter - tail), min(tail, shorter - head)
    put = tuple(new[head : len(new) - tail])
    return Change(Act.WRITE, path, block, start=head, gone=len(old) - tail - head, put=put)
