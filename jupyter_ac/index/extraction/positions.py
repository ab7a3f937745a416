"""Converts byte positions to lines and UTF-16 columns."""

from typing import NamedTuple

from tree_sitter import Node


class ParsedText(NamedTuple):
    """A file's text.

    Attributes:
        text: a character for each byte; for ASCII the text itself.
        lines: of a text that isn't ASCII, else empty.
    """

    text: str
    lines: list[bytes]

    @classmethod
    def of(cls, data: bytes) -> "ParsedText":
        """Prepare valid UTF-8."""
        return cls(data.decode("latin-1"), [] if data.isascii() else data.split(b"\n"))

    def between(self, start: int, end: int) -> str:
        """Return what stands between two bytes; a character cut in half is dropped."""
        found = self.text[start:end]
        return found if found.isascii() else found.encode("latin-1").decode("utf-8", "ignore")

    def of_node(self, node: Node) -> str:
        """Return what a node spans."""
        return self.between(node.start_byte, node.end_byte)

    def place(self, node: Node) -> tuple[int, int]:
        """Return where a node begins: line from 1, column from 0 in UTF-16 code units."""
        row, column = node.start_point
        return row + 1, self.column(row, column)

    def column(self, row: int, column: int) -> int:
        """Convert a column in bytes to one in UTF-16 code units."""
        if not self.lines or row >= len(self.lines):
            return column
        before = self.lines[row][:column]
        if before.isascii():
            return column
        return len(before.decode("utf-8", "ignore").encode("utf-16-le")) // 2
