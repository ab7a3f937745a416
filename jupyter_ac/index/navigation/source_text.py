"""A file's text by lines, with columns in UTF-16 code units."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

from jupyter_ac.index.languages.language import Reading

_WORD: Final = re.compile(r"[^\W\d]\w*", re.UNICODE)
_BEFORE: Final = re.compile(r"(?:([^\W\d][\w]*)\s*(?:\?\.|\.|\??->|::\$?))?\s*(\w*)$")
_ACCESS: Final = (".", "->", "::", "::$")
_DOTTED_BEFORE: Final = re.compile(r"(?:([^\W\d][\w.]*)[^\w\s.]{1,3})?\s*([\w.]*)$")
_DOTTED_WORD: Final = re.compile(r"(?:[^\W\d]|\.(?!\d))[\w.]*", re.UNICODE)
_USUAL: Final = Reading()
_LOOSE: Final = "?! "
"""Characters that are allowed between a name and the dot after it."""

_BOM: Final = "\ufeff"
_LONGEST: Final = 5_000
"""Characters of a line that are looked at; no hand-written line is longer."""

REACH: Final = 300
"""Characters before a place that matter for what is being written there."""


class TextPosition(NamedTuple):
    """A place in a text: 1-based line, 0-based column in UTF-16 code units."""

    line: int
    column: int


class Word(NamedTuple):
    """A name on a line: 0-based columns in UTF-16 code units, end excluded."""

    text: str
    column: int
    end_column: int


class Typed(NamedTuple):
    """The partial expression before the cursor.

    Attributes:
        base: the name before the last dot; "" when there is none.
        word: the beginning of a name that ends there; "" when there is none.
        is_member: whether there is a dot, or what stands for one, before the word.
    """

    base: str
    word: str
    is_member: bool


def units(text: str) -> int:
    """Return how many UTF-16 code units a text has."""
    return len(text) + sum(character > "\uffff" for character in text)


class SourceText:
    """A text by lines, which end at line feeds only, as parsers count.

    A byte order mark isn't part of it: neither parsers nor editors count one as a character.

    Args:
        text: the text.
        reading: how its language parts names.
    """

    def __init__(self, text: str, reading: Reading = _USUAL) -> None:
        self._text = text.removeprefix(_BOM)
        is_dotted = reading.dots_in_names
        self._word = _DOTTED_WORD if is_dotted else _WORD
        self._before = _DOTTED_BEFORE if is_dotted else _BEFORE
        self._access = reading.separators if is_dotted else _ACCESS

    @cached_property
    def lines(self) -> Sequence[str]:
        """The lines without their ends."""
        return [line.removesuffix("\r") for line in self._text.split("\n")]

    def line(self, number: int) -> str:
        """Return a line by its 1-based number, cut when it is endless; "" when there is none."""
        is_there = 0 < number <= len(self.lines)
        return self.lines[number - 1][:_LONGEST] if is_there else ""

    def has(self, place: TextPosition) -> bool:
        """Tell whether a place is on a line, or at its end."""
        is_there = 0 < place.line <= len(self.lines)
        return is_there and 0 <= place.column <= units(self.lines[place.line - 1])

    def characters_before(self, place: TextPosition) -> int:
        """Return how many characters of its line stand before a place."""
        return _index(self.line(place.line), place.column)

    def word_at(self, place: TextPosition) -> Word | None:
        """Return the name that a place is in, or at the end of."""
        line = self.line(place.line)
        index = _index(line, place.column)
        found = None
        for match in self._word.finditer(line):
            if match.start() <= index <= match.end():
                found = match  # of two that touch, the place belongs to the later one
            elif match.start() > index:
                break
        return None if found is None else _word(line, found.start(), found.end())

    def before_word(self, place: TextPosition) -> Typed:
        """Return what stands before the name that a place is in."""
        word = self.word_at(place)
        if word is None:
            return Typed("", "", is_member=False)
        return self.typed(TextPosition(place.line, word.column))

    def typed(self, place: TextPosition) -> Typed:
        """Return what stands before a place."""
        line = self.line(place.line)
        before = line[: _index(line, place.column)][-REACH:]
        match = self._before.search(before)
        if match is None:
            return Typed("", "", is_member=False)
        head = before[: match.start(2)].rstrip()
        is_member = head.endswith(self._access) and not head.endswith("..")
        base = (match.group(1) or "") if is_member else ""
        # `f().x` and `a.b.x`: what stands before the dot is no single name.
        is_longer = before[: match.start(1)].rstrip().endswith(self._access) if base else False
        return Typed("" if is_longer else base, match.group(2), is_member)

    def before_member(self, place: TextPosition) -> TextPosition | None:
        """Return the end of the name whose member is being written at a place, None for none."""
        line = self.line(place.line)
        before = line[: _index(line, place.column)]
        head = before[: len(before) - len(self.typed(place).word)].rstrip()
        access = next((each for each in self._access if head.endswith(each)), "")
        rest = head.removesuffix(access).rstrip(_LOOSE) if access else ""
        return TextPosition(place.line, units(rest)) if rest else None

    def span_of(self, line: int, text: str, place: TextPosition) -> Word | None:
        """Return where a text stands on a line such that a place is in it, or at its end."""
        shown = self.line(line)
        index = _index(shown, place.column)
        start = shown.find(text)
        while 0 <= start <= index:
            if index <= start + len(text):
                return _word(shown, start, start + len(text))
            start = shown.find(text, start + 1)
        return None

    def label_of(self, target: str, place: TextPosition) -> Word | None:
        """Return the brackets of the link `[label](target)` that a place is in."""
        shown = self.line(place.line)
        index = _index(shown, place.column)
        start = shown.rfind("[", 0, index + 1)
        end = shown.find("](", max(start, 0))
        leads = 0 <= start <= index <= end and shown.startswith(target, end + 2)
        return _word(shown, start, end + 1) if leads else None


def _word(line: str, start: int, end: int) -> Word:
    column = units(line[:start])
    text = line[start:end]
    return Word(text, column, column + units(text))


def _index(line: str, column: int) -> int:
    """Return the index of the character at a column; that of the end behind the end."""
    if line.isascii():
        return min(column, len(line))
    at = 0
    for index, character in enumerate(line):
        if at >= column:
            return index
        at += 2 if character > "\uffff" else 1
    return len(line)
