"""Finds the occurrences of names in a file's syntax tree; comments and strings hold none."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Final

from tree_sitter import Node

from jupyter_ac.index.extraction.decoding import cells_of, readable
from jupyter_ac.index.extraction.matching import ParsedText
from jupyter_ac.index.extraction.skip_rules import refusal
from jupyter_ac.index.languages.grammars import Grammar, grammar_if_installed
from jupyter_ac.index.languages.registry import NOTEBOOK, language_named, language_of_cells
from jupyter_ac.index.occurrences.locals import Declared, Locals
from jupyter_ac.index.occurrences.occurrence import NO_PLACE, NOWHERE, SELF, Occurrence, Origin
from jupyter_ac.index.occurrences.receiver_types import (
    declared_origin,
    object_of,
    origin_of,
    text_of,
)

MOST: Final = 2_000
"""Places of one name that are looked at in one file."""

_OWN: Final = Origin(SELF, (), ())
_PLACE: Final = attrgetter("line", "column")
_BEFORE: Final = rb"(?<![\w\x80-\xff])"
_BEHIND: Final = rb"(?![\w\x80-\xff])"
_MARKS: Final = "#@:$"
"""In front of names that are private, of an object, or symbols."""

_DEPTH: Final = 4
"""How many local names a value may have come through."""


def occurrences_of(language: str, data: bytes, names: Sequence[str]) -> list[Occurrence]:
    """Return where some names stand in the code of a file, in order.

    Args:
        language: as `language_of` names it.
        data: the whole file.
        names: that are looked for.
    """
    file = _File.of(language, data)
    if file is None:
        return []
    found = {node.id: node for name in names for node in file.places(name)}
    seen = [file.occurrence(node) for node in found.values()]
    return sorted([*seen, *(each for name in names for each in file.loose(name))], key=_PLACE)


def occurrence_at(
    language: str, data: bytes, name: str, line: int, column: int
) -> Occurrence | None:
    """Return the occurrence of a name at a position; None if that is not code."""
    for each in occurrences_of(language, data, (name,)):
        if each.line == line and each.column <= column <= each.column + len(each.name):
            return each
    return None


def _bare(node: Node) -> str:
    return text_of(node).lstrip(_MARKS)


class _File:
    """A file, parsed."""

    def __init__(self, grammar: Grammar, data: bytes) -> None:
        self._data = data
        self._syntax = grammar.language.syntax
        self._root = grammar.parser.parse(data).root_node
        self._source = ParsedText.of(data)
        self._places: dict[str, list[Node]] = {}
        self._locals: dict[str, Locals] = {}
        self._fields: dict[str, Locals] = {}
        self._depth = 0

    @classmethod
    def of(cls, language: str, data: bytes) -> "_File | None":
        """Read a file; None when it isn't read, or is no code."""
        text, _, is_read = readable(data)
        if not is_read:
            return None
        known = language_named(language)
        if language == NOTEBOOK:
            try:
                cells = cells_of(text)
            except (ValueError, RecursionError):
                return None
            known, text = language_of_cells(cells.language), cells.text.encode("utf-8", "replace")
        if known is None or refusal(known, text):
            return None
        grammar = grammar_if_installed(known)
        return cls(grammar, text) if grammar is not None else None

    def places(self, name: str) -> list[Node]:
        """Return the nodes of a name, in order."""
        found = self._places.get(name)
        if found is None:
            found = self._places[name] = list(self._find(name))
        return found

    def occurrence(self, node: Node) -> Occurrence:
        """Return the occurrence of a name."""
        name = text_of(node)
        line, column = self._source.place(node)
        is_member, before = object_of(self._syntax, node)
        if is_member:
            origin = origin_of(self._syntax, before, self._origin)
            given = self._field(node) if origin == _OWN else None
            place = self._source.place(given.name) if given is not None else NO_PLACE
            return Occurrence(name, line, column, is_member, place, origin)
        is_field = node.type == "instance_variable"
        local = self._field(node) if is_field else self._local(node)
        if local is None:
            return Occurrence(name, line, column, is_member, NO_PLACE, NOWHERE)
        origin = self._origin_of(local)
        return Occurrence(name, line, column, is_member, self._source.place(local.name), origin)

    def loose(self, name: str) -> Iterator[Occurrence]:
        """Give the places of a name in what isn't parsed, such as the text of macros."""
        for start, node in self._nodes(name):
            if node.type in self._syntax.text:
                row, first = node.start_point
                before = self._data[node.start_byte : start]
                row += before.count(b"\n")
                is_same = row == node.start_point[0]
                column = first + len(before) if is_same else len(before.rpartition(b"\n")[2])
                place = row + 1, self._source.column(row, column)
                yield Occurrence(name, *place, is_member=False, local=NO_PLACE, origin=NOWHERE)

    def _find(self, name: str) -> Iterator[Node]:
        for _, node in self._nodes(name):
            if node.type in self._syntax.names and not node.child_count and _bare(node) == name:
                yield node

    def _nodes(self, name: str) -> Iterator[tuple[int, Node]]:
        """Give the smallest nodes that hold a name, each with where the name begins."""
        bare = re.escape(name.encode("utf-8", "replace"))
        pattern = re.compile(_BEFORE + bare + _BEHIND)
        for match in islice(pattern.finditer(self._data), MOST):
            node = self._root.named_descendant_for_byte_range(match.start(), match.end())
            if node is not None:
                yield match.start(), node

    def _is_own(self, node: Node) -> bool:
        """Tell whether a name is taken off the object that a method belongs to."""
        if node.type == "instance_variable":
            return True
        _, before = object_of(self._syntax, node)
        return before is not None and text_of(before) in self._syntax.self_words

    def _field(self, node: Node) -> Declared | None:
        name = _bare(node)
        known = self._fields.get(name)
        if known is None:
            places = [each for each in self.places(name) if self._is_own(each)]
            known = self._fields[name] = Locals(self._syntax, places, fields=True)
        return known.of(node)

    def _local(self, node: Node) -> Declared | None:
        name = text_of(node)
        known = self._locals.get(name)
        if known is None:
            known = self._locals[name] = Locals(self._syntax, self.places(_bare(node)))
        return known.of(node)

    def _origin(self, node: Node) -> Origin | None:
        """Return the origin of a local name, or of what is assigned to a field."""
        local = self._field(node) if self._is_own(node) else self._local(node)
        return None if local is None else self._origin_of(local)

    def _origin_of(self, local: Declared) -> Origin:
        if self._depth >= _DEPTH:
            return NOWHERE
        self._depth += 1
        try:
            return declared_origin(self._syntax, local.name, local.declaring, self._origin)
        finally:
            self._depth -= 1
