"""Parses a file of code and builds its record."""

from collections.abc import Sequence
from time import thread_time
from typing import Final

from tree_sitter import Node, Parser, Point, Tree

from jupyter_ac.index.extraction.identifiers import words_of
from jupyter_ac.index.extraction.imports import imports_of
from jupyter_ac.index.extraction.matching import find
from jupyter_ac.index.extraction.positions import ParsedText
from jupyter_ac.index.extraction.skip_rules import refusal
from jupyter_ac.index.extraction.symbols import MAX_SYMBOLS, SymbolBuilder
from jupyter_ac.index.extraction.uses import uses_of
from jupyter_ac.index.languages.grammars import grammar_of
from jupyter_ac.index.languages.language import Language
from jupyter_ac.index.records import FileRecord, Symbol

MAX_PARSE_S: Final = 3.0
"""Processor time: what else the machine does has no say in what is read."""

TOO_SLOW: Final = "takes too long to parse"
_SMALL: Final = 100_000
"""Bytes up to which a parse isn't bounded in time here; a worker ends what takes it too long."""
_MAX_DESCENT: Final = 200


def read_code(language: Language, data: bytes) -> FileRecord:
    """Read a file of code.

    Args:
        language: that it is in.
        data: valid UTF-8 without a byte order mark.
    """
    reading = language.reading
    if note := refusal(language, data):
        return FileRecord(language.name, note=note)
    grammar = grammar_of(language)
    tree = _tree(grammar.parser, data)
    if tree is None:
        return FileRecord(language.name, words=words_of(data), note=TOO_SLOW)
    source = ParsedText.of(data)
    finds = find(grammar, tree)
    imports = imports_of(finds.imports, source, dots_climb=reading.dots_climb)
    symbols = SymbolBuilder(source, reading.order, imports)
    symbols.place(finds)
    note = _syntax(tree.root_node) if tree.root_node.has_error else ""
    if symbols.cut:
        note = f"more than {MAX_SYMBOLS:,} symbols"
    return FileRecord(
        language.name,
        few_keys(symbols.rows) if reading.is_settings else tuple(symbols.rows),
        imports,
        uses_of(finds, source, symbols.spans, reading.separators),
        words_of(data),
        note=note,
    )


def _tree(parser: Parser, data: bytes) -> Tree | None:
    """Parse; None when that takes too long."""
    if len(data) <= _SMALL:
        return parser.parse(data)
    view, end = memoryview(data), thread_time() + MAX_PARSE_S

    def rest(offset: int, _: Point) -> memoryview:
        return view[offset:]

    try:
        bounded = parser.parse(rest, progress_callback=lambda _offset, _failed: thread_time() > end)
    except ValueError:  # what the binding raises when the callback has ended it
        parser.reset()
        return None
    # The binding crashes when a query compares the text of a tree that has come through a
    # callback; parsing again takes over its parts.
    return parser.parse(data, bounded)


def _syntax(node: Node) -> str:
    """Say where the first syntax error is."""
    for _ in range(_MAX_DESCENT):
        if node.is_error or node.is_missing:
            break
        inner = next((child for child in node.children if child.has_error), None)
        if inner is None:
            break
        node = inner
    return f"syntax errors from line {node.start_point[0] + 1} on"


MAX_KEYS: Final = 50
_DATA: Final = 200
"""With more keys than this a file is a table of records, of messages, or of locked versions."""


def few_keys(symbols: Sequence[Symbol]) -> tuple[Symbol, ...]:
    """Return the symbols that count: the first keys of settings, none of data."""
    return tuple(symbols[:MAX_KEYS]) if len(symbols) <= _DATA else ()
