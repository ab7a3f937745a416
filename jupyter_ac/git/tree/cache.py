"""Caches the file tree of one repository from scan to scan.

Each scan runs git, so the tree is exact with and without a file watcher; but only differences to
the previous scan are read, compared and serialized.
"""

import asyncio
import secrets
from dataclasses import replace

from jupyter_ac.git.repository import Repository
from jupyter_ac.git.tree.scan import ask, ask_changed_lines
from jupyter_ac.git.tree.snapshot import Snapshot
from jupyter_ac.git.tree.state import TreeState, head_of, merge_scan, update_state
from jupyter_ac.store.single_flight import SingleFlight


class TreeCache:
    """The latest snapshot of a repository's files. Belongs to one event loop.

    Args:
        repository: the repository.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._scans = SingleFlight(self._scan)
        self._epoch = secrets.token_hex(4)
        self._number = 0
        self._state = TreeState()
        self._last: Snapshot | None = None

    @property
    def is_settled(self) -> bool:
        """Whether no file of the last scan may change again without a change of its times."""
        return self._state.scan.is_settled

    async def snapshot(self) -> Snapshot:
        """Return a snapshot that contains all files on disk at the time of the call.

        The same object as before is returned as long as nothing differs.

        Raises:
            GitError: git can't read the repository.
            TimedOut: it took too long.
        """
        return await self._scans.get()

    async def _scan(self) -> Snapshot:
        repository, before = self._repository, self._state
        answers, disk = await ask(repository, before.scan.answers, before.scan.disk.names)
        scan = await asyncio.to_thread(merge_scan, repository, before.scan, answers, disk)
        if self._last is not None and before.scan.is_unchanged(scan):
            return self._last
        stats = await ask_changed_lines(repository, answers, scan.status, scan.disk)
        scan = replace(scan, lacks_lines=stats is None)
        after = await asyncio.to_thread(update_state, repository.root, before, scan, stats or {})
        self._last = self._snapshot(before, after)
        self._state = after
        return self._last

    def _snapshot(self, before: TreeState, after: TreeState) -> Snapshot:
        head = head_of(after.scan.answers)
        operation = after.scan.operation
        last = self._last
        if (
            last is not None
            and after.filled is before.filled
            and (after.lists, head, operation) == (before.lists, last.head, last.operation)
        ):
            return last
        self._number += 1
        version = f"{self._epoch}-{self._number}"
        return Snapshot(version, self._repository.name, head, operation, after.lists, after.filled)
