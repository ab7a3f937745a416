#!/usr/bin/env python3
"""Compares the symbols of a folder's files with the definitions that universal-ctags finds there.

A definition of ctags is found if a symbol of the index has its name and its line. Of a qualified
name (`M.f`, `A::b`) the last part counts. Only files that the index reads as the given language are
compared; the index is not started, each file is parsed in this process.

Of all languages alike, some things that ctags names are no definitions that a reader would look up,
and are left out: anonymous functions (`<lambda>`); named arguments; a variable that is assigned
again in the same file; and, unless `--locals` is given, what stands in a function or method, and
variables that are indented although ctags knows of nothing around them: they belong to a block (an
`if`, a test, the body of a function that is passed on) that ctags doesn't see.

    python -m tools.definition_recall lua FOLDER
    python -m tools.definition_recall csharp FOLDER --leave-out field --ctags-language 'C#'
"""

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from jupyter_ac.index.languages.registry import described
from jupyter_ac.index.parsing import language_of, parse

NO_DEFINITIONS: Final = (
    *("alias", "import", "label", "local", "nameattr", "namespace", "package", "parameter"),
)
"""Kinds of ctags that are left out of every comparison, unless they are named by `--include`.

A `nameattr` is a named argument.
"""
_FUNCTIONS: Final = frozenset(
    {"func", "function", "macro", "member", "method", "singletonMethod", "subroutine"}
)
"""Kinds of ctags that have locals; `member` is a method in Python."""
_VARIABLES: Final = frozenset({"constant", "dataframe", "globalVar", "list", "variable", "vector"})
"""Kinds of ctags that an assignment makes."""
_ANONYMOUS: Final = re.compile(r"<\w[\w ]*>")
_INDENTED: Final = re.compile(r"/\^\s")
_QUOTES: Final = " \t\"'`"
_TYPES: Final = re.compile(r"(?<=\w)\{.*", re.DOTALL)
_SEPARATORS: Final = re.compile(r"[.:\\]+")
_COLONS: Final = re.compile(r"[:\\]+")


class Definition(NamedTuple):
    """A name that is defined.

    Attributes:
        path: of the file, relative to the folder.
        line: of the name.
        name: without what qualifies it.
        kind: as its finder calls it.
    """

    path: str
    line: int
    name: str
    kind: str


class Comparison(NamedTuple):
    """What ctags found, and what the index lacks of it.

    Attributes:
        expected: definitions of ctags.
        missed: those of them that are no symbols of the index.
        symbols: number of symbols of the index.
        notes: what the index says of files that it doesn't read, or not completely.
    """

    expected: tuple[Definition, ...]
    missed: tuple[Definition, ...]
    symbols: int
    notes: tuple[str, ...]

    @property
    def recall(self) -> float:
        """The part of the expected definitions that was found; 1 if none is expected."""
        return 1 - len(self.missed) / len(self.expected) if self.expected else 1.0


def files_of(folder: Path, language: str) -> list[str]:
    """Return the paths, relative to a folder, of its files in a language."""
    paths = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    names = (path.relative_to(folder).as_posix() for path in paths)
    return sorted(name for name in names if language_of(name) == language)


def ctags_definitions(
    folder: Path, paths: Iterable[str], ctags_language: str = "", *, with_locals: bool = False
) -> list[Definition]:
    """Return the definitions with a name that ctags finds in these files.

    Args:
        folder: that the paths are relative to.
        paths: of the files.
        ctags_language: that ctags reads them as; by its own judgement if it is "".
        with_locals: also what stands in a function or in a block.
    """
    command = ["ctags", "--output-format=json", "--fields=+nKS", "-f", "-", "-L", "-"]
    command.append("--extras=-{anonymous}")
    if ctags_language:
        command.append(f"--language-force={ctags_language}")
    listing = "".join(f"{path}\n" for path in paths)
    done = subprocess.run(
        command, cwd=folder, input=listing.encode(), stdout=subprocess.PIPE, check=True
    )
    tags = (json.loads(line) for line in done.stdout.decode("utf-8", "replace").splitlines())
    return [
        Definition(tag["path"], tag["line"], tag["name"], _kind(tag))
        for tag in tags
        if tag["_type"] == "tag"
        and not _ANONYMOUS.fullmatch(tag["name"])
        and (with_locals or not _is_local(tag))
    ]


