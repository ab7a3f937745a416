"""What edits did to files, one change after another, so that each can be taken back alone.

The changes of a turn are its journal. It is only added to: that a change was taken back, or was not
made after all, is a change as well.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from jupyter_ac.chat.edits.blocks import Span
from jupyter_ac.chat.history.stored_values import json_value
from jupyter_ac.git.paths import is_stored_path
from jupyter_ac.ids import RepoPath

FOREIGN: Final = -1
"""The block of a change that somebody else made, between two edits of the turn."""

_NO_PATH: Final = RepoPath("")


class Act(StrEnum):
    """What a change did."""

    WRITE = "write"
    CREATE = "create"
    REMOVE = "remove"
    MOVE = "move"
    UNDO = "undo"
    """Changes were taken back."""
    DROP = "drop"
    """Changes were not made after all."""


_ABOUT_OTHERS: Final = frozenset({Act.UNDO, Act.DROP})


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


def to_json(changes: Iterable[Change]) -> str:
    """Write a journal."""
    return json.dumps([_row(change) for change in changes], separators=(",", ":"))


def from_json(text: object) -> tuple[Change, ...]:
    """Read what `to_json` wrote; undo writes by it, so nothing in it is taken on trust.

    Raises:
        ValueError: it is something else.
        TypeError: likewise.
        KeyError: likewise.
    """
    rows = json_value(text)
    if not isinstance(rows, list):
        raise TypeError("no journal")
    changes = tuple(map(_change, rows))
    for number, change in enumerate(changes):
        if any(not 0 <= undone < number for undone in change.undone):
            raise ValueError("no entry before this one")
    return changes


def _row(change: Change) -> dict[str, object]:
    return {
        "act": change.act.value,
        "path": change.path,
        "block": change.block,
        "new_path": change.new_path,
        "start": change.start,
        "gone": change.gone,
        "put": [line.decode("utf-8", "surrogateescape") for line in change.put],
        "undone": list(change.undone),
    }


def _change(row: object) -> Change:
    if not isinstance(row, dict):
        raise TypeError("no change")
    act = Act(row["act"])
    return Change(
        act=act,
        path=_path(row["path"], is_needed=act not in _ABOUT_OTHERS),
        block=_count(row["block"], FOREIGN),
        new_path=_path(row["new_path"], is_needed=act is Act.MOVE),
        start=_count(row["start"]),
        gone=_count(row["gone"]),
        put=tuple(_line(line) for line in _listed(row["put"])),
        undone=tuple(_count(number) for number in _listed(row["undone"])),
    )


def _path(path: object, *, is_needed: bool) -> RepoPath:
    if not isinstance(path, str) or (is_needed and not is_stored_path(path)):
        raise ValueError("no path of a file in the repository")
    return RepoPath(path)


def _count(value: object, least: int = 0) -> int:
    if type(value) is not int or value < least:
        raise ValueError("no count")
    return value


def _line(value: object) -> bytes:
    if not isinstance(value, str):
        raise TypeError("no line")
    return value.encode("utf-8", "surrogateescape")


def _listed(value: object) -> Sequence[object]:
    if not isinstance(value, list):
        raise TypeError("no list")
    return value
