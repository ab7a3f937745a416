"""The part of a `parse` worker for navigation: finds the positions of names in code."""

import logging
import signal
import time
from collections.abc import Sequence
from typing import Final

from jupyter_ac.index.indexing.file_reader import Reader
from jupyter_ac.index.occurrences.find_occurrences import occurrence_at, occurrences_of
from jupyter_ac.index.occurrences.occurrence import to_row
from jupyter_ac.index.parsing import MAX_BYTES
from jupyter_ac.rpc.methods import Access, method

_logger = logging.getLogger(__name__)

_FILE_S: Final = 3.0
"""Processor time for one file."""

_BATCH_S: Final = 2.0
"""Time limit of a batch; further files are skipped."""


class OccurrenceWorker:
    """Finds names in files of a working tree."""

    @method(Access.READ)
    def occurrences_of(
        self, root: str, files: Sequence[Sequence[object]]
    ) -> list[list[list[object]]]:
        """Find names in files; those that time is short for are left out at the end.

        Args:
            root: top of the working tree.
            files: path, language and names of each.
        """
        reader, end = Reader(root), time.monotonic() + _BATCH_S
        found: list[list[list[object]]] = []
        for row in files:
            if time.monotonic() > end:
                break
            match row:
                case [str(path), str(language), [*names]]:
                    found.append(_in_file(reader, path, language, tuple(map(str, names))))
                case _:
                    found.append([])
        return found

    @method(Access.READ)
    def occurrence_at(
        self, root: str, path: str, language: str, name: str, line: int, column: int
    ) -> list[object] | None:
        """Say what is seen of the name at a place; None where no code is."""
        data = _data(Reader(root), path)
        signal.setitimer(signal.ITIMER_VIRTUAL, _FILE_S)
        try:
            found = occurrence_at(language, data, name, line, column)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        return None if found is None else to_row(found)


def _in_file(reader: Reader, path: str, language: str, names: Sequence[str]) -> list[list[object]]:
    data = _data(reader, path)
    if not any(name.encode("utf-8", "replace") in data for name in names):
        return []
    # The kernel ends this process, also in the middle of a grammar's own code.
    signal.setitimer(signal.ITIMER_VIRTUAL, _FILE_S)
    try:
        return [to_row(each) for each in occurrences_of(language, data, names)]
    except Exception:
        _logger.exception("%r can't be looked through", path)
        return []
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)


def _data(reader: Reader, path: str) -> bytes:
    """Return a file's bytes; none if it is too large, missing or unreadable."""
    try:
        data = reader.read(path, MAX_BYTES + 1)
    except (OSError, ValueError):
        return b""
    return data if len(data) <= MAX_BYTES else b""
