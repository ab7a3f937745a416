"""Runs of an agent, for tests of checkpoints: steps with a checkpoint before and after each."""

import asyncio
import os
import stat
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from jupyter_ac.git.checkpoints.restore import Interval, Restored, restore
from jupyter_ac.git.checkpoints.store import CheckpointStore
from jupyter_ac.git.repository import discover
from jupyter_ac.services.repo.write_context import Writers
from tests.support.changing import writers_of
from tests.support.repositories import RepositoryFolder

Tree = dict[bytes, tuple[int, bytes]]
"""Mode and content of each file by its path; a link's target; b"" for a folder."""


Create = Callable[..., Awaitable[asyncio.subprocess.Process]]


@dataclass
class CheckpointRun:
    """A run in a repository.

    Attributes:
        folder: the repository.
        store: its checkpoints.
        writers: the ways to change it.
        name: of the run.
        intervals: of its steps.
    """

    folder: RepositoryFolder
    store: CheckpointStore
    writers: Writers
    name: str = "run"
    intervals: list[Interval] = field(default_factory=list)

    async def step(self, act: Callable[[], object]) -> Interval:
        """Do something as a step of the run."""
        before = await self.store.take(self.name)
        act()
        self.intervals.append((before, await self.store.take(self.name)))
        return self.intervals[-1]

    async def undo(self, first: int = 0) -> Restored:
        """Undo the steps from one on."""
        files = self.writers
        return await restore(self.store, files.locks, files.changer, self.intervals[first:])


async def begin_run(folder: RepositoryFolder) -> CheckpointRun:
    """Begin a run; its checkpoints are in the git directory."""
    repository = await discover(folder.root)
    writers = writers_of(repository)
    return CheckpointRun(
        folder, CheckpointStore(repository, repository.common_dir / "jupyter_ac"), writers
    )


def count_git(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which the subcommand of each git process is added from now on."""
    started: list[str] = []
    start: Create = asyncio.create_subprocess_exec

    async def counted(*words: bytes, **options: object) -> asyncio.subprocess.Process:
        started.append(os.fsdecode(words[3]))
        return await start(*words, **options)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", counted)
    return started


def tree_of(root: Path) -> Tree:
    """Return everything in a working tree except git's own directory."""
    found: Tree = {}
    folders = [root]
    for folder in folders:
        for place in folder.iterdir():
            if place.name == ".git":
                continue
            mode = place.lstat().st_mode
            content = b""
            if stat.S_ISDIR(mode):
                folders.append(place)
            elif stat.S_ISLNK(mode):
                content = os.fsencode(place.readlink())
            elif stat.S_ISREG(mode):
                content = place.read_bytes()
            found[os.fsencode(place.relative_to(root))] = mode, content
    return found
