"""Parses links and code in one paragraph of Markdown.

One pass in linear time over text of any length: a file of the repository may be made to use up
time, and markdown-it's own pass over a paragraph isn't linear.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

_TOKEN: Final = re.compile(r"\\.|`+|!?\[|\]|<[A-Za-z/][^<>]{0,2000}>", re.DOTALL)
_RUN: Final = re.compile(r"`+")
_TARGET: Final = re.compile(
    r"""\(\s*+(?:<([^<>\n]{0,1000}+)>
        |([^\s()<>]{0,1000}+(?:\([^\s()]{0,500}+\)[^\s()]{0,500}+){0,9}+)|)
    (?:(?:\s++|(?<=\s))(?:"[^"]{0,500}+"|'[^']{0,500}+'|\([^()]{0,500}+\)))?\s*+\)""",
    re.VERBOSE,
)
_LABEL: Final = re.compile(r"\[((?:[^\[\]\\]|\\.){0,999})\]", re.DOTALL)
_ATTRIBUTE: Final = re.compile(
    r"""\b(?:(href)|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_MAX_LABEL: Final = 999


class InlineReference(NamedTuple):
    """A link, an image or a code span.

    Attributes:
        kind: `link`, `image` or `code`.
        text: its target, or the code.
        position: where it begins.
    """

    kind: str
    text: str
    position: int


class _Opener(NamedTuple):
    position: int
    text: int
    is_image: bool


def find_inline(text: str, definitions: Mapping[str, str]) -> list[InlineReference]:
    """Find links, images and code spans.

    Args:
        text: of a paragraph, heading or cell of a table.
        definitions: targets of `[label]: target` by the label as `label_of` gives it.
    """
    return list(_Scan(text, definitions).run())


def label_of(text: str) -> str:
    """Return the form in which labels are compared."""
    return " ".join(text.split()).casefold()


def link_in_tag(tag: str) -> tuple[str, str] | None:
    """Return kind and target of an HTML tag that refers to something."""
    match = _ATTRIBUTE.search(tag)
    if match is None:
        return None
    target = match[2] or match[3] or match[4] or ""
    return ("link" if match[1] else "image"), target


class _Scan:
    def __init__(self, text: str, definitions: Mapping[str, str]) -> None:
        self._text = text
        self._definitions = definitions
        self._openers: list[_Opener] = []
        # No link inside a link: those that began before one that ended are none.
        self._dead = 0
        self._runs: dict[int, list[int]] | None = None

    def run(self) -> Iterator[InlineReference]:
        position = 0
        while (match := _TOKEN.search(self._text, position)) is not None:
            position = match.end()
            mark = match[0]
            if mark[0] == "`":
                end = self._closing(match.start(), len(mark))
                if end is not None:
                    yield InlineReference("code", _code(self._text[position:end]), match.start())
                    position = end + len(mark)
            elif mark[-1] == "[" and mark[0] != "\\":
                self._openers.append(_Opener(match.start(), position, mark[0] == "!"))
            elif mark == "]":
                found, position = self._close(match.start())
                if found is not None:
                    yield found
            elif mark[0] == "<" and (linked := link_in_tag(mark)) is not None:
                yield InlineReference(*linked, match.start())

    def _closing(self, start: int, length: int) -> int | None:
        """Return where the run of backticks stands that ends the one of this length."""
        if self._runs is None:
            self._runs = {}
            for run in _RUN.finditer(self._text):
                self._runs.setdefault(len(run[0]), []).append(run.start())
        places = self._runs.get(length, [])
        following = bisect_left(places, start + 1)
        return places[following] if following < len(places) else None

    def _close(self, position: int) -> tuple[InlineReference | None, int]:
        """Handle `]`: return what it ends, and where to go on."""
        behind = position + 1
        if not self._openers:
            return None, behind
        opener = self._openers.pop()
        is_dead = not opener.is_image and len(self._openers) < self._dead
        self._dead = min(self._dead, len(self._openers))
        if is_dead:
            return None, behind
        target, end = self._target(opener, position)
        if target is None:
            return None, behind
        if not opener.is_image:
            self._dead = len(self._openers)
        kind = "image" if opener.is_image else "link"
        return InlineReference(kind, target, opener.position), end

    def _target(self, opener: _Opener, position: int) -> tuple[str | None, int]:
        behind = position + 1
        if (match := _TARGET.match(self._text, behind)) is not None:
            return _ESCAPE.sub(r"\1", match[1] or match[2] or ""), match.end()
        if not self._definitions:
            return None, behind
        label, end = "", behind
        if (named := _LABEL.match(self._text, behind)) is not None:
            label, end = named[1], named.end()
        if not label and position - opener.text <= _MAX_LABEL:
            label = self._text[opener.text : position]
        return self._definitions.get(label_of(label)), end


def _code(inner: str) -> str:
    flat = inner.replace("\n", " ")
    if flat.startswith(" ") and flat.endswith(" ") and flat.strip():
        return flat[1:-1]
    return flat
