"""Extracts the uses of names, each with the symbol that contains it."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import repeat
from operator import sub
from typing import Final

from jupyter_ac.index.extraction.matching import Finds, ParsedText
from jupyter_ac.index.languages.language import Reading
from jupyter_ac.index.records import NOBODY, Use

MAX_USES: Final = 50_000
_BLANK: Final = re.compile(r"\s")
_AS_USE: Final = tuple.__new__
_BETWEEN: Final = "\0"
"""What separators are replaced by where names may have dots; code that is read has none."""
_SUPER: Final = "super"
_TAIL: Final = 160
"""Bytes of a dotted name that are looked at: its last parts matter."""


def uses_of(
    finds: Finds,
    source: ParsedText,
    spans: Sequence[tuple[int, int]],
    reading: Reading,
) -> tuple[Use, ...]:
    """Return the uses in the order of the source, at most `MAX_USES`.

    The names of definitions are none, and what stands at one place twice counts once. All is done
    list by list: a large file has tens of thousands of uses.

    Args:
        finds: what the queries found.
        source: the file's text.
        spans: of the symbols, in order, properly nested.
        reading: how the language parts names.
    """
    ends, starts, points = _places(finds)
    parts = _Parts(reading)
    if max(map(sub, ends, starts), default=0) > _TAIL:
        starts = [max(start, end - _TAIL) for start, end in zip(starts, ends, strict=True)]
    if source.lines:
        named = [parts[part] for part in map(source.between, starts, ends)]
        columns = [
            source.column(point[0], point[1] - part[2])
            for point, part in zip(points, named, strict=True)
        ]
    else:
        text = source.text
        named = [parts[text[start:end]] for start, end in zip(starts, ends, strict=True)]
        columns = [point[1] - part[2] for point, part in zip(points, named, strict=True)]
    if not named:
        return ()
    bounds, owners = _flat(spans)
    names, bases, _ = zip(*named, strict=True)
    lines = [point[0] + 1 for point in points]
    inside = map(owners.__getitem__, map(bisect_left, repeat(bounds), ends))
    # The class itself would go through Python's own code for each.
    uses = map(_AS_USE, repeat(Use), zip(names, bases, lines, columns, inside, strict=True))
    return tuple(uses) if parts.all_named else tuple(use for use in uses if use.name)


def _places(finds: Finds) -> tuple[Sequence[int], Sequence[int], Sequence[tuple[int, int]]]:
    """Return where each use ends and begins in bytes, and the row and column that it ends at."""
    rows = [(node.end_byte, node.start_byte, node.end_point) for node in finds.uses]
    rows.sort()
    ends, starts, points = zip(*rows, strict=True) if rows else ((), (), ())
    if len(set(ends)) != len(ends) or not finds.symbols.keys().isdisjoint(starts):
        first = {row[0]: row for row in reversed(rows) if row[1] not in finds.symbols}
        rows = sorted(first.values())
        ends, starts, points = zip(*rows, strict=True) if rows else ((), (), ())
    if finds.objects:
        known = finds.objects
        starts = tuple(known.get(end, start) for start, end in zip(starts, ends, strict=True))
    return ends[:MAX_USES], starts[:MAX_USES], points[:MAX_USES]


class _Parts(dict[str, tuple[str, str, int]]):
    """A name as written to its last part, what stands before it, and the bytes of the last part."""

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self.all_named = True
        self._separators = reading.separators
        self._is_dotted = reading.dots_in_names
        self._of_packages = reading.package_separator
        self._is_super = reading.is_super

    def __missing__(self, written: str) -> tuple[str, str, int]:
        text, between = written, _BETWEEN if self._is_dotted else "."
        for separator in self._separators:
            text = text.replace(separator, between)
        base, _, name = text.rpartition(between)
        name = name.strip()
        name = "" if _BLANK.search(name) else name
        self.all_named = self.all_named and bool(name)
        base = base.strip().removesuffix("?")
        if self._of_packages and self._of_packages in written:
            base = base.rpartition(between)[2]
        letters = base.replace(".", "_") if self._is_dotted else base
        if not letters.isidentifier():
            base = _SUPER if self._is_super(base) else ""
        part = (name, base, len(name.encode()))
        self[written] = part
        return part


def _flat(spans: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Return where the innermost symbol changes, and what it is before and after each place."""
    bounds: list[int] = []
    owners = [NOBODY]
    stack: list[tuple[int, int]] = []

    def leave(position: int) -> None:
        while stack and stack[-1][0] <= position:
            bounds.append(stack.pop()[0])
            owners.append(stack[-1][1] if stack else NOBODY)

    for index, (start, end) in enumerate(spans):
        leave(start)
        bounds.append(start)
        owners.append(index)
        stack.append((end, index))
    leave(1 << 62)
    return bounds, owners
