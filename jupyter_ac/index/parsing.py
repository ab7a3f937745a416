"""Parses the bytes of a file into its record.

Importing this module loads tree-sitter; it is for child processes. Code that only needs a file's
language imports `languages.registry`.
"""

import logging
from typing import Final

from jupyter_ac.index.documents.outline import LANGUAGES as DOCUMENTS
from jupyter_ac.index.documents.outline import outline
from jupyter_ac.index.extraction.code import read_code, words_of
from jupyter_ac.index.extraction.decoding import cells_of, readable
from jupyter_ac.index.extraction.manifest_rows import manifest_of
from jupyter_ac.index.languages.registry import (
    NOTEBOOK,
    PLAIN_MANIFESTS,
    language_named,
    language_of,
    language_of_cells,
)
from jupyter_ac.index.records import FileRecord

__all__ = ["MAX_BYTES", "language_of", "parse"]

MAX_BYTES: Final = 1 << 20

_logger = logging.getLogger(__name__)


def parse(language: str, data: bytes) -> FileRecord:
    """Return what a file says of itself; never raises, whatever its bytes are.

    Of a file that isn't read, or not all of it, the record's note says why.

    Args:
        language: as `language_of` names it.
        data: the whole file.
    """
    if len(data) > MAX_BYTES:
        return FileRecord(language, note=f"too large ({len(data) / MAX_BYTES:.1f} MB)")
    text, note, is_read = readable(data)
    if not is_read:
        return FileRecord(language, note=note)
    try:
        record = _parse(language, text)
    except Exception:
        _logger.exception("A file of %d bytes in %s can't be read", len(data), language)
        return FileRecord(language, note="can't be read: a fault of the index")
    return record._replace(note="; ".join(filter(None, (note, record.note)))) if note else record


def _parse(language: str, text: bytes) -> FileRecord:
    if language == NOTEBOOK:
        return _notebook(text)
    if language in DOCUMENTS:
        found = outline(language, text.decode("utf-8"))
        return FileRecord(language, words=words_of(text), outline=found)
    if language in PLAIN_MANIFESTS:
        return FileRecord(language, manifest=manifest_of(language, text))
    known = language_named(language)
    if known is None:
        return FileRecord(language, note="in no language that is read")
    known = language_named(known.reading.dialect(text)) or known
    record = read_code(known, text)
    manifest = manifest_of(language, text)
    return record._replace(manifest=manifest) if manifest else record


def _notebook(text: bytes) -> FileRecord:
    """Read a notebook's code as a file of its kernel's language; lines are its percent text's."""
    if not text.strip():
        return FileRecord(NOTEBOOK)
    try:
        cells = cells_of(text)
    except (ValueError, RecursionError):
        return FileRecord(NOTEBOOK, note="not a notebook")
    written = cells.text.encode("utf-8", "replace")
    found = outline(NOTEBOOK, cells.text)
    known = language_of_cells(cells.language)
    if known is None:
        return FileRecord(NOTEBOOK, words=words_of(written), outline=found)
    return read_code(known, written)._replace(outline=found)
