"""Undoes the steps of a run: restores the files that they changed, from checkpoints.

Everything is planned under the locks of all files and of the repository, then done file by file,
each atomically. If a step fails, the earlier ones are rolled back. If the process dies in the
middle, each file is as it was before or after, and a repeated restore completes the rest.
"""

import asyncio
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, TypeAlias

from jupyter_ac.errors import AcError, Conflict
from jupyter_ac.git.checkpoints.comparison import changed_unknown, read_notes, version_changes
from jupyter_ac.git.checkpoints.folder_restore import FolderChanges, folder_changes, restore_folders
from jupyter_ac.git.checkpoints.index_restore import (
    IndexRows,
    index_rows,
    plan_index,
    restore_index,
)
from jupyter_ac.git.checkpoints.notes import INDEX, Notes
from jupyter_ac.git.checkpoints.object_folder import FileVersion
from jupyter_ac.git.checkpoints.plan import (
    CHANGED,
    Changes,
    FileRestore,
    KeptPath,
    RestorePlan,
    StepChanges,
    entry_now,
    is_version,
    plan_restore,
)
from jupyter_ac.git.checkpoints.store import Checkpoint, CheckpointStore
from jupyter_ac.git.descriptor_entries import is_folder
from jupyter_ac.git.disk_entries import DiskEntry, entry_location, remove_entry, restore_entry
from jupyter_ac.git.folder_walk import FolderWalk
from jupyter_ac.git.replacing import translated_errors
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.write_commands import Git, RepositoryWriter
from jupyter_ac.git.writing import FileLocks
from jupyter_ac.ids import RepoPath

Interval: TypeAlias = tuple[Checkpoint, Checkpoint]
"""The checkpoints before and after a step."""

_PART_BYTES: Final = 32 * 1024 * 1024
"""Contents are read and written in parts of this size."""

