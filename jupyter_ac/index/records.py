"""The record of one file: its parsed symbols, imports and uses, independent of all other files.

A record depends only on a content and a language, so it can be cached by content hash. Lines
are 1-based, columns 0-based in UTF-16 code units, as editors count.
"""

from typing import Final, Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal[
    "class",
    "interface",
    "struct",
    "enum",
    "type",
    "function",
    "method",
    "property",
    "variable",
    "constant",
    "module",
    "key",
    "table",
    "element",
    "rule",
]

NOBODY: Final = -1
"""Index of no symbol."""


Manifest: TypeAlias = tuple[tuple[str, ...], ...]
"""The data of a project manifest: rows, each a key and its values."""


class Symbol(NamedTuple):
    """A definition.

    Attributes:
        name: as written.
        kind: what it is.
        line: of its name.
        column: of its name.
        first_line: where the definition begins, decorators included.
        last_line: where it ends.
        parent: index of the symbol around it in the same file, `NOBODY` at top level.
        signature: parameters and result in the map's short form, as `(url,n?)->R`; "" for none.
        detail: the declaration as written, on one line, at most 200 characters.
        bases: names of what it extends or implements.
    """

    name: str
    kind: Kind
    line: int
    column: int
    first_line: int
    last_line: int
    parent: int = NOBODY
    signature: str = ""
    detail: str = ""
    bases: tuple[str, ...] = ()


class Import(NamedTuple):
    """A line that makes names of another file known.

    Attributes:
        module: as written, without the dots of a relative one; a path for C, JavaScript and shell.
        names: (name there, name here) for each name that is taken out of it; empty for the whole.
        alias: name here of the whole module; "" when the language binds its own name or none.
        level: leading dots of a relative Python import; 0 elsewhere.
        line: where.
    """

    module: str
    names: tuple[tuple[str, str], ...]
    alias: str
    level: int
    line: int


class Use(NamedTuple):
    """A place that calls, extends or otherwise names something.

    Attributes:
        name: the last part of what is named.
        base: what stands before its last dot when that is one name (`self`, `np`), else "".
        line: where.
        column: of `name`.
        inside: index of the innermost symbol around it, `NOBODY` at top level.
    """

    name: str
    base: str
    line: int
    column: int
    inside: int


class Heading(NamedTuple):
    """A section of a document.

    Attributes:
        text: plain, without markup.
        level: 1 is the highest.
        line: of the heading.
        last_line: of its section, sub-sections not included.
        slug: what links name it by, GitHub's way; unique in the document.
        contents: which of `code`, `table` and `formula` its section holds.
    """

    text: str
    level: int
    line: int
    last_line: int
    slug: str
    contents: tuple[str, ...]


class DocumentLink(NamedTuple):
    """A reference out of a document.

    Attributes:
        target: as written: a relative path with or without `#slug`, or a code name in backticks.
        is_code: whether it is a name in backticks.
        line: where.
        heading: index of the section that it stands in, `NOBODY` before the first.
    """

    target: str
    is_code: bool
    line: int
    heading: int


class Outline(NamedTuple):
    """The structure of a document."""

    headings: tuple[Heading, ...]
    links: tuple[DocumentLink, ...]


class FileRecord(NamedTuple):
    """The parsed content of a file.

    Attributes:
        language: name of the language that it was read as.
        symbols: in the order of the source, parents before what is inside them.
        imports: in order.
        uses: in order; definitions are none.
        words: identifiers, each once, in the order of their first occurrence.
        outline: of a document; None for code.
        note: why nothing or not all was read, one sentence; "" when all is well.
        manifest: what imports below its folder need to know, as its language's `manifest` reads it.
    """

    language: str
    symbols: tuple[Symbol, ...] = ()
    imports: tuple[Import, ...] = ()
    uses: tuple[Use, ...] = ()
    words: tuple[str, ...] = ()
    outline: Outline | None = None
    note: str = ""
    manifest: Manifest = ()
