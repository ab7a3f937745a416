"""The `parse` worker: reads files, extracts their facts for the index, and finds names in code.

A file that needs too much memory or time, or on which a grammar crashes, ends the process. The
parent then finds out which file it was.
"""

import base64
import gc
import logging
import resource
import signal
import sys
import time
from collections.abc import Sequence
from typing import Final

from jupyter_ac.index.graph.record_codec import seal
from jupyter_ac.index.indexing.file_reader import Reader, blob_hash
from jupyter_ac.index.occurrences.find_occurrences import occurrence_at, occurrences_of
from jupyter_ac.index.occurrences.occurrence import to_row
from jupyter_ac.index.parsing import MAX_BYTES, parse
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.worker.jobs import Jobs

_FILE_S_occurrences: Final = 3.0
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
        signal.setitimer(signal.ITIMER_VIRTUAL, _FILE_S_occurrences)
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
    signal.setitimer(signal.ITIMER_VIRTUAL, _FILE_S_occurrences)
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


_logger = logging.getLogger(__name__)

_FILE_S: Final = 5.0
"""Processor time for one file."""

_MEMORY_BYTES: Final = 1 << 30


class Parse:
    """Parses files."""

    @method(Access.READ)
    def files(self, root: str, digits: int, jobs: Sequence[Sequence[str]]) -> list[list[str]]:
        """Parse some files of a working tree.

        Args:
            root: top of the working tree.
            digits: length of the hashes that the repository uses.
            jobs: path and language of each.

        Returns:
            for each the hash of its content, its record (sealed, in base64) and why it can't
            be read; either the last is empty, or the others are.
        """
        reader = Reader(root)
        rows = [_parsed(reader, digits, path, language) for path, language in jobs]
        gc.collect()
        return rows


def _parsed(reader: Reader, digits: int, path: str, language: str) -> list[str]:
    try:
        data = reader.read(path, MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        return ["", "", getattr(error, "strerror", None) or "it isn't a plain file"]
    # The kernel ends this process, also in the middle of a grammar's own code.
    signal.setitimer(signal.ITIMER_VIRTUAL, _FILE_S)
    try:
        record = seal(parse(language, data))
    except Exception as error:
        _logger.exception("%r can't be parsed", path)
        return ["", "", f"it can't be parsed ({type(error).__name__})"]
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
    return [blob_hash(data, digits), base64.b64encode(record).decode("ascii"), ""]


def part(_jobs: Jobs) -> tuple[object, ...]:
    """Create the parts that a worker of this kind serves in one namespace."""
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY_BYTES, _MEMORY_BYTES))
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    # Records are thousands of small values without cycles: collecting them costs a fifth.
    gc.disable()
    gc.freeze()
    return (Parse(), OccurrenceWorker())