_LINK: Final = "120000"


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of a restore.

    Attributes:
        restored: the files that it changed.
        kept: files that the run changed and that stay as they are, with the reasons.
    """

    restored: tuple[RepoPath, ...] = ()
    kept: tuple[KeptPath, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckpointRestorer:
    """Restores files of a working tree from its checkpoints, and tells that they have changed.

    Attributes:
        store: has the checkpoints.
        locks: of files.
        writer: gives exclusive access to the files.
        changed: told the files that have changed.
    """

    store: CheckpointStore
    locks: FileLocks
    writer: RepositoryWriter
    changed: Callable[[Collection[RepoPath]], None]

    async def take_back(self, run: str, names: Iterable[tuple[str, str]]) -> Restored:
        """Undo what a run has changed; raises as `restore`.

        Args:
            run: the run of the checkpoints.
            names: of the checkpoints before and after each step, the oldest first.
        """
        intervals = [
            (await self.store.find(run, before), await self.store.find(run, after))
            for before, after in names
        ]
        done = await self.restore(intervals)
        self.changed(done.restored)
        return done

    async def restore(self, intervals: Sequence[Interval]) -> Restored:
        """Undo steps, and tell nobody; raises as `restore`."""
        return await restore(self.store, self.locks, self.writer, intervals)


async def restore(
    store: CheckpointStore,
    locks: FileLocks,
    writer: RepositoryWriter,
    intervals: Sequence[Interval],
) -> Restored:
    """Undo steps: files that only they changed get the bytes and modes from before the first one.

    A file is kept if it isn't exactly as the last step that changed it left it, or if somebody else
    changed it between two of these steps; also if something else is in its place, if it was left
    out of a checkpoint, or if git ignored it before. Index entries that the steps changed, and that
    are as they left them, are restored likewise; a restored file that somebody has staged since
    stays staged, as it is then. Commits are not undone. Empty folders that the steps made go, those
    that they removed come back.

    Args:
        store: the checkpoints.
        locks: name the temporary files.
        writer: gives exclusive access to the files and the index.
        intervals: the checkpoints before and after each step, the oldest first.

    Raises:
        NotFound: a checkpoint, or a content of one, is no longer stored; nothing was changed.
        Conflict: a checkpoint is damaged; nothing was changed.
        Busy: others held a lock the whole time.
        AcError: git or the disk refuses; everything is as it was, if the disk permits.
    """
    if not intervals:
        return Restored()
    steps = await _read_steps(store, intervals)
    return await writer.change_files(lambda git: _Restore(store, locks, git, steps).run())


@dataclass(frozen=True, slots=True)
class _Steps:
    """What the checkpoints tell about the steps.

    Attributes:
        intervals: the checkpoints.
        notes: by checkpoint.
        changes: of each step.
        gaps: the changes of others between each step and the next.
        index: before and after each step.
        folders: that the steps made or removed.
    """

    intervals: Sequence[Interval]
    notes: Mapping[str, Notes]
    changes: Sequence[StepChanges]
    gaps: Sequence[Changes]
    index: Sequence[tuple[IndexRows, IndexRows]]
    folders: FolderChanges

    @property
    def checkpoints(self) -> list[Checkpoint]:
        """All checkpoints."""
        return [each for pair in self.intervals for each in pair]


async def _read_steps(store: CheckpointStore, intervals: Sequence[Interval]) -> _Steps:
    notes = await read_notes(store, [each for pair in intervals for each in pair])
    changes = [
        StepChanges(
            await version_changes(store, before, after),
            changed_unknown(notes[before.name], notes[after.name]),
            notes[before.name].ignored,
        )
        for before, after in intervals
    ]
    gaps = [
        await version_changes(store, after, before)
        for (_, after), (before, _) in pairwise(intervals)
    ]
    index = await _read_indexes(store, intervals)
    folders = await folder_changes(store, intervals, notes)
    return _Steps(intervals, notes, changes, gaps, index, folders)


async def _read_indexes(
    store: CheckpointStore, intervals: Sequence[Interval]
) -> list[tuple[IndexRows, IndexRows]]:
    """Return the index before and after each step; equal ones are the same object."""
    checkpoints = [each for pair in intervals for each in pair]
    found = await store.look_up(checkpoints, [f"{each.name}:{INDEX}" for each in checkpoints])
    rows: dict[str, IndexRows] = {}
    for name, _ in found:
        if name not in rows:
            (printed,) = await store.read_objects(checkpoints, [name])
            rows[name] = await asyncio.to_thread(index_rows, printed)
    indexes = [rows[name] for name, _ in found]
    return list(zip(indexes[::2], indexes[1::2], strict=True))


@dataclass(frozen=True, slots=True)
class _Write:
    """A file to write or remove.

    Attributes:
        path: of the file.
        now: its version on disk; None for none.
        wanted: its new version; None to remove it.
        st_mode: of the new version.
    """

    path: RepoPath
    now: FileVersion | None
    wanted: FileVersion | None
    st_mode: int = 0


@dataclass(slots=True)
class _Progress:
    """What was done so far.

    Attributes:
        done: the changed files.
        kept: files that somebody has just changed.
    """

    done: list[FileRestore] = field(default_factory=list)
    kept: list[RepoPath] = field(default_factory=list)


class _Restore:
    """One restore; the caller has exclusive access to the files and the index."""

    def __init__(self, store: CheckpointStore, locks: FileLocks, git: Git, steps: _Steps) -> None:
        self._store = store
        self._locks = locks
        self._git = git
        self._steps = steps
        self._sizes: dict[str, int] = {}

    async def run(self) -> Restored:
        """Do it; raises as `restore`."""
        repository, steps = self._git.repository, self._steps
        plan = await asyncio.to_thread(plan_restore, repository, steps.changes, steps.gaps)
        await self._require_contents(plan)
        index = await plan_index(repository, plan, steps.index)
        progress = _Progress()
        try:
            await self._write_all(plan, progress)
            gone = [change.path for change in progress.done if change.wanted is None]
            await restore_index(self._git, index.without(progress.kept), gone)
        except AcError as error:
            await self._roll_back(plan, progress.done, error)
            raise
        await asyncio.to_thread(restore_folders, repository, steps.folders)
        kept = plan.kept | dict.fromkeys(progress.kept, CHANGED)
        return Restored(
            tuple(sorted(change.path for change in progress.done)),
            tuple(KeptPath(path, kept[path]) for path in sorted(kept)),
        )

    async def _require_contents(self, plan: RestorePlan) -> None:
        """Look up all contents before anything is changed.

        Raises:
            NotFound: one is no longer stored.
        """
        versions = (each for change in plan.files for each in (change.wanted, change.left))
        blobs = list(dict.fromkeys(each.blob for each in versions if each is not None))
        self._sizes = dict(await self._store.look_up(self._steps.checkpoints, blobs))

    async def _write_all(self, plan: RestorePlan, progress: _Progress) -> None:
        def write(path: RepoPath, now: FileVersion | None, wanted: FileVersion | None) -> _Write:
            before, _ = self._steps.intervals[plan.first[path]]
            return _Write(path, now, wanted, self._st_mode(before, path, wanted))

        by_path = {change.path: change for change in plan.files}
        writes = [write(change.path, change.left, change.wanted) for change in plan.files]

        def apply(part: Sequence[_Write], contents: Mapping[str, bytes]) -> None:
            for each in part:
                if is_version(entry_now(self._git.repository, each.path), each.now):
                    self._put(each, contents)
                    progress.done.append(by_path[each.path])
                else:
                    progress.kept.append(each.path)

        await self._in_parts(writes, apply)

    async def _roll_back(
        self, plan: RestorePlan, done: Sequence[FileRestore], error: AcError
    ) -> None:
        """Make changed files again as the run left them.

        Raises:
            Conflict: not all of them could be.
        """
        failed: list[RepoPath] = []

        def write(change: FileRestore) -> _Write:
            _, after = self._steps.intervals[plan.last[change.path]]
            mode = self._st_mode(after, change.path, change.left)
            return _Write(change.path, change.wanted, change.left, mode)

        def apply(part: Sequence[_Write], contents: Mapping[str, bytes]) -> None:
            for each in part:
                try:
                    self._put(each, contents)
                except AcError:
                    failed.append(each.path)

        await self._in_parts([write(change) for change in reversed(done)], apply)
        if failed:
            raise Conflict(
                f"{error.message} {len(failed)} files are as before the run already, such as "
                f"{failed[0]!r}; try again."
            ) from error

    async def _in_parts(
        self,
        writes: Sequence[_Write],
        apply: Callable[[Sequence[_Write], Mapping[str, bytes]], None],
    ) -> None:
        for part in self._parts(writes):
            blobs = {each.wanted.blob for each in part if each.wanted is not None}
            names = sorted(blobs)
            found = await self._store.read_objects(self._steps.checkpoints, names)
            contents = dict(zip(names, found, strict=True))
            await asyncio.to_thread(apply, part, contents)

    def _parts(self, writes: Iterable[_Write]) -> Iterator[list[_Write]]:
        part: list[_Write] = []
        left = _PART_BYTES
        for each in writes:
            size = self._sizes[each.wanted.blob] if each.wanted is not None else 0
            if part and size > left:
                yield part
                part, left = [], _PART_BYTES
            part.append(each)
            left -= size
        if part:
            yield part

    def _st_mode(self, checkpoint: Checkpoint, path: RepoPath, version: FileVersion | None) -> int:
        if version is None:
            return 0
        if version.mode == _LINK:
            return stat.S_IFLNK | 0o777
        return self._steps.notes[checkpoint.name].permissions.st_mode(path, version.mode)

    def _put(self, each: _Write, contents: Mapping[str, bytes]) -> None:
        """Write or remove one file.

        Raises:
            AcError: the disk refuses; the message contains the reason.
        """
        repository, path = self._git.repository, each.path
        if each.wanted is None:
            # Folders are removed at the end, and only those that the run made.
            remove_entry(repository, path, RepoPath(path.rpartition("/")[0]))
            return
        _remove_empty_folder(repository, path)
        entry = DiskEntry(contents[each.wanted.blob], each.st_mode)
        restore_entry(repository, path, self._locks.tag(entry_location(repository, path)), entry)


def _remove_empty_folder(repository: Repository, path: RepoPath) -> None:
    """Remove what is left of a folder in a file's place."""
    if is_folder(repository, path):
        *above, name = path.split("/")
        with translated_errors(path), FolderWalk(repository) as walk:
            walk.enter(*above)
            walk.remove_empty(name)
