"""Lists the places where tree-sitter can't parse a text, for checks of code that isn't saved."""

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from tree_sitter import Node

from jupyter_ac.index.languages.grammars import grammar_if_installed
from jupyter_ac.index.languages.language import Language

MAX_ERRORS: Final = 100
_SHOWN: Final = 40


class SyntaxFault(NamedTuple):
    """A place that can't be parsed; lines and columns from 1, columns in characters.

    Attributes:
        message: a sentence without its full stop.
        line: where it begins.
        column: same.
        end_line: behind it.
        end_column: same.
    """

    message: str
    line: int
    column: int
    end_line: int
    end_column: int


def syntax_errors(language: Language, text: str) -> list[SyntaxFault] | None:
    """Parse a text and return its first syntax errors, at most `MAX_ERRORS`.

    Returns:
        None when the language's grammar isn't installed.
    """
    grammar = grammar_if_installed(language)
    if grammar is None:
        return None
    data = text.encode("utf-8", "replace")
    lines = data.split(b"\n")
    faulty = islice(_faulty(grammar.parser.parse(data).root_node), MAX_ERRORS)
    return [_fault(node, lines) for node in faulty]


def _faulty(root: Node) -> Iterator[Node]:
    """Yield the outermost nodes that are errors, in order; without recursion."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_missing or node.is_error:
            yield node
        elif node.has_error:
            waiting += reversed(node.children)


def _fault(node: Node, lines: list[bytes]) -> SyntaxFault:
    begin, end = node.start_point, node.end_point
    if node.is_missing:
        message = f"{node.type!r} is missing"
    else:
        text = lines[begin.row][begin.column :].decode("utf-8", "replace").strip()
        message = f"unexpected {text[:_SHOWN]!r}" if text else "the code can't be parsed here"
    return SyntaxFault(
        message,
        begin.row + 1,
        _characters(lines, begin.row, begin.column) + 1,
        end.row + 1,
        _characters(lines, end.row, end.column) + 1,
    )


def _characters(lines: list[bytes], row: int, column: int) -> int:
    """Convert a column in bytes."""
    line = lines[row] if row < len(lines) else b""
    return len(line[:column].decode("utf-8", "replace"))
