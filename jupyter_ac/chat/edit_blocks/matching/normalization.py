"""Normalises lines for comparison: no white space, one kind of quotes and dashes.

Two texts with the same normal form differ only in what a model gets wrong when it copies a line.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.chat.edit_blocks.matching.lines import places

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
