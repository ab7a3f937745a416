"""Parses files in a pool of child processes, and isolates files that crash a parser."""

import asyncio
import base64
import logging
import os
import resource
import signal
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from jupyter_ac.errors import ConnectionClosed, RemoteError, TimedOut
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.indexing.file_reader import SHA1_DIGITS
from jupyter_ac.workers.child import Child

_logger = logging.getLogger(__name__)

KIND: Final = "parse"

_BATCH_BYTES: Final = 192 * 1024
_BATCH_FILES: Final = 64
_AHEAD: Final = 2
"""Batches that a child has at a time, so that it never waits."""

_LARGE_BYTES: Final = 160 << 20
"""Memory at which a child is restarted, if the system reports it: trees fragment the heap."""

_BATCH_S: Final = 120.0
_TRIES: Final = 2
"""How often a file is tried alone before the deaths are put down to it."""

_TOO_SLOW: Final = "takes too long to parse"
"""A parser sets itself a limit of processor time, at which the system ends it."""

_SILENT: Final = "the parser gave no answer"
"""The machine may have been too busy, so nothing is put down to the file."""

_MAX_DEATHS: Final = 50
"""After so many, files that a child may have died of aren't tried any more."""


class Job(NamedTuple):
    """A file to parse; of some size in bytes."""

    path: RepoPath
    language: str
    size: int


class Parsed(NamedTuple):
    """The result of a job.

    Attributes:
        path: of the job.
        language: of the job.
        blob: hash of the content that was read; "" when none was.
        packed: the serialized record; b"" when there is none.
        problem: why there is no record; "" when there is one.
        is_deadly: whether the content crashes a parser, so that it must not be retried.
    """

    path: RepoPath
    language: str
    blob: str
    packed: bytes
    problem: str = ""
    is_deadly: bool = False


Take: TypeAlias = Callable[[Sequence[Parsed]], Awaitable[None]]
Batch: TypeAlias = Sequence[Job]


class Pool:
    """Child processes that parse the files of one working tree.

    Args:
        root: top of the working tree.
        size: children at most; None for one a core.
        kind: of worker that is started.
    """

    def __init__(self, root: str, size: int | None = None, kind: str = KIND) -> None:
        self._root = root
        self._parsers = [_Parser(kind) for _ in range(size or os.cpu_count() or 1)]

    @property
    def pids(self) -> list[int]:
        """Process ids of the running children."""
        return [pid for parser in self._parsers if (pid := parser.pid) is not None]

    async def warm_up(self) -> None:
        """Start all children ahead.

        Raises:
            NotReady: one can't be started.
        """
        await asyncio.gather(*(parser.start() for parser in self._parsers))

    async def rest(self) -> None:
        """Keep one child ready for the next change, and end the others.

        Raises:
            NotReady: it can't be started.
        """
        await self._parsers[0].start()
        await asyncio.gather(*(parser.end() for parser in self._parsers[1:]))

    async def parse(self, jobs: Iterable[Job], take: Take, digits: int = SHA1_DIGITS) -> None:
        """Parse files; what came of them is given out in parts as it comes, in no order.

        Args:
            jobs: the files.
            take: gets the results of each batch.
            digits: length of the hashes that the repository uses.

        Raises:
            NotReady: no child can be started.
        """
        run = _Run(self._root, digits, take)
        batches = deque(_batches(jobs))
        suspects: list[Job] = []
        async with asyncio.TaskGroup() as tasks:
            for parser in self._parsers[: len(batches)]:
                tasks.create_task(self._work_off(run, parser, batches, suspects))
        await run.try_alone(self._parsers[0], suspects)

    async def _work_off(
        self, run: "_Run", parser: "_Parser", batches: deque[Batch], suspects: list[Job]
    ) -> None:
        """Keep a child busy as long as there are batches; all but one end after the last."""
        while batches:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(_AHEAD):
                    tasks.create_task(run.work_off(parser, batches, suspects))
            if parser.is_large:
                await parser.end()
        if parser is not self._parsers[0]:
            await parser.end()

    async def aclose(self) -> None:
        """End the children; bounded."""
        await asyncio.gather(*(parser.end() for parser in self._parsers))


class _Parser:
    """A child that is started again after its death."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._child: Child | None = None
        self._starting = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        child = self._child
        return child.pid if child is not None and child.is_running else None

    @property
    def is_large(self) -> bool:
        """Whether the child holds more memory than what it has loaded accounts for."""
        try:
            pages = Path(f"/proc/{self.pid}/statm").read_text().split()[1]
        except (OSError, IndexError):
            return False
        return int(pages) * resource.getpagesize() > _LARGE_BYTES

    async def start(self) -> Child:
        async with self._starting:
            if self._child is None or not self._child.is_running:
                if self._child is not None:
                    await self._child.end()
                self._child = await Child.launch(self._kind, {}, {})
            return self._child

    async def end(self) -> None:
        async with self._starting:
            child, self._child = self._child, None
        if child is not None:
            await child.end()


class _Run:
    """One call of `Pool.parse`."""

    def __init__(self, root: str, digits: int, take: Take) -> None:
        self._root = root
        self._digits = digits
        self._take = take

    async def work_off(self, parser: _Parser, batches: deque[Batch], suspects: list[Job]) -> None:
        """Have batches parsed till the child is large; those that a child dies of are noted."""
        while batches and not parser.is_large:
            batch = batches.popleft()
            death = await self._ask(parser, batch)
            if death:
                suspects += batch

    async def try_alone(self, parser: _Parser, suspects: Sequence[Job]) -> None:
        """Have files parsed one by one, and find those that a child dies of."""
        deaths = 0
        if suspects:
            _logger.warning("a parser died; %d files are parsed one by one", len(suspects))
        for job in suspects:
            is_tried = deaths < _MAX_DEATHS
            death = "" if is_tried else "the parser dies too often"
            for _ in range(_TRIES if is_tried else 0):
                death = await self._ask(parser, [job])
                deaths += bool(death)
                if death in {"", _TOO_SLOW, _SILENT}:
                    break
            if death:
                _logger.debug("%s is left out of the index: %s", job.path, death)
                is_deadly = is_tried and death != _SILENT
                await self._take([Parsed(job.path, job.language, "", b"", death, is_deadly)])

    async def _ask(self, parser: _Parser, batch: Batch) -> str:
        """Have a batch parsed; returns how the child died of it, or ""."""
        child = await parser.start()
        rows = [[job.path, job.language] for job in batch]
        try:
            found = await child.peer.call(
                "Parse.files", self._root, self._digits, rows, timeout_s=_BATCH_S
            )
        except ConnectionClosed:
            how = await child.obituary()
            return _TOO_SLOW if signal.SIGVTALRM.name in how else f"the parser {how}"
        except TimedOut:
            await child.end()
            return _SILENT
        except RemoteError as error:
            return f"the parser fails: {error.message}"
        await self._take(list(map(_result, batch, found if isinstance(found, list) else ())))
        return ""


def _result(job: Job, row: Sequence[str]) -> Parsed:
    blob, record, problem = row
    return Parsed(job.path, job.language, blob, base64.b64decode(record), problem)


def _batches(jobs: Iterable[Job]) -> Iterable[Batch]:
    """Make batches of about one size; large files first, so that the children end together."""
    batch: list[Job] = []
    size = 0
    for job in sorted(jobs, key=lambda job: -job.size):
        if batch and (size + job.size > _BATCH_BYTES or len(batch) == _BATCH_FILES):
            yield batch
            batch, size = [], 0
        batch.append(job)
        size += job.size
    if batch:
        yield batch
