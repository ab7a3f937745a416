"""Runs a language's queries over a syntax tree; captures have lines and UTF-16 columns."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from tree_sitter import Node, QueryCursor, Tree

from jupyter_ac.index.languages.grammars import Grammar, Patterns

Captures: TypeAlias = dict[str, list[Node]]

_MOST_BASES: Final = 200
"""Of one class; each comes with a match of its own."""


class FoundSymbol(NamedTuple):
    """A definition before it has its place among the others.

    Attributes:
        start: of the whole definition, in bytes.
        back: minus its end, so that what is around comes first when they are sorted.
        name_start: of its name; -1 for a scope.
        kind: the name of the capture.
        captures: the nodes of the match.
    """

    start: int
    back: int
    name_start: int
    kind: str
    captures: Captures


@dataclass(slots=True)
class Finds:
    """The captures of the queries, in the order of the matches.

    Attributes:
        symbols: by the place of their name, so that a later pattern overrules an earlier one.
        imports: captures of each match.
        uses: nodes that name something.
        objects: where what stands before a use's last part begins, by the end of the use.
        outer: what is wrapped around a definition, by the definition's own start.
        scopes: stretches whose definitions belong to a name.
        packages: names of packages that the file declares.
        within: nodes that the patterns of the top are looked for in, too.
    """

    symbols: dict[int, FoundSymbol] = field(default_factory=dict)
    imports: list[Captures] = field(default_factory=list)
    uses: list[Node] = field(default_factory=list)
    objects: dict[int, int] = field(default_factory=dict)
    outer: dict[int, Node] = field(default_factory=dict)
    scopes: list[FoundSymbol] = field(default_factory=list)
    packages: list[Node] = field(default_factory=list)
    within: list[Node] = field(default_factory=list)


def find(grammar: Grammar, tree: Tree) -> Finds:
    """Run a grammar's queries over a tree."""
    finds = Finds()
    _run(finds, grammar.top, tree.root_node, is_top=True)
    _run(finds, grammar.anywhere, tree.root_node)
    for node in finds.within:
        _run(finds, grammar.top, node, is_top=True)
    return finds


def _run(finds: Finds, patterns: Patterns, node: Node, *, is_top: bool = False) -> None:
    """Look for patterns in a node, or only for those that begin with it."""
    if not patterns.roles:
        return
    cursor = QueryCursor(patterns.query)
    if is_top:
        cursor.set_max_start_depth(0)
    matches = cursor.matches(node)
    plain = patterns.plain
    finds.uses += [found["use"][0] for pattern, found in matches if pattern in plain]
    for pattern, captures in [match for match in matches if match[0] not in plain]:
        if pattern in patterns.uses:
            finds.uses += captures["use"]
        _note(finds, patterns.roles[pattern], captures)


def _note(finds: Finds, role: str, captures: Captures) -> None:
    if "name" in captures and role != "import":
        node, start = captures[role][0], captures["name"][0].start_byte
        if start in finds.symbols:
            captures = _joined(finds.symbols[start].captures, captures)
        finds.symbols[start] = FoundSymbol(node.start_byte, -node.end_byte, start, role, captures)
    elif role == "import":
        finds.imports.append(captures)
    elif role == "object":
        finds.objects[captures["use"][0].end_byte] = captures["object"][0].start_byte
    elif role == "outer":
        finds.outer[captures["decorated"][0].start_byte] = captures["outer"][0]
    elif role == "scope":
        node = captures["scope"][0]
        finds.scopes.append(FoundSymbol(node.start_byte, -node.end_byte, -1, role, captures))
    elif role == "package":
        finds.packages += captures["package"]
    elif role == "within":
        finds.within += captures["within"]


def _joined(earlier: Captures, later: Captures) -> Captures:
    """Return the later of two finds about one name, with what only the earlier one says."""
    both = {**earlier, **later}
    if "bases" in both:
        both["bases"] = [*earlier.get("bases", ()), *later.get("bases", ())][:_MOST_BASES]
    return both


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
