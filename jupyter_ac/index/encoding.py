"""Serializes records for the cache and for pipes: JSON arrays, uses in columns."""

import orjson

from jupyter_ac.index.records import DocumentLink, FileRecord, Heading, Import, Outline, Symbol, Use


def encode(record: FileRecord) -> bytes:
    """Write a record; equal records give equal bytes."""
    names: dict[str, int] = {}
    number = names.setdefault
    columns: list[object] = []
    if record.uses:
        called, bases, *places = zip(*record.uses, strict=True)
        columns = [
            [number(name, len(names)) for name in called],
            [number(name, len(names)) for name in bases],
            *places,
        ]
    outline = record.outline
    return orjson.dumps(
        [
            record.language,
            [tuple(symbol) for symbol in record.symbols],
            [tuple(row) for row in record.imports],
            list(names),
            columns,
            record.words,
            None if outline is None else [[tuple(row) for row in part] for part in outline],
            record.note,
            record.manifest,
        ]
    )


def decode(data: bytes, *, with_uses: bool = True) -> FileRecord:
    """Read what `encode` has written.

    Args:
        data: the bytes.
        with_uses: whether to read the uses, too, which take most of the time.

    Raises:
        ValueError: something else has written it.
    """
    try:
        language, symbols, imports, names, columns, *rest = orjson.loads(data)
        words, outline, note, manifest = rest
        uses: tuple[Use, ...] = ()
        if columns and with_uses:
            called, bases, *places = columns
            parts = ([names[at] for at in called], [names[at] for at in bases], *places)
            uses = tuple(map(Use._make, zip(*parts, strict=True)))
        return FileRecord(
            language,
            tuple(Symbol._make((*row[:-1], tuple(row[-1]))) for row in symbols),
            tuple(_import(*row) for row in imports),
            uses,
            tuple(words),
            None if outline is None else _outline(*outline),
            note,
            tuple(tuple(row) for row in manifest),
        )
    except (TypeError, ValueError, IndexError) as error:
        raise ValueError("These bytes are no record.") from error


def _import(module: str, names: list[tuple[str, str]], alias: str, level: int, line: int) -> Import:
    return Import(module, tuple((there, here) for there, here in names), alias, level, line)


def _outline(
    headings: list[tuple[str, int, int, int, str, list[str]]], links: list[list[object]]
) -> Outline:
    return Outline(
        tuple(_heading(*row) for row in headings),
        tuple(map(DocumentLink._make, links)),
    )


def _heading(
    text: str, level: int, line: int, last_line: int, slug: str, contents: list[str]
) -> Heading:
    return Heading(text, level, line, last_line, slug, tuple(contents))
