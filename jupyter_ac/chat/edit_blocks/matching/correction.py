"""Corrects a block that would match but for a uniform shift of the indentation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.chat.edit_blocks.matching.lines import Folded

# Look-alikes of the old text that are compared with it, at most.
_LOOKED_AT: Final = 50


@dataclass(frozen=True, slots=True)
class Correction:
    """An old text that stands in the file once, and the new text shifted like it."""

    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shift:
    """White space that all lines have more, or less, at their start.

    Attributes:
        space: the white space.
        is_deeper: lines get it; else they lose it.
    """

    space: str
    is_deeper: bool

    def of(self, line: str) -> str | None:
        """Return the shifted line; None when it lacks the space to lose. Blank lines stay."""
        if not line.strip():
            return line
        if self.is_deeper:
            return self.space + line
        return line.removeprefix(self.space) if line.startswith(self.space) else None

    def all_of(self, lines: Sequence[str]) -> tuple[str, ...] | None:
        """Return the shifted lines, or None when one of them cannot be shifted."""
        shifted = tuple(text for line in lines if (text := self.of(line)) is not None)
        return shifted if len(shifted) == len(lines) else None


def shift_between(line: str, theirs: str) -> Shift | None:
    """Return the shift that makes `theirs` of `line`; None when they differ in more, or not."""
    if theirs != line and theirs.endswith(line):
        space, is_deeper = theirs[: len(theirs) - len(line)], True
    elif theirs != line and line.endswith(theirs):
        space, is_deeper = line[: len(line) - len(theirs)], False
    else:
        return None
    return None if space.strip(" \t") else Shift(space, is_deeper)


def shift_of(old: Sequence[str], theirs: Sequence[str]) -> Shift | None:
    """Return the one shift that makes `theirs` of `old`; None when there is none."""
    first = next((number for number, line in enumerate(old) if line.strip()), None)
    if first is None or len(old) != len(theirs):
        return None
    shift = shift_between(old[first], theirs[first])
    return shift if shift is not None and shift.all_of(old) == tuple(theirs) else None


def correct(
    lines: Sequence[bytes], folded: tuple[Folded, Folded], old: Sequence[str], new: Sequence[str]
) -> Correction | None:
    """Return the corrected texts of a block whose old text stands nowhere.

    Args:
        lines: the file's, without their ends.
        folded: the file's lines and the old text, folded.
        old: the old text.
        new: the new text.

    Returns:
        None unless a uniform shift is the only cause, at exactly one place.
    """
    theirs, ours = folded
    alike = theirs.places(ours)
    if not 0 < len(alike) <= _LOOKED_AT:
        return None
    fits: list[Correction] = []
    for place in alike:
        start = theirs.numbers[place] - ours.numbers[0]
        there = lines[max(start, 0) : start + len(old)]
        text = [line.decode(errors="replace") for line in there]
        shift = shift_of(old, text)
        if shift is not None:
            shifted = shift.all_of(new)
            fits.append(Correction(tuple(text), shifted or ()))
            if shifted is None:
                return None
    return fits[0] if len(fits) == 1 else None
