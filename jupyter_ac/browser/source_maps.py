"""Reads source maps, version 3: which place of a source a place of a built script comes from.

The format: https://tc39.es/ecma426/. A map is decoded only up to the last line that is asked for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import orjson

from jupyter_ac.browser.cdp_values import items_of, object_of, text_of, whole_of

VERSION: Final = 3
MAX_MAP: Final = 30_000_000
MAX_SECTIONS: Final = 1000
MAX_SOURCE: Final = 2000
MAX_SHIFT: Final = 60
"""Numbers with more bits than this are no lines."""

_DIGITS: Final = {
    char: digit
    for digit, char in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
_MORE: Final = 32
_LENGTHS: Final = frozenset({1, 4, 5})
_MAX_KNOWN: Final = 100_000
"""How many decoded segments are kept while a map is read; most of them come again and again."""

Position: TypeAlias = tuple[int, int]
"""Line and column, the first of both is 0."""
_Segment: TypeAlias = tuple[int, int, int, int] | tuple[int]


@dataclass(frozen=True, slots=True)
class Original:
    """A place in a source.

    Attributes:
        source: as the map names it, below its `sourceRoot`.
        line: the first is 0.
        column: the first is 0.
    """

    source: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class _Section:
    """A part of a map that is valid from a position on."""

    start: Position
    sources: Sequence[str]
    mappings: str


class BrokenSourceMap(ValueError):
    """A text is no source map, or one that can't be read."""


class SourceMap:
    """A source map.

    Args:
        text: of the file.

    Raises:
        BrokenSourceMap: it is none.
    """

    def __init__(self, text: str) -> None:
        if len(text) > MAX_MAP:
            raise BrokenSourceMap("the source map is too large")
        if text.startswith(")]}'"):  # against being loaded as a script
            text = text.partition("\n")[2]
        try:
            values = object_of(orjson.loads(text))
        except orjson.JSONDecodeError as error:
            raise BrokenSourceMap("the source map is no JSON") from error
        if values.get("version") != VERSION:
            raise BrokenSourceMap("it is no source map of version 3")
        self._sections = sorted(_sections(values), key=lambda section: section.start)

    def locate(self, positions: Sequence[Position]) -> list[Original | None]:
        """Find where places of the built script come from, in the order of the places.

        Raises:
            BrokenSourceMap: it can't be read.
        """
        wanted: dict[int, list[tuple[int, Position]]] = {}
        for number, position in enumerate(positions):
            section = self._section_at(position)
            if section is not None:
                wanted.setdefault(section, []).append((number, position))
        found: list[Original | None] = [None] * len(positions)
        for index, places in wanted.items():
            section_found = _located(self._sections[index], [place for _, place in places])
            for (number, _), original in zip(places, section_found, strict=True):
                found[number] = original
        return found

    def _section_at(self, position: Position) -> int | None:
        starts = [
            number for number, section in enumerate(self._sections) if section.start <= position
        ]
        return starts[-1] if starts else None


def _sections(values: dict[str, object]) -> Iterator[_Section]:
    sections = values.get("sections")
    if not isinstance(sections, list):
        yield _section(values, (0, 0))
        return
    for part in sections[:MAX_SECTIONS]:
        offset = object_of(object_of(part).get("offset"))
        start = (whole_of(offset.get("line")), whole_of(offset.get("column")))
        yield _section(object_of(object_of(part).get("map")), start)


def _section(values: dict[str, object], start: Position) -> _Section:
    root = text_of(values.get("sourceRoot"), MAX_SOURCE)
    prefix = f"{root.removesuffix('/')}/" if root else ""
    sources = [prefix + text_of(source, MAX_SOURCE) for source in items_of(values.get("sources"))]
    mappings = values.get("mappings")
    return _Section(start, sources, mappings if isinstance(mappings, str) else "")


def _located(section: _Section, positions: Sequence[Position]) -> list[Original | None]:
    first_line, first_column = section.start
    relative = [
        (line - first_line, column - (first_column if line == first_line else 0))
        for line, column in positions
    ]
    lines = _decoded(section.mappings, {line for line, _ in relative})
    return [_original(section, lines.get(line, []), column) for line, column in relative]


def _original(section: _Section, segments: Sequence[_Segment], column: int) -> Original | None:
    """Take the last segment that begins at a column or before it."""
    before = [segment for segment in segments if segment[0] <= column]
    nearest = max(before, key=lambda segment: segment[0], default=None)
    if nearest is None or len(nearest) == 1:
        return None
    _, source, line, original_column = nearest
    if not 0 <= source < len(section.sources) or line < 0 or original_column < 0:
        return None
    return Original(section.sources[source], line, original_column)


def _decoded(mappings: str, wanted: set[int]) -> dict[int, list[_Segment]]:
    """Decode the wanted lines; each number counts on from the one before it in the whole map."""
    known: dict[str, tuple[int, ...]] = {}
    source = line = column = 0
    found: dict[int, list[_Segment]] = {}
    last = max(wanted)
    for number, part in enumerate(mappings.split(";", last + 1)[: last + 1]):
        generated = 0
        segments: list[_Segment] = []
        for text in part.split(",") if part else ():
            values = known.get(text)
            if values is None:
                values = decode_vlq(text)
                if len(known) < _MAX_KNOWN:
                    known[text] = values
            generated += values[0]
            if len(values) == 1:
                segments.append((generated,))
                continue
            source, line, column = source + values[1], line + values[2], column + values[3]
            segments.append((generated, source, line, column))
        if number in wanted:
            found[number] = segments
    return found


def decode_vlq(segment: str) -> tuple[int, ...]:
    """Decode a segment: one, four or five numbers in base 64, each as long as needed.

    Raises:
        BrokenSourceMap: it is no such segment.
    """
    values: list[int] = []
    value = shift = 0
    for char in segment:
        digit = _DIGITS.get(char)
        if digit is None or shift > MAX_SHIFT:
            raise BrokenSourceMap("a segment of the source map is broken")
        value += (digit & (_MORE - 1)) << shift
        if digit & _MORE:
            shift += 5
            continue
        values.append(-(value >> 1) if value & 1 else value >> 1)
        value = shift = 0
    if shift or len(values) not in _LENGTHS:
        raise BrokenSourceMap("a segment of the source map is broken")
    return tuple(values)
