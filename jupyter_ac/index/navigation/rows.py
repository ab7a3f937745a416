"""Types of the JSON objects that navigation returns."""

from typing import Literal, TypeAlias, TypedDict

Certainty: TypeAlias = Literal["certain", "likely", "guess"]
"""`certain` when the place itself says what is meant; `likely` when the name does, unless something
hides it; `guess` when it is taken for the only thing of its name."""


class Position(TypedDict):
    """A place as LSP counts: from 0, columns in UTF-16 code units."""

    line: int
    character: int


class Range(TypedDict):
    """A stretch of text, in LSP's spelling and in Monaco's, which counts from 1; end excluded."""

    start: Position
    end: Position
    startLineNumber: int
    startColumn: int
    endLineNumber: int
    endColumn: int


class Hover(TypedDict):
    """The hover text for a position.

    Attributes:
        contents: Markdown.
    """

    contents: str


class Target(TypedDict):
    """A place in a file of the repository."""

    file: str
    range: Range


class HoverFound(Hover):
    """A hover from the index, and its certainty."""

    certainty: Certainty


class TargetFound(Target):
    """A target that the index finds, and its certainty."""

    certainty: Certainty


class PlacesFound(TypedDict):
    """The references that the index finds, and the certainty of the symbol."""

    places: list[Target]
    certainty: Certainty


class Completion(TypedDict):
    """A completion at a position.

    Attributes:
        label: what is inserted.
        kind: `class`, `function`, `method`, `variable`, `import` and the like.
        detail: a signature, or where it comes from; "" when nothing is known.
    """

    label: str
    kind: str
    detail: str


class SymbolRow(TypedDict):
    """A symbol that was found by its name.

    Attributes:
        line: of its name, from 1.
        column: of its name, from 1, in UTF-16 code units.
        container: the name of the symbol around it; "" at top level.
        signature: parameters and result in short form; "" for none.
    """

    name: str
    kind: str
    file: str
    line: int
    column: int
    container: str
    signature: str


class FileMapBlock(TypedDict):
    """One file as the map shows it.

    Attributes:
        mode: which map: of code, or of documents.
    """

    path: str
    content: str
    mode: str


class OutlineRow(TypedDict):
    """A symbol of a file, or a section of a document.

    Attributes:
        name: as written.
        kind: `class`, `function`, …; `section` of a document.
        line: where it begins, decorators included.
        last_line: where it ends, what is inside it included.
        parent: index of the row around it; -1 at top level.
    """

    name: str
    kind: str
    line: int
    last_line: int
    parent: int
