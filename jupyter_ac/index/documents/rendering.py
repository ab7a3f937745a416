"""Formats one document for the map, in more or less detail."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import IntEnum
from pathlib import PurePosixPath
from typing import Final

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.graph import DocumentGraph
from jupyter_ac.index.documents.keywords import Keywords
from jupyter_ac.index.documents.kinds import doc_type
from jupyter_ac.index.quoting import HIDDEN, quoted
from jupyter_ac.index.records import NOBODY, Heading

LEGEND: Final = """\
# folder/ and documents of which only the name is told, +n more in it and below; then file: title
# and its headings (keywords of the section) [kind of document, or what the section holds] ~lines
# ←references from other documents →what it refers to; +n below: headings left out
"""


class Detail(IntEnum):
    """The level of detail of a document in the map."""

    NAME = 0
    TITLE = 1
    TOP = 2
    HEADINGS = 3
    REFERENCES = 4


_PLAIN: Final = re.compile(rf"[^\"\\:{HIDDEN}]+")
_MIN_LINES: Final = 5
_MAX_TITLE: Final = 80
_MAX_TARGETS: Final = 4
_MAX_HEADINGS: Final = 40
_MAX_WORDS: Final = 8


def plain_or_quoted(name: str) -> str:
    """Write a name so that it ends where it ends: quoted as JSON when it could mislead."""
    return name if _PLAIN.fullmatch(name) else quoted(name)


def folder_line(folder: str) -> str:
    """Write what a folder's documents follow."""
    return f"{plain_or_quoted(folder)}/" if folder else "./"


def render(path: RepoPath, graph: DocumentGraph, keywords: Keywords, detail: Detail) -> str:
    """Write a document.

    Args:
        path: of the document, which the graph has.
        graph: of the tree.
        keywords: of its headings; empty when they aren't known.
        detail: how much of it; at least its title.
    """
    page = _Page(path, graph, keywords, detail)
    if path.lower().endswith(".svg"):
        return page.drawing()
    return "".join(f"{line}\n" for line in page.lines())


class _Page:
    def __init__(
        self, path: RepoPath, graph: DocumentGraph, keywords: Keywords, detail: Detail
    ) -> None:
        self._path = path
        self._graph = graph
        self._detail = detail
        self._headings = graph.outlines[path].headings
        self._keywords = keywords if detail >= Detail.HEADINGS else ()

    def lines(self) -> Iterator[str]:
        titled = self._is_titled()
        yield self._first(with_title=titled)
        if self._detail == Detail.TITLE:
            return
        depths = [depth - titled for depth in _depths(self._headings)]
        deepest = self._deepest(depths)
        shown = [at for at in range(titled, len(depths)) if depths[at] <= deepest]
        ends = [*shown[1:], len(depths)]
        for at, end in zip(shown[:_MAX_HEADINGS], ends, strict=False):
            hidden = f" +{end - at - 1} below" if end - at > 1 else ""
            yield f"{'  ' + ' ' * depths[at]}{self._heading(at)}{hidden}"
        if len(shown) > _MAX_HEADINGS:
            yield f"  +{len(shown) - _MAX_HEADINGS} more"

    def _deepest(self, depths: Sequence[int]) -> int:
        """Return how deep the headings lie that are shown: all, or so deep that they are few."""
        if self._detail == Detail.TOP:
            return 0
        counts = Counter(depth for depth in depths if depth >= 0)
        total = 0
        for depth in sorted(counts):
            total += counts[depth]
            if total > _MAX_HEADINGS:
                return max(depth - 1, 0)
        return len(depths)

    def drawing(self) -> str:
        """Write a drawing on one line: its title and the first of its words."""
        words = [_short(heading.text) for heading in self._headings[:_MAX_WORDS]]
        told = words if self._detail > Detail.TITLE else words[:1]
        return f" {self._name()}: {', '.join(told)}{self._counted()}\n".replace(": \n", "\n")

    def _name(self) -> str:
        return plain_or_quoted(PurePosixPath(self._path).name)

    def _is_titled(self) -> bool:
        """Tell whether the first heading stands above all others."""
        levels = [heading.level for heading in self._headings]
        return bool(levels) and all(level > levels[0] for level in levels[1:])

    def _first(self, *, with_title: bool) -> str:
        kind = doc_type(self._path, self._graph.outlines[self._path])
        parts = [f" {self._name()}"]
        if with_title or self._detail == Detail.TITLE:
            title = _short(self._headings[0].text) if self._headings else ""
            parts[0] += f": {title}" if title else ""
        if with_title:
            parts += self._words(0)
        marks: list[str] = [kind] if kind != "unknown" else []
        if with_title and self._detail >= Detail.HEADINGS:
            marks += self._headings[0].contents
        parts += _bracketed(marks)
        lines = self._headings[-1].last_line if self._headings else 0
        if lines >= _MIN_LINES:
            parts.append(f"~{lines}")
        text = " ".join(parts) + self._counted()
        return text + self._targets([NOBODY, 0] if with_title else [NOBODY])

    def _counted(self) -> str:
        count = sum(self._graph.sources(self._path).values())
        return f" ←{count}" if count else ""

    def _heading(self, at: int) -> str:
        heading = self._headings[at]
        if self._detail < Detail.HEADINGS:
            return _short(heading.text)
        parts = [_short(heading.text), *self._words(at), *_bracketed(heading.contents)]
        lines = heading.last_line - heading.line + 1
        if lines >= _MIN_LINES:
            parts.append(f"~{lines}")
        count = self._graph.incoming(self._path, at)
        if count:
            parts.append(f"←{count}")
        return " ".join(parts) + self._targets([at])

    def _words(self, at: int) -> list[str]:
        words = self._keywords[at] if at < len(self._keywords) else ()
        return [f"({', '.join(words)})"] if words else []

    def _targets(self, sections: Sequence[int]) -> str:
        if self._detail < Detail.REFERENCES:
            return ""
        names: dict[str, None] = {}
        for reference in self._graph.references(self._path):
            if reference.section in sections:
                names[self._target(reference.target, reference.heading)] = None
        shown = list(names)[:_MAX_TARGETS]
        more = f" +{len(names) - len(shown)}" if len(names) > len(shown) else ""
        return f" →{' →'.join(shown)}{more}" if shown else ""

    def _target(self, path: RepoPath, heading: int) -> str:
        here = PurePosixPath(self._path).parent
        there = PurePosixPath(path)
        shown = plain_or_quoted(there.name if there.parent == here else path)
        outline = self._graph.outlines.get(path)
        if outline is None or heading == NOBODY:
            return shown
        return f"{shown}#{outline.headings[heading].slug}"


def _bracketed(marks: Sequence[str]) -> list[str]:
    return [f"[{', '.join(marks)}]"] if marks else []


def _depths(headings: Sequence[Heading]) -> list[int]:
    """Return how many headings each one stands under; levels that are left out count nothing."""
    above: list[int] = []
    found: list[int] = []
    for heading in headings:
        while above and above[-1] >= heading.level:
            above.pop()
        found.append(len(above))
        above.append(heading.level)
    return found


def _short(text: str) -> str:
    printable = "".join(sign if sign.isprintable() else " " for sign in text)
    return printable if len(printable) <= _MAX_TITLE else printable[: _MAX_TITLE - 1] + "…"