def _is_local(tag: dict[str, str]) -> bool:
    """Tell whether something stands in a function, or is a variable in a block without a name."""
    around = tag.get("scopeKind", "")
    if around:
        return around in _FUNCTIONS
    return tag["kind"] in _VARIABLES and bool(_INDENTED.match(tag.get("pattern", "")))


def _kind(tag: dict[str, str]) -> str:
    """Return the kind of a definition, and that of what it stands in: `function/list`."""
    return "/".join(filter(None, (tag["kind"], tag.get("scopeKind", ""))))


def last_part(name: str, *, dotted: bool = False) -> str:
    """Return a name without what qualifies it and its type parameters; operators stay.

    Args:
        name: as it is written.
        dotted: whether a dot is a letter of names.
    """
    separators = _COLONS if dotted else _SEPARATORS
    return separators.split(_TYPES.sub("", name.strip(_QUOTES)))[-1].strip() or name


def index_definitions(
    folder: Path, paths: Iterable[str], language: str, notes: list[str]
) -> Iterator[Definition]:
    """Yield the symbols of these files; what the index says of a file is appended to the notes."""
    for path in paths:
        record = parse(language, (folder / path).read_bytes())
        if record.note:
            notes.append(f"{path}: {record.note}")
        for symbol in record.symbols:
            yield Definition(path, symbol.line, symbol.name, symbol.kind)


def compare(
    folder: Path,
    language: str,
    leave_out: Collection[str] = (),
    ctags_language: str = "",
    *,
    with_locals: bool = False,
) -> Comparison:
    """Compare the definitions of both.

    Args:
        folder: whose files are read, those of its sub-folders included.
        language: of the index.
        leave_out: kinds of ctags that don't count, anywhere or, `function/list`, in a kind.
        ctags_language: name of the language in ctags, if ctags doesn't detect it.
        with_locals: also what stands in a function or in a block counts.
    """
    paths, notes = files_of(folder, language), list[str]()
    found = list(index_definitions(folder, paths, language, notes))
    every = ctags_definitions(folder, paths, ctags_language, with_locals=with_locals)
    dotted = described(language).reading.dots_in_names

    def short(definition: Definition) -> Definition:
        return definition._replace(name=last_part(definition.name, dotted=dotted))

    known = {(each.path, each.line, each.name) for each in map(short, found)}
    counting = (short(each) for each in every if _counts(each, leave_out))
    expected = tuple(_first_assignments(dict.fromkeys(counting)))
    missed = tuple(each for each in expected if (each.path, each.line, each.name) not in known)
    return Comparison(expected, missed, len(found), tuple(notes))


def _first_assignments(definitions: Iterable[Definition]) -> Iterator[Definition]:
    """Yield the definitions, of a variable of the file only the first one."""
    known = set[tuple[str, str]]()
    for each in sorted(definitions):
        if each.kind not in _VARIABLES or (each.path, each.name) not in known:
            yield each
        known.add((each.path, each.name))


def _counts(definition: Definition, leave_out: Collection[str]) -> bool:
    kind = definition.kind
    return kind not in leave_out and kind.partition("/")[0] not in leave_out


def report(result: Comparison, most: int) -> Iterator[str]:
    """Yield the lines to print.

    Args:
        result: what is reported.
        most: number of misses that are printed.
    """
    found = len(result.expected) - len(result.missed)
    yield f"recall {result.recall:.2%}: {found} of {len(result.expected)} definitions"
    yield f"symbols of the index: {result.symbols}"
    missed = Counter(each.kind for each in result.missed)
    for kind, count in Counter(each.kind for each in result.expected).most_common():
        yield f"  {kind}: {count - missed[kind]} of {count}"
    yield from (f"note  {note}" for note in result.notes)
    for each in result.missed[:most]:
        yield f"miss  {each.path}:{each.line} {each.kind} {each.name}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print recall, counts by kind, the notes of files and the misses."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("language", help="name of the language in the index")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--leave-out", action="append", default=[], metavar="KIND")
    parser.add_argument("--include", action="append", default=[], metavar="KIND")
    parser.add_argument("--ctags-language", default="", metavar="NAME")
    parser.add_argument("--locals", action="store_true", help="count what stands in a function")
    parser.add_argument("--misses", type=int, default=200, metavar="COUNT")
    given = parser.parse_args(arguments)
    leave_out = ({*NO_DEFINITIONS} | {*given.leave_out}) - {*given.include}
    result = compare(
        given.folder, given.language, leave_out, given.ctags_language, with_locals=given.locals
    )
    sys.stdout.write("\n".join((*report(result, given.misses), "")))


if __name__ == "__main__":
    main()
