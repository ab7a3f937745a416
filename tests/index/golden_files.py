"""Sources whose records were read by a person, and how a record is written down for that.

`python -m tests.index.golden_files` writes the records as they are now; read the difference.
"""

from collections.abc import Iterator
from pathlib import Path

from jupyter_ac.index.languages.registry import language_of
from jupyter_ac.index.parsing import parse
from jupyter_ac.index.records import NOBODY, FileRecord, Symbol

FOLDER = Path(__file__).with_name("golden")


def sources() -> list[Path]:
    return sorted(FOLDER.glob("*.txt"))


def record_of(source: Path) -> FileRecord:
    return parse(language_of(source.stem), source.read_bytes())


def expected_of(source: Path) -> Path:
    return source.with_suffix(".expected")


def written(record: FileRecord) -> str:
    return "\n".join(_lines(record)) + "\n"


def _lines(record: FileRecord) -> Iterator[str]:
    yield f"language: {record.language}"
    if record.note:
        yield f"note: {record.note}"
    for number, symbol in enumerate(record.symbols):
        yield f"{number:3} {'  ' * _depth(record, symbol)}{_symbol(symbol)}"
        yield f"    {'  ' * _depth(record, symbol)}| {symbol.detail}"
    for row in record.imports:
        names = " ".join(there if there == here else f"{there}={here}" for there, here in row.names)
        yield f"import {'.' * row.level}{row.module} [{names}] {row.alias} line {row.line}".rstrip()
    for use in record.uses:
        place = f"{use.line}:{use.column}"
        yield f"use {use.base + '.' if use.base else ''}{use.name} {place} in {use.inside}"
    if record.outline is not None:
        for heading in record.outline.headings:
            yield f"heading {heading.level} {heading.text} {heading.line}-{heading.last_line}"
        for link in record.outline.links:
            yield f"link {link.target} line {link.line}"


def _symbol(symbol: Symbol) -> str:
    bases = f" < {', '.join(symbol.bases)}" if symbol.bases else ""
    lines = f"{symbol.first_line}-{symbol.last_line}"
    place = f"{symbol.line}:{symbol.column}"
    return f"{symbol.kind} {symbol.name}{symbol.signature}{bases} at {place} of {lines}"


def _depth(record: FileRecord, symbol: Symbol) -> int:
    depth = 0
    while symbol.parent != NOBODY:
        symbol = record.symbols[symbol.parent]
        depth += 1
    return depth


if __name__ == "__main__":
    for file in sources():
        expected_of(file).write_text(written(record_of(file)), encoding="utf-8")
