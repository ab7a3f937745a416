"""Restores what a run changed in git's index.

An entry that is still as the run left it becomes what it was before. A restored file that somebody
has staged since as it was on disk stays staged as it is on disk. All other entries stay, also those
of files that are kept.
"""

import asyncio
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from jupyter_ac.errors import AcError
from jupyter_ac.git.checkpoints.comparison import net_changes
from jupyter_ac.git.checkpoints.plan import RestorePlan, entry_now
from jupyter_ac.git.entry_writing import refresh
from jupyter_ac.git.index_entries import (
    Entries,
    IndexChanges,
    entries_in,
    matching_index,
    missing_blobs,
    read_entries,
    restore_entries,
    stage_exactly,
    without_skip_flags,
)
from jupyter_ac.git.output_parsers import names_in
from jupyter_ac.git.paths import is_stored_path
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.write_commands import Git
from jupyter_ac.ids import RepoPath

_PATH: Final = re.compile(r"\S \d+ [0-9a-f]+ \d\t(.*)", re.DOTALL)

IndexRows = Mapping[RepoPath, tuple[str, ...]]
"""The printed index entries by path."""


@dataclass(slots=True)
class IndexPlan:
    """The planned changes of the index.

    Attributes:
        held: the present entries of all these files.
        entries: new entries by path.
        staged: files that are staged as they are on disk after the restore.
    """

    held: Mapping[RepoPath, Entries] = field(default_factory=dict)
    entries: dict[RepoPath, Entries] = field(default_factory=dict)
    staged: list[RepoPath] = field(default_factory=list)

    def without(self, paths: Collection[RepoPath]) -> "IndexPlan":
        """Return the plan without some files."""
        return IndexPlan(
            self.held,
            {path: entries for path, entries in self.entries.items() if path not in paths},
            [path for path in self.staged if path not in paths],
        )


def index_rows(printed: bytes) -> IndexRows:
    """Parse an index as printed by `LIST_ENTRIES`."""
    found: dict[RepoPath, tuple[str, ...]] = {}
    for row in names_in(printed):
        match = _PATH.fullmatch(row)
        if match is not None and is_stored_path(match[1]):
            path = RepoPath(match[1])
            found[path] = (*found.get(path, ()), row)
    return found


async def plan_index(
    repository: Repository,
    plan: RestorePlan,
    steps: Sequence[tuple[IndexRows, IndexRows]],
) -> IndexPlan:
    """Plan the changes of the index; the files aren't restored yet.

    Args:
        repository: the repository; the caller holds its locks.
        plan: of the files.
        steps: the index before and after each step, the oldest first.

    Raises:
        AcError: git can't read the index.
    """
    net, _ = await asyncio.to_thread(_net, steps)
    net = {path: rows for path, rows in net.items() if path not in plan.kept}
    files = [change.path for change in plan.files]
    paths = list(dict.fromkeys([*net, *files]))
    held = await read_entries(repository, paths)
    wanted = await _entries(repository, {path: rows for path, (rows, _) in net.items()})
    left = await _entries(
        repository,
        {path: net[path][1] if path in net else _last(plan, steps, path) for path in paths},
    )
    lost = await missing_blobs(repository, [entry for each in wanted.values() for entry in each])
    work = IndexPlan(held)
    doubtful: list[RepoPath] = []
    for path in paths:
        if without_skip_flags(held[path]) != without_skip_flags(left[path]):
            doubtful.append(path)
        elif path in net and not any(entry.blob in lost for entry in wanted[path]):
            work.entries[path] = wanted[path]
    work.staged = await _staged(repository, held, [path for path in doubtful if path in files])
    return work


async def restore_index(git: Git, plan: IndexPlan, gone: Collection[RepoPath]) -> None:
    """Change the index; the files are restored already.

    Args:
        git: with exclusive access to the repository.
        plan: the changes.
        gone: the files that the restore has removed.

    Raises:
        AcError: git refuses; the index is as it was.
    """
    try:
        await restore_entries(git, plan.entries)
        changes = IndexChanges(
            removed=[path for path in plan.staged if path in gone],
            written=[path for path in plan.staged if path not in gone],
        )
        await stage_exactly(git, changes)
    except AcError:
        with suppress(AcError):
            changed = [*plan.entries, *plan.staged]
            await restore_entries(git, {path: plan.held[path] for path in changed})
        raise
    if plan.entries or plan.staged:
        await refresh(git)


def _net(
    steps: Sequence[tuple[IndexRows, IndexRows]],
) -> tuple[dict[RepoPath, tuple[tuple[str, ...], tuple[str, ...]]], set[RepoPath]]:
    gaps = [_changed(after, before).keys() for (_, after), (before, _) in pairwise(steps)]
    return net_changes([_changed(before, after) for before, after in steps], gaps)


def _changed(
    before: IndexRows, after: IndexRows
) -> dict[RepoPath, tuple[tuple[str, ...], tuple[str, ...]]]:
    if before is after:
        return {}
    return {
        path: (before.get(path, ()), after.get(path, ()))
        for path in before.keys() | after.keys()
        if before.get(path, ()) != after.get(path, ())
    }


def _last(
    plan: RestorePlan, steps: Sequence[tuple[IndexRows, IndexRows]], path: RepoPath
) -> tuple[str, ...]:
    """Return the entries of a file after the last step that changed it."""
    return steps[plan.last[path]][1].get(path, ())


async def _entries(
    repository: Repository, rows: Mapping[RepoPath, Iterable[str]]
) -> dict[RepoPath, Entries]:
    return await entries_in(repository, [row for each in rows.values() for row in each], rows)


async def _staged(
    repository: Repository, held: Mapping[RepoPath, Entries], paths: Sequence[RepoPath]
) -> list[RepoPath]:
    """Return the files that are staged as they are on disk."""
    now = [(path, await asyncio.to_thread(entry_now, repository, path)) for path in paths]
    found = {path: (held[path], entry) for path, entry in now if entry is not None}
    same = await matching_index(repository, found)
    return [path for path in paths if path in same]
