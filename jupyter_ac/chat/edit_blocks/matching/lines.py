"""Splits a file's bytes into lines, joins them again without loss, and normalises them to compare.

Only LF and CRLF end a line; a lone CR is a character like others. A byte order mark stands before
the first line and is no part of it. A last line may have no end.

A normal form has no white space and one kind of quotes and dashes: two texts with the same one
differ only in what a model gets wrong when it copies a line.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

BOM: Final = b"\xef\xbb\xbf"
LF: Final = b"\n"
CRLF: Final = b"\r\n"


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a file.

    Attributes:
        bom: the byte order mark, or nothing.
        texts: the lines without their ends.
        ends: what ends each of them; nothing for a last line without an end.
    """

    bom: bytes
    texts: list[bytes]
    ends: list[bytes]

    @property
    def is_open(self) -> bool:
        """Tell whether the last line has no end."""
        return bool(self.ends) and not self.ends[-1]

    def offset(self, number: int) -> int:
        """Return where a line begins in the file's bytes; lines are counted from 0."""
        return (
            len(self.bom) + sum(map(len, self.texts[:number])) + sum(map(len, self.ends[:number]))
        )

    def end_at(self, number: int) -> bytes:
        """Return the end of a line that is put in before line `number`, which is counted from 0.

        It is that of the line before, else that of the line after, else the one that most lines of
        the file have, else LF.
        """
        before = self.ends[number - 1 : number]
        after = self.ends[number : number + 1]
        for end in (*before, *after):
            if end:
                return end
        return CRLF if self.ends.count(CRLF) > self.ends.count(LF) else LF


def split(data: bytes) -> Lines:
    """Return a file's lines."""
    bom = BOM if data.startswith(BOM) else b""
    texts = data[len(bom) :].split(LF)
    ends = [LF] * (len(texts) - 1)
    if CRLF in data:
        for number in range(len(ends)):
            if texts[number].endswith(b"\r"):
                texts[number] = texts[number][:-1]
                ends[number] = CRLF
    if texts[-1]:
        ends.append(b"")
    else:
        texts.pop()
    return Lines(bom, texts, ends)


def places(lines: Sequence[bytes], wanted: Sequence[bytes]) -> list[int]:
    """Return the numbers, from 0, of the lines at which `wanted` stands; places may overlap.

    The way of Knuth, Morris and Pratt: each line is looked at once, however much it is like others.
    """
    if not wanted or len(wanted) > len(lines):
        return []
    fallback = _fallback(wanted)
    found: list[int] = []
    matched = 0
    for number, line in enumerate(lines, 1):
        while matched and line != wanted[matched]:
            matched = fallback[matched - 1]
        if line == wanted[matched]:
            matched += 1
        if matched == len(wanted):
            found.append(number - matched)
            matched = fallback[matched - 1]
    return found


def created(new: Sequence[str]) -> bytes:
    """Return the bytes of a file made from lines: each ends with LF; without lines it is empty.

    Raises:
        UnicodeEncodeError: a line holds half of a surrogate pair.
    """
    return b"".join(ended(line.encode(), LF) for line in new)


def ended(text: bytes, end: bytes) -> bytes:
    """Return a line with its end; a text whose last character is CR keeps it apart from the end."""
    return text + (CRLF if end == LF and text.endswith(b"\r") else end)


def _fallback(wanted: Sequence[bytes]) -> list[int]:
    """Return, for each part of `wanted` from its start, how long a start of it is also its end."""
    lengths = [0] * len(wanted)
    matched = 0
    for number in range(1, len(wanted)):
        while matched and wanted[number] != wanted[matched]:
            matched = lengths[matched - 1]
        if wanted[number] == wanted[matched]:
            matched += 1
        lengths[number] = matched
    return lengths


# Blanks of other widths, and characters of no width: no-break space, soft hyphen, zero width ones,
# marks of writing direction, the byte order mark.
INVISIBLE: Final = "\u00a0\u00ad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff"
_BLANK: Final = b" \t\r\x0b\x0c"
_QUOTES: Final = bytes.maketrans(b'"`', b"''")
_SIGNS: Final = {
    "'": "\u00ab\u00b4\u00bb\u2018-\u201f\u2032-\u2037\u2039\u203a",
    "-": "\u2010-\u2015\u2212",
    "...": "\u2026",
    "": INVISIBLE,
}
_UNUSUAL: Final = [(re.compile(f"[{signs}]"), plain) for plain, signs in _SIGNS.items()]


@dataclass(frozen=True, slots=True)
class Folded:
    """The lines of a text that hold more than white space.

    Attributes:
        keys: the folded lines; equal ones look alike.
        numbers: which line of the text each of them is, from 0.
    """

    keys: list[bytes]
    numbers: list[int]

    def __len__(self) -> int:
        return len(self.keys)

    def places(self, wanted: "Folded") -> list[int]:
        """Return where, among these lines, the folded lines of another text stand."""
        return places(self.keys, wanted.keys)


def fold(lines: Sequence[bytes]) -> Folded:
    """Return the folded lines of a text."""
    joined = b"\n".join(lines)
    if not joined.isascii():
        text = joined.decode(errors="replace")
        for signs, plain in _UNUSUAL:
            text = signs.sub(plain, text)
        joined = text.encode()
    folded = joined.translate(_QUOTES, _BLANK).split(b"\n")
    numbers = [number for number, line in enumerate(folded) if line]
    return Folded([folded[number] for number in numbers], numbers)
