"""Ingests a scan's changes into the graph: from the cache, or parsed."""

import asyncio
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.record_codec import is_sealed, seal
from jupyter_ac.index.graph.state import LoadedIndex
from jupyter_ac.index.indexing.cache import Cache, Key
from jupyter_ac.index.indexing.pool import Job, Parsed, Pool
from jupyter_ac.index.indexing.progress import RefreshProgress, RefreshResult, ReportProgress
from jupyter_ac.index.indexing.scan import ScannedFile, ScanResult
from jupyter_ac.index.records import FileRecord

_SLICE_S: Final = 0.01
"""How long other tasks wait for this one at a time."""

_READ_AT_ONCE: Final = 1000


class IngestTarget(NamedTuple):
    """The target of an ingest.

    Attributes:
        state: the index itself.
        seen: the files in it, as scanned.
    """

    state: LoadedIndex
    seen: dict[RepoPath, ScannedFile]


class Ingestion:
    """Ingests one scan's result.

    An index that is in use changes at the end. Little changes in one go, so that nobody sees a part
    of it; while much does, others are served in between.

    Args:
        index: to bring up to date.
        found: what has changed.
        cache: of the machine.
        pool: parses.
        report: is given the progress.
    """

    def __init__(
        self,
        index: IngestTarget,
        found: ScanResult,
        cache: Cache,
        pool: Pool,
        report: ReportProgress,
    ) -> None:
        self._index = index
        self._found = found
        self._cache = cache
        self._pool = pool
        self._report = report
        self._is_first = not index.seen
        self._waiting: list[tuple[RepoPath, bytes]] = []
        self._writing: asyncio.Task[None] | None = None
        self._done = 0
        self._rested = time.monotonic()

    async def run(self, digits: int) -> RefreshResult:
        """Ingest new and changed files, and remove deleted ones.

        Args:
            digits: length of the hashes that the repository uses.

        Raises:
            NotReady: no parser can be started.
        """
        changed, gone = self._found
        known = await self._bring_known()
        jobs = [
            Job(path, seen.language, seen.size)
            for path, seen in changed.items()
            if path not in known
        ]
        await self._pool.parse(jobs, self._take, digits)
        await self._settle()
        if self._writing is not None:
            await self._writing
        from_cache = sum(1 for path in known if changed[path].is_to_read)
        skipped = len(self._index.state.skipped())
        names = tuple(sorted((*changed, *gone)))
        generation = self._index.state.generation
        return RefreshResult(len(jobs), from_cache, len(gone), skipped, names, generation)

    async def _bring_known(self) -> set[RepoPath]:
        """Bring in all that needn't be parsed, and return which files that was."""
        known = set()
        to_read: list[tuple[RepoPath, Key]] = []
        for path, seen in self._found.changed.items():
            if seen.is_to_read:
                to_read.append((path, Key.of_record(seen.blob, seen.language)))
                continue
            await self._bring(path, _spoken(seen.language, seen.problem))
            known.add(path)
        for at in range(0, len(to_read), _READ_AT_ONCE):
            part = to_read[at : at + _READ_AT_ONCE]
            found = await self._cache.read(key for _, key in part)
            for path, key in part:
                sealed = found.get(key)
                if sealed is not None and is_sealed(sealed):
                    await self._bring(path, sealed)
                    known.add(path)
        return known

    async def _take(self, results: Sequence[Parsed]) -> None:
        """Bring in what was parsed, and keep it for others."""
        kept: dict[Key, bytes] = {}
        for result in results:
            if result.problem:
                spoken = _spoken(result.language, result.problem)
                await self._bring(result.path, spoken)
                if result.is_deadly:
                    seen = self._found.changed[result.path]
                    kept[Key.of_record(seen.blob, seen.language)] = spoken
            else:
                await self._bring(result.path, result.packed)
                kept[Key.of_record(result.blob, result.language)] = result.packed
        if self._writing is not None:
            await self._writing
        self._writing = asyncio.get_running_loop().create_task(self._cache.write(kept))

    async def _bring(self, path: RepoPath, sealed: bytes) -> None:
        if self._is_first:
            self._put(path, sealed)
        else:
            self._waiting.append((path, sealed))
        self._done += 1
        await self._rest()

    async def _rest(self) -> None:
        if time.monotonic() - self._rested > _SLICE_S:
            self._report(RefreshProgress(self._done, len(self._found.changed)))
            await asyncio.sleep(0)
            self._rested = time.monotonic()

    def _put(self, path: RepoPath, sealed: bytes) -> None:
        seen = self._found.changed[path]
        self._index.state.put(path, seen.blob, sealed)
        self._index.seen[path] = seen

    async def _settle(self) -> None:
        for path in self._found.gone:
            self._index.state.remove(path)
            del self._index.seen[path]
        for path, sealed in self._waiting:
            self._put(path, sealed)
        # Little is settled at once. While much is, readers are answered of a part of it.
        self._rested = time.monotonic()
        for _ in self._index.state.updating():
            await self._rest()
        self._report(RefreshProgress(len(self._found.changed), len(self._found.changed)))


def _spoken(language: str, problem: str) -> bytes:
    """Return the record of a file that isn't read."""
    return seal(FileRecord(language, note=problem)) if language else b""
