"""A watched real repository with the events that the watch publishes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Protocol

from jupyter_ac.event_bus import EventBus
from jupyter_ac.events import Event, FilesModified
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.git.tree.snapshot import Snapshot
from jupyter_ac.git.write_commands import RepositoryWriter
from jupyter_ac.git.writing import FileLocks, FileWriter
from jupyter_ac.services.repo.own_changes import OwnChanges
from jupyter_ac.services.repo.watch import RepositoryWatch, ScanInterval
from jupyter_ac.services.repo.write_context import Writers
from jupyter_ac.store.locks import NamedLocks
from tests.support.changing import writers_of
from tests.support.repositories import RepositoryFolder

WAIT_S = 90
BRISK = ScanInterval(rest_s=0.05, rest=0.5, retry_s=0.05, retry_most_s=0.2)
"""Looks follow each other faster than with the usual pace."""


@dataclass
class EventLog:
    """Records the published events in order."""

    events: list[list[str]] = field(default_factory=list)
    came: asyncio.Event = field(default_factory=asyncio.Event)

    def publish(self, event: Event) -> None:
        assert isinstance(event, FilesModified)
        self.events.append(list(event.paths))
        self.came.set()

    async def until(self, is_true: Callable[[list[list[str]]], bool]) -> None:
        async with asyncio.timeout(WAIT_S):
            while not is_true(self.events):
                self.came.clear()
                await self.came.wait()


async def until(is_true: Callable[[], bool]) -> None:
    """Wait, within bounds, for a condition."""
    async with asyncio.timeout(WAIT_S):
        while not is_true():
            await asyncio.sleep(0.01)


class ScannedTree(Protocol):
    """What is looked at, as `TreeCache`."""

    async def snapshot(self) -> Snapshot: ...


class CountedTree:
    """A tree that counts the looks which have ended."""

    def __init__(self, tree: ScannedTree) -> None:
        self._tree = tree
        self.looks = 0
        self.looked = asyncio.Event()

    async def snapshot(self) -> Snapshot:
        found = await self._tree.snapshot()
        self.looks += 1
        self.looked.set()
        return found

    async def until(self, looks: int) -> None:
        async with asyncio.timeout(WAIT_S):
            while self.looks < looks:
                self.looked.clear()
                await self.looked.wait()


@dataclass
class WatchedRepository:
    """A repository under watch."""

    folder: RepositoryFolder
    repository: Repository
    writers: Writers
    watch: RepositoryWatch
    tree: CountedTree
    log: EventLog
    numbers: Callable[[], int] = field(default_factory=lambda: count().__next__)

    async def events(self) -> list[list[str]]:
        """Return the events until now: creates a file, and returns all events before its own."""
        name = f"zz-end-{self.numbers()}"
        self.folder.write(name)
        await self.log.until(lambda events: any(name in paths for paths in events))
        events = [[path for path in paths if path != name] for paths in self.log.events]
        if not events[-1]:
            del events[-1]
        self.log.events.clear()
        return events

    async def is_told(self, *paths: str) -> list[list[str]]:
        """Wait until these paths were published, and return all events until then."""
        wanted = set(paths)
        await self.log.until(lambda events: wanted <= {path for each in events for path in each})
        return await self.events()


@asynccontextmanager
async def watched(
    folder: RepositoryFolder, pace: ScanInterval = BRISK, tree: ScannedTree | None = None
) -> AsyncIterator[WatchedRepository]:
    """Watch a repository; changes are relative to its state on entry."""
    repository = await discover(folder.root)
    state = repository.common_dir / "jupyter_ac"
    state.mkdir(exist_ok=True)
    exclusive = NamedLocks(state)
    locks = FileLocks(repository, exclusive)
    log = EventLog()
    own, bus = OwnChanges(repository, lambda: exclusive.is_held), EventBus()
    bus.subscribe(FilesModified, own.files_modified)
    bus.subscribe(FilesModified, log.publish)
    writers = replace(
        writers_of(repository),
        files=FileWriter(repository, locks),
        locks=locks,
        changer=RepositoryWriter(repository, exclusive),
        audience=bus,
    )
    counted = CountedTree(tree or TreeCache(repository))
    watch = RepositoryWatch(repository, counted.snapshot, own, log, pace)
    task = asyncio.create_task(watch.run())
    try:
        await counted.until(2)  # the state on entering, and what the start may have missed
        yield WatchedRepository(folder, repository, writers, watch, counted, log)
    finally:
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled()
