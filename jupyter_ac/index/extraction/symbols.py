"""Builds the list of symbols in source order, each with the one that contains it."""

from collections.abc import Sequence
from functools import cached_property
from operator import itemgetter
from typing import Final, TypeAlias, get_args

from tree_sitter import Node

from jupyter_ac.index.extraction.matching import Captures, Finds, FoundSymbol, ParsedText
from jupyter_ac.index.extraction.shortening import (
    base_names,
    one_line,
    short_parameters,
    short_result,
)
from jupyter_ac.index.languages.language import Reading
from jupyter_ac.index.records import NOBODY, Import, Kind, Symbol

CONTAINERS: Final = frozenset({"class", "interface", "struct", "enum", "type", "table"})
ONCE: Final = frozenset({"property", "variable", "constant", "key", "type"})
_IMPORTED: Final = ("alias", "default", "item", "item_alias")
OWNERS: Final = CONTAINERS | {"module"}
_PLACE: Final = itemgetter(0, 1, 2)
MAX_SYMBOLS: Final = 20_000
_MAX_NAME: Final = 120
_BODIES: Final = {"key": "\n", "rule": "{"}
"""The text at which a body begins that is not a node of its own."""
_MARKS: Final = "\"'`:"
"""Around the names of keys and of Ruby's symbols."""
_DETAIL_BYTES: Final = 400
_KINDS: Final[dict[str, Kind]] = {kind: kind for kind in get_args(Kind)}


Around: TypeAlias = tuple[int, int, int, bool]
"""A stretch that definitions stand in: its start and end in bytes, the symbol that they belong to
(`NOBODY` when that isn't in the file), and whether functions in it are methods."""

_FILE: Final[Around] = (-1, 1 << 62, NOBODY, False)


