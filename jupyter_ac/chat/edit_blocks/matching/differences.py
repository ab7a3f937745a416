"""Describes in words how lines differ that look alike."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.chat.edit_blocks.matching.correction import shift_of
from jupyter_ac.chat.edit_blocks.matching.lines import INVISIBLE
from jupyter_ac.edit_rows import MissCause

_INVISIBLE: Final = re.compile(f"[{INVISIBLE}]")
_WHITE: Final = re.compile(f"[\\s{INVISIBLE}]+")
_TAB: Final = "\t"
_GRAVITY: Final = (MissCause.INDENTATION, MissCause.WHITESPACE, MissCause.QUOTES)


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference at one place.

    Attributes:
        cause: the most serious one.
        line: which line of the file shows it, from 0.
        words: what is different, as the rest of a sentence about the file.
    """

    cause: MissCause
    line: int
    words: str

    @property
    def gravity(self) -> int:
        """Return a rank; what is easier to put right comes first."""
        return _GRAVITY.index(self.cause)


def difference(theirs: Sequence[str], old: Sequence[str], start: int) -> Difference:
    """Return what is different between lines that fold to the same.

    Args:
        theirs: the file's lines, blank ones between them included.
        old: the lines that were not found, none of them blank at either end.
        start: the number of the file's first line, from 0.
    """
    shift = shift_of(old, theirs)
    if shift is not None:
        than = "more" if shift.is_deeper else "less"
        words = f"each line is indented by {_amount(shift.space)} {than}"
        return Difference(MissCause.INDENTATION, start, words)
    is_facing = [_is_blank(line) for line in theirs] == [_is_blank(line) for line in old]
    pairs = list(_pairs(theirs, old, start, is_facing=is_facing))
    found = [_in_line(number, line, our) for number, line, our in pairs if line != our]
    if not found or not is_facing:
        found.append(Difference(MissCause.WHITESPACE, start, "empty lines stand elsewhere"))
    return max(found, key=lambda item: item.gravity)


def _pairs(
    theirs: Sequence[str], old: Sequence[str], start: int, *, is_facing: bool
) -> Iterator[tuple[int, str, str]]:
    """Yield the lines that belong together; blank ones only where they face each other."""
    numbered = [(start + at, line) for at, line in enumerate(theirs)]
    ours = list(old)
    if not is_facing:
        numbered = [(number, line) for number, line in numbered if not _is_blank(line)]
        ours = [line for line in ours if not _is_blank(line)]
    for (number, line), our in zip(numbered, ours, strict=True):
        yield number, line, our


def _in_line(number: int, theirs: str, ours: str) -> Difference:
    """Return what is different between two lines that fold to the same."""
    cause = MissCause.WHITESPACE
    hidden = sorted(set(_INVISIBLE.findall(theirs)) ^ set(_INVISIBLE.findall(ours)))
    seen = _WHITE.sub("", theirs), _WHITE.sub("", ours)
    if seen[0] != seen[1]:
        cause, words = MissCause.QUOTES, _signs(*seen)
    elif hidden:
        name = unicodedata.name(hidden[0], f"U+{ord(hidden[0]):04X}")
        words = f"has {_more(theirs, ours, hidden[0])} {name} characters than the block"
    elif theirs.rstrip() == ours.rstrip():
        words = f"has {_more(theirs, ours)} white space at its end than the block"
    elif theirs.lstrip(" \t") == ours.lstrip(" \t"):
        cause = MissCause.INDENTATION
        words = f"is indented by {_indentation(theirs)}, in the block by {_indentation(ours)}"
    elif theirs.count(_TAB) != ours.count(_TAB):
        words = f"has {_more(theirs, ours, _TAB)} tabs than the block"
    else:
        words = "has other white space between its words"
    return Difference(cause, number, f"line {number + 1} {words}")


def _more(theirs: str, ours: str, sign: str = "") -> str:
    """Return how the file's line compares to the block's, in a sign or in length."""
    if sign:
        return "more" if theirs.count(sign) > ours.count(sign) else "fewer"
    return "more" if len(theirs) > len(ours) else "less"


def _indentation(line: str) -> str:
    """Return a line's indentation in words."""
    return _amount(line[: len(line) - len(line.lstrip(" \t"))])


def _signs(theirs: str, ours: str) -> str:
    """Return the first sign in which two lines without white space differ."""
    length = min(len(theirs), len(ours))
    place = next((at for at in range(length) if theirs[at] != ours[at]), length)
    return f"has {theirs[place : place + 1]} where the block has {ours[place : place + 1]}"


def _amount(space: str) -> str:
    """Return white space in words."""
    tabs, spaces = space.count(_TAB), space.count(" ")
    named = ((tabs, "tab"), (spaces, "space"))
    parts = [f"{count} {name}{'s' * (count != 1)}" for count, name in named if count]
    return " and ".join(parts) or "nothing"


def _is_blank(line: str) -> bool:
    """Return whether a line has no visible character."""
    return not _WHITE.sub("", line)
