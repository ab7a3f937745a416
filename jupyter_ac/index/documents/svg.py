"""Extracts the outline of an SVG drawing: its title, the names of its groups, its words and links.

The parser knows only XML's predefined entities and opens no other resource: a drawing that declares
an entity is read up to there. Also finds the SVG files that a text names.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pyexpat import ExpatError, ParserCreate
from typing import Final

from jupyter_ac.index.documents.sections import Sections
from jupyter_ac.index.records import Outline

_MAX_WORDS: Final = 60
_MAX_TEXT: Final = 120
_LABELS: Final = ("aria-label", "http://www.inkscape.org/namespaces/inkscape label")
_LINKS: Final = ("href", "http://www.w3.org/1999/xlink href")
_TEXTS: Final = frozenset({"title", "desc", "text"})
_TITLE_LEVEL: Final = 1
_TITLE_DEPTH: Final = 2
_TEXT_LEVEL: Final = 2


def svg_outline(text: str) -> Outline:
    """Read a drawing: title at level 1, descriptions, groups and words at level 2."""
    sections = Sections()
    # What was read before an error stands.
    with suppress(ExpatError, _EnoughError):
        _Reader(sections).read(text.encode(errors="replace"))
    return sections.outline(text.count("\n") + 1)


class _EnoughError(Exception):
    """Stops the parser: the drawing declares an entity, or a limit is reached."""


class _Reader:
    def __init__(self, sections: Sections) -> None:
        self._sections = sections
        self._parser = ParserCreate("utf-8", " ")
        self._depth = 0
        self._inside: str = ""
        self._inside_depth = 0
        self._line = 0
        self._pieces: list[str] = []
        self._seen: set[str] = set()

    def read(self, data: bytes) -> None:
        parser = self._parser
        parser.buffer_text = True
        parser.EntityDeclHandler = self._refuse
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.ParseFile(BytesIO(data))

    def _refuse(self, *_declaration: object) -> None:
        raise _EnoughError

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        local = name.rpartition(" ")[2]
        line = self._parser.CurrentLineNumber
        if local == "a":
            for key in _LINKS:
                self._sections.link(attributes.get(key, ""), line)
        elif local == "g":
            for key in _LABELS:
                self._say(attributes.get(key, ""), line)
        if local in _TEXTS and not self._inside:
            self._inside, self._inside_depth, self._line = local, self._depth, line
            self._pieces.clear()

    def _text(self, text: str) -> None:
        if self._inside and len(self._pieces) < _MAX_TEXT:
            self._pieces.append(text[:_MAX_TEXT])

    def _end(self, _name: str) -> None:
        if self._inside and self._depth == self._inside_depth:
            self._say(" ".join(" ".join(self._pieces).split()), self._line)
            self._inside = ""
        self._depth -= 1

    def _say(self, text: str, line: int) -> None:
        short = text.strip()[:_MAX_TEXT]
        if not short or short in self._seen:
            return
        if len(self._seen) >= _MAX_WORDS:
            raise _EnoughError
        self._seen.add(short)
        is_title = self._inside == "title" and self._inside_depth <= _TITLE_DEPTH
        self._sections.heading(short, _TITLE_LEVEL if is_title else _TEXT_LEVEL, line)


LONGEST: Final = 300
"""Characters of a name before its extension."""

_RUN: Final = re.compile(r"[^\s\"'`()<>\[\]|,;=]{5,}+")
_EXTENSION: Final = re.compile(r"\.svg\b", re.IGNORECASE)
DRAWING: Final = re.compile(r".++", re.DOTALL)
"""The pattern of the matches that `drawings_in` yields."""


def drawings_in(text: str) -> Iterator[re.Match[str]]:
    """Yield one match for each run of characters without blanks that names an SVG file."""
    if ".svg" not in text:
        return
    for run in _RUN.finditer(text):
        ends = [found.span() for found in _EXTENSION.finditer(text, *run.span())]
        begin, end = ends[-1] if ends else (0, 0)
        name = DRAWING.match(text, max(run.start(), begin - LONGEST), end)
        if name is not None and begin > run.start():
            yield name
