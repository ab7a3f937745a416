"""Works out what a restore has to do: the net changes of a run's steps, and what is there now.

A path is restored only if what is on disk is exactly what the run left there; otherwise somebody
else has changed it, and it is kept.
"""

import stat
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from jupyter_ac.errors import AcError, RefusedPath
from jupyter_ac.git.checkpoints.comparison import VersionChange, is_within, net_changes
from jupyter_ac.git.checkpoints.listing import is_ignored
from jupyter_ac.git.checkpoints.object_folder import FileVersion
from jupyter_ac.git.checkpoints.worktree_scan import MAX_FILE_BYTES
from jupyter_ac.git.descriptor_entries import is_folder, lstat
from jupyter_ac.git.disk_entries import NOTHING, DiskEntry, read_entry
from jupyter_ac.git.nested import repository_above
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.staging import folders_above
from jupyter_ac.git.verified_entries import blob_name
from jupyter_ac.ids import RepoPath

Changes: TypeAlias = Mapping[RepoPath, VersionChange]

CHANGED: Final = "was changed by somebody else after the run"
_BETWEEN: Final = "was changed by somebody else between the steps of the run"
_WAS_IGNORED: Final = "was ignored by git before the run, so its earlier content isn't known"
_UNKNOWN: Final = "is in a folder that wasn't saved"
_IN_THE_WAY: Final = "can't be restored: something else is in its place"
_NESTED: Final = "is in a repository of its own now"


@dataclass(frozen=True, slots=True)
class KeptPath:
    """A path that a restore left as it is.

    Attributes:
        path: of a file; of a folder that was left out with a final `/`.
        reason: why, as the end of a sentence that begins with the path.
    """

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class FileRestore:
    """A file that a restore changes.

    Attributes:
        path: of the file.
        left: what the run left, which is there now; None for nothing.
        wanted: what was there before the run; None for nothing.
    """

    path: RepoPath
    left: FileVersion | None
    wanted: FileVersion | None


@dataclass(slots=True)
class RestorePlan:
    """What a restore does.

    Attributes:
        files: to change, in a possible order.
        kept: reasons why changed paths stay as they are.
        first: by path, the number of the first step that changed it.
        last: by path, the number of the last one.
    """

    files: list[FileRestore] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)
    first: dict[RepoPath, int] = field(default_factory=dict)
    last: dict[RepoPath, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StepChanges:
    """What the checkpoints tell about one step.

    Attributes:
        files: that it changed.
        unknown: what was left out and changed or may have, with the reasons.
        ignored: what git ignored before the step.
    """

    files: Changes
    unknown: Mapping[str, str]
    ignored: Collection[str]


def plan_restore(
    repository: Repository, steps: Sequence[StepChanges], gaps: Sequence[Changes]
) -> RestorePlan:
    """Plan a restore; looks at the disk, and blocks on it.

    Args:
        repository: the repository; the caller holds the locks of all files.
        steps: the oldest first.
        gaps: the changes of others between each step and the next.
    """
    plan = RestorePlan()
    for number, step in enumerate(steps):
        plan.kept |= step.unknown
        for path in step.files:
            plan.first.setdefault(path, number)
            plan.last[path] = number
    unknown = set(plan.kept)
    net, foreign = net_changes([step.files for step in steps], gaps)
    plan.kept |= dict.fromkeys(foreign, _BETWEEN)
    wanted: list[FileRestore] = []
    for path, (before, left) in net.items():
        if is_within(path, unknown):
            plan.kept.setdefault(path, _UNKNOWN)
        elif before != left and not _is(repository, path, before):
            change = FileRestore(path, left, before)
            reason = _refusal(repository, change, steps[plan.first[path]].ignored)
            if reason:
                plan.kept[path] = reason
            else:
                wanted.append(change)
    removed = {change.path for change in wanted if change.wanted is None}
    for change in wanted:
        if change.wanted is not None and is_blocked(repository, change.path, removed):
            plan.kept[change.path] = _IN_THE_WAY
    plan.files = _in_order([change for change in wanted if change.path not in plan.kept])
    return plan


def entry_now(repository: Repository, path: RepoPath) -> DiskEntry | None:
    """Return what is on disk at a path; None if it can't be read or is something else.

    A folder in the path's place, or a file among its folders, counts as nothing.
    """
    try:
        return read_entry(repository, path, MAX_FILE_BYTES)
    except RefusedPath:
        found = lstat(repository, path)
        return NOTHING if found is None or stat.S_ISDIR(found.st_mode) else None
    except AcError:
        return None


def is_version(entry: DiskEntry | None, version: FileVersion | None) -> bool:
    """Return whether an entry on disk is a version of a checkpoint."""
    if entry is None or version is None:
        return entry is not None and not entry.exists
    same_mode = entry.git_mode == version.mode
    return same_mode and blob_name(entry.data, version.blob) == version.blob


def is_blocked(repository: Repository, path: RepoPath, removed: Collection[str]) -> bool:
    """Return whether anything that stays is in a file's place, or is no folder among its folders.

    Args:
        repository: the repository.
        path: of the file.
        removed: files that are removed before.
    """
    for folder in folders_above(path):
        found = lstat(repository, folder)
        if found is not None and not stat.S_ISDIR(found.st_mode):
            return folder not in removed
    return is_folder(repository, path) and not _holds_only(repository, path, removed)


def _holds_only(repository: Repository, folder: str, removed: Collection[str]) -> bool:
    """Return whether all files below a folder are among those that are removed."""
    places = [folder]
    for place in places:
        try:
            names = sorted(entry.name for entry in (repository.root / place).iterdir())
        except OSError:
            return False
        for name in names:
            below = f"{place}/{name}"
            if is_folder(repository, below):
                places.append(below)
            elif below not in removed:
                return False
    return True


def _refusal(repository: Repository, change: FileRestore, ignored: Collection[str]) -> str:
    """Return why a file may not be restored; "" if it may."""
    if not _is(repository, change.path, change.left):
        return CHANGED
    if change.wanted is None and is_ignored(change.path, ignored):
        return _WAS_IGNORED
    return _NESTED if repository_above(repository, change.path) else ""


def _is(repository: Repository, path: RepoPath, version: FileVersion | None) -> bool:
    return is_version(entry_now(repository, path), version)


def _in_order(changes: Iterable[FileRestore]) -> list[FileRestore]:
    """Sort changes: removals last, so that a moved file always has a name; unless in the way."""
    removals = [change for change in changes if change.wanted is None]
    writes = [change for change in changes if change.wanted is not None]
    names = {_folded(change.path) for change in removals}
    above = {folder for name in names for folder in folders_above(name)}

    def is_after(path: str) -> bool:
        name = _folded(path)
        return name in names or name in above or not names.isdisjoint(folders_above(name))

    blocked = {change.path for change in writes if is_after(change.path)}
    return [
        *(change for change in writes if change.path not in blocked),
        *removals,
        *(change for change in writes if change.path in blocked),
    ]


def _folded(path: str) -> str:
    """Return a name that is the same for names that some file system treats as equal."""
    return unicodedata.normalize("NFC", path).casefold()