class SymbolBuilder:
    """The symbols of one file while they are put in their places.

    Args:
        source: the file's text.
        reading: how its language writes parameters and names.
        imports: of the file.

    Attributes:
        rows: the symbols.
        spans: for each the bytes from its beginning to its end.
        cut: whether some were left out because there are too many.
    """

    def __init__(self, source: ParsedText, reading: Reading, imports: Sequence[Import]) -> None:
        self.rows: list[Symbol] = []
        self.spans: list[tuple[int, int]] = []
        self.cut = False
        self._source = source
        self._reading = reading
        self._imports = imports
        self._named: dict[str, int] = {}
        self._members: set[tuple[int, str]] = set()

    def place(self, finds: Finds) -> None:
        """Take in what the queries found."""
        imported = {
            node.start_byte
            for captures in finds.imports
            for name in _IMPORTED
            for node in captures.get(name, ())
        }
        defined = (found for start, found in finds.symbols.items() if start not in imported)
        found = [*defined, *finds.scopes]
        found.sort(key=_PLACE)
        self.cut = len(found) > MAX_SYMBOLS
        outer, rows = finds.outer, self.rows
        stack: list[Around] = [_FILE]
        for item in found[:MAX_SYMBOLS]:
            start, end = item[0], -item[1]
            around = stack[-1]
            while around[1] <= start or (around[0] == start and around[1] == end):
                stack.pop()
                around = stack[-1]
            if item.kind == "scope":
                stack.append(self._scope(item))
            elif self._add(item, around, outer.get(start)):
                stack.append((start, end, len(rows) - 1, rows[-1].kind in CONTAINERS))

    @cached_property
    def _bound(self) -> frozenset[str]:
        """The names that imports make known here."""
        names = {here for line in self._imports for _, here in line.names}
        modules = {
            line.alias or line.module.partition(".")[0] for line in self._imports if not line.names
        }
        return frozenset(names | modules)

    def _scope(self, item: FoundSymbol) -> Around:
        """Enter a stretch whose definitions belong to a symbol that stands before it."""
        owner = self._named.get(self._owner(item.captures), NOBODY)
        if owner != NOBODY and self.rows[owner].kind == "module":
            self.rows[owner] = self.rows[owner]._replace(kind="class")
        if owner != NOBODY and "bases" in item.captures:
            known = self.rows[owner]
            bases = tuple(dict.fromkeys((*known.bases, *self._bases(item.captures))))
            self.rows[owner] = known._replace(bases=bases)
        return item.start, -item.back, owner, True

    def _add(self, item: FoundSymbol, around: Around, outer: Node | None) -> bool:
        """Append a symbol; False when it is none after all."""
        captures = item.captures
        node, declared = captures["name"][0], captures[item.kind][0]
        written = self._source.between(item.name_start, node.end_byte)
        if "(" in written and node.type == "operator_cast":
            written = written.partition("(")[0].rstrip()
        is_operator = node.type == "operator_identifier"
        name = (written if is_operator else written.strip(_MARKS))[:_MAX_NAME]
        kind, parent, span = self._standing(item, name, around)
        if not name or (kind in ONCE and (parent, name) in self._members):
            return False
        if "branch" in captures and name in self._bound:
            return False
        self._members.add((parent, name))
        row, column = node.start_point
        if self._source.lines:
            column = self._source.column(row, column)
        if name != written:
            column += len(written) - len(written.lstrip(_MARKS))
        is_plain = kind in ONCE
        self.rows.append(
            Symbol(
                name,
                _KINDS[kind],
                row + 1,
                column,
                (outer or declared).start_point[0] + 1,
                _last_line(declared, row),
                parent,
                "" if is_plain else self._signature(captures),
                self._detail(declared, kind, item),
                () if is_plain else self._bases(captures),
            )
        )
        self.spans.append(span)
        if kind in OWNERS:
            self._named.setdefault(name, len(self.rows) - 1)
        return True

    def _standing(
        self, item: FoundSymbol, name: str, around: Around
    ) -> tuple[str, int, tuple[int, int]]:
        """Return a definition's kind, what it belongs to, and the stretch that it is around."""
        kind, parent, span = item.kind, around[2], (item.start, -item.back)
        if kind == "variable":
            kind = "constant" if name.isupper() else kind
        elif "owner" in item.captures:
            parent = self._named.get(self._owner(item.captures), NOBODY)
            if kind == "method" and parent != NOBODY and self.rows[parent].kind == "module":
                kind = "function"
            elif kind == "function":
                kind = "method"
        elif kind == "function" and around[3]:
            kind = "method"
        elif kind == "method" and parent == NOBODY:
            kind = "function"
        elif kind == "property" and parent != NOBODY and not around[3]:
            return kind, self.rows[parent].parent, (item.start, item.start)
        return kind, parent, span

    def _owner(self, captures: Captures) -> str:
        names = self._names_in(captures["owner"][0])
        return names[-1] if names else ""

    def _bases(self, captures: Captures) -> tuple[str, ...]:
        if "bases" not in captures and "more_bases" not in captures:
            return ()
        nodes = [*captures.get("bases", ()), *captures.get("more_bases", ())]
        return tuple(dict.fromkeys(name for node in nodes for name in self._names_in(node)))

    def _names_in(self, node: Node) -> tuple[str, ...]:
        return base_names(self._source.of_node(node), dotted=self._reading.dots_in_names)

    def _signature(self, captures: Captures) -> str:
        text = self._source.of_node
        short = ""
        if "parameters" in captures:
            parameters, reading = text(captures["parameters"][0]), self._reading
            short = short_parameters(parameters, reading.order, dotted=reading.dots_in_names)
        if "result" in captures:
            short += short_result(text(captures["result"][0]))
        return short

    def _detail(self, declared: Node, kind: str, item: FoundSymbol) -> str:
        """Return a declaration as written, up to its body."""
        end, captures = -item.back, item.captures
        if kind not in ONCE:
            inner = captures["body"][0] if "body" in captures else None
            body = inner or declared.child_by_field_name("body")
            end = body.start_byte if body else end
        text = self._source.between(item.start, min(end, item.start + _DETAIL_BYTES))
        return one_line(text.partition(_BODIES[kind])[0] if kind in _BODIES else text)


def _last_line(node: Node, name_row: int) -> int:
    """Return the line that a node ends on; a line that it only touches isn't it."""
    row, column = node.end_point
    return row + (1 if column or row == name_row else 0)
