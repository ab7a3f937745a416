"""Parses a file of code and builds its record; extracts the identifiers of any file for search."""

import re
from collections.abc import Sequence
from itertools import islice
from time import thread_time
from typing import Final

from tree_sitter import Node, Parser, Point, Tree

from jupyter_ac.index.extraction.imports import imports_of
from jupyter_ac.index.extraction.matching import ParsedText, find
from jupyter_ac.index.extraction.skip_rules import refusal
from jupyter_ac.index.extraction.symbols import MAX_SYMBOLS, SymbolBuilder
from jupyter_ac.index.extraction.uses import uses_of
from jupyter_ac.index.languages.grammars import grammar_if_installed
from jupyter_ac.index.languages.language import Language
from jupyter_ac.index.project.packages import ROW as PACKAGE
from jupyter_ac.index.records import FileRecord, Manifest, Symbol

MAX_WORDS: Final = 2_000
_BEYOND_ASCII: Final = 0x80
_MIN_LENGTH: Final = 3
_MAX_LENGTH: Final = 80
_LENGTHS: Final = range(_MIN_LENGTH, _MAX_LENGTH + 1)
_DIGITS: Final = frozenset("0123456789")


def _is_part(code: int) -> bool:
    return code >= _BEYOND_ASCII or code in b"_" or chr(code).isalnum()


_BLANKS: Final = bytes(code if _is_part(code) else 0x20 for code in range(256))


def words_of(data: bytes) -> tuple[str, ...]:
    """Return the words of a text, comments included, each once, in order, at most `MAX_WORDS`.

    Words outside ASCII that aren't identifiers (typographic signs, emoji) are left out.

    Args:
        data: valid UTF-8.
    """
    text = data.translate(_BLANKS)
    if text.isascii():
        names = dict.fromkeys(text.decode("ascii").split())
        plain = [
            name
            for name in names
            if _MIN_LENGTH <= len(name) <= _MAX_LENGTH and name[0] not in _DIGITS
        ]
        return tuple(plain[:MAX_WORDS])
    found = (word for word in dict.fromkeys(text.split()) if len(word) in _LENGTHS)
    decoded = (word.decode("utf-8", "replace") for word in found)
    return tuple(islice((word for word in decoded if word.isidentifier()), MAX_WORDS))


MAX_PARSE_S: Final = 3.0
"""Processor time: what else the machine does has no say in what is read."""

TOO_SLOW: Final = "takes too long to parse"
NO_GRAMMAR: Final = "its grammar isn't installed: `jupyter ac doctor` says how"
_SMALL: Final = 100_000
"""Bytes up to which a parse isn't bounded in time here; a worker ends what takes it too long."""
_FAR: Final = 1 << 62
_MAX_DESCENT: Final = 200
_SEPARATORS: Final = re.compile(r"\\|::|\.")


def read_code(language: Language, data: bytes) -> FileRecord:
    """Read a file of code.

    Args:
        language: that it is in.
        data: valid UTF-8 without a byte order mark.
    """
    reading = language.reading
    if note := refusal(language, data):
        return FileRecord(language.name, note=note)
    grammar = grammar_if_installed(language)
    if grammar is None:
        return FileRecord(language.name, words=words_of(data), note=NO_GRAMMAR)
    tree = _tree(grammar.parser, data)
    if tree is None:
        return FileRecord(language.name, words=words_of(data), note=TOO_SLOW)
    source = ParsedText.of(data)
    finds = find(grammar, tree)
    imports = imports_of(finds.imports, source, dots_climb=reading.dots_climb)
    symbols = SymbolBuilder(source, reading, imports)
    symbols.place(finds)
    note = _syntax(tree.root_node) if tree.root_node.has_error else ""
    if symbols.cut:
        note = f"more than {MAX_SYMBOLS:,} symbols"
    return FileRecord(
        language.name,
        few_keys(symbols.rows) if reading.is_settings else tuple(symbols.rows),
        imports,
        uses_of(finds, source, symbols.spans, reading),
        words_of(data),
        note=note,
        manifest=_packages(finds.packages, source, add_up=reading.packages_add_up),
    )


def _packages(names: Sequence[Node], source: ParsedText, *, add_up: bool) -> Manifest:
    """Return the row of the packages that a file declares; one inside another has its name, too."""
    found: list[tuple[int, str]] = []
    for node in sorted(names, key=lambda node: node.start_byte):
        around = [name for end, name in found if node.start_byte < end]
        name = ".".join(_SEPARATORS.split("".join(source.of_node(node).split())))
        found.append((_end(node, add_up=add_up), ".".join([*around[-1:], name])))
    return ((PACKAGE, *dict.fromkeys(name for _, name in found)),) if found else ()


def _end(package: Node, *, add_up: bool) -> int:
    """Return where what stands in a package ends, by the node of its name."""
    declaring = package.parent or package
    is_open = add_up and declaring.child_by_field_name("body") is None
    return _FAR if is_open else declaring.end_byte


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
