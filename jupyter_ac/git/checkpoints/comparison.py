"""Compares checkpoints: which files a step changed, and the diff of a run."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from jupyter_ac.errors import Conflict, TooLarge
from jupyter_ac.git.checkpoints.notes import NOTES, Notes
from jupyter_ac.git.checkpoints.object_folder import FileVersion
from jupyter_ac.git.checkpoints.store import Checkpoint, CheckpointStore
from jupyter_ac.git.diffs import DIFF
from jupyter_ac.git.output_parsers import decoded
from jupyter_ac.git.paths import is_stored_path
from jupyter_ac.git.runner import GitOptions, GitOutput
from jupyter_ac.git.stderr import failure
from jupyter_ac.git.write_commands import TIMEOUT_S
from jupyter_ac.ids import RepoPath

MAX_DIFF_BYTES: Final = 4 * 1024 * 1024
"""A longer diff of a run is cut, after a file if possible."""

ChangeKind = Literal["added", "deleted", "modified", "unknown"]
"""`unknown`: the file was left out of a checkpoint, and it changed or may have."""

VersionChange = tuple[FileVersion | None, FileVersion | None]
"""A file before and after; None if there was none."""

_COMPARE: Final = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev")
_NO_FILE: Final = "000000"
_ROW_WORDS: Final = 5
_NEXT_FILE: Final = b"\ndiff --git "
_CUT: Final = b"\nThe diff is longer than %d MiB; the rest isn't shown.\n" % (MAX_DIFF_BYTES >> 20)


@dataclass(frozen=True, slots=True)
class ChangedPath:
    """A changed file.

    Attributes:
        path: of the file; of a folder that was left out with a final `/`.
        kind: of the change.
    """

    path: str
    kind: ChangeKind


async def changed_paths(
    store: CheckpointStore, before: Checkpoint, after: Checkpoint
) -> list[ChangedPath]:
    """Return the files that differ between two checkpoints, sorted.

    Raises:
        NotFound: a checkpoint is no longer stored.
        AcError: git can't compare.
    """
    changes = await version_changes(store, before, after)
    notes = await read_notes(store, [before, after])
    unknown = changed_unknown(notes[before.name], notes[after.name])
    found = [ChangedPath(path, _kind(change)) for path, change in changes.items()]
    known = [each for each in found if not is_within(each.path, unknown)]
    return sorted(
        [*known, *(ChangedPath(path, "unknown") for path in unknown)], key=lambda each: each.path
    )


async def diff(store: CheckpointStore, before: Checkpoint, after: Checkpoint) -> str:
    """Return the unified diff between two checkpoints; "" if their files are equal.

    Binary files are only named; files that were left out are missing. At most `MAX_DIFF_BYTES` and
    a sentence that it was cut.

    Raises:
        NotFound: a checkpoint is no longer stored.
        AcError: git can't compare.
    """
    options = GitOptions(max_bytes=MAX_DIFF_BYTES, timeout_s=TIMEOUT_S)
    command = (*DIFF, before.files, after.files, "--")
    return await diff_text(await store.git([before, after], command, options))


async def diff_text(output: GitOutput) -> str:
    """Return what `git diff` has printed with a limit of `MAX_DIFF_BYTES`, cut after a file.

    Raises:
        GitError: git can't compare.
    """
    if output.truncated:
        end = output.data.rfind(_NEXT_FILE)
        if end < 0:
            end = output.data.rfind(b"\n")
        return await decoded(output.data[:end] + _CUT)
    if output.exit_code != 0:
        raise failure("diff", output.complaint)
    return await decoded(output.data)


async def version_changes(
    store: CheckpointStore, before: Checkpoint, after: Checkpoint
) -> dict[RepoPath, VersionChange]:
    """Return the differing files of two checkpoints; raises as `changed_paths`."""
    if before.name == after.name:
        return {}
    options = GitOptions(timeout_s=TIMEOUT_S)
    output = await store.git([before, after], (*_COMPARE, before.files, after.files), options)
    if output.truncated:
        raise TooLarge("Too many files have changed between the checkpoints.")
    if output.exit_code != 0:
        raise failure("diff-tree", output.complaint)
    return await asyncio.to_thread(_changes_in, output.data)


async def read_notes(
    store: CheckpointStore, checkpoints: Collection[Checkpoint]
) -> dict[str, Notes]:
    """Return the notes of checkpoints by their names.

    Raises:
        NotFound: one is no longer stored.
        Conflict: one is damaged.
    """
    names = list(dict.fromkeys(each.name for each in checkpoints))
    stored = await store.read_objects(checkpoints, [f"{name}:{NOTES}" for name in names])
    return await asyncio.to_thread(
        lambda: {name: Notes.decode(data) for name, data in zip(names, stored, strict=True)}
    )


def changed_unknown(before: Notes, after: Notes) -> dict[str, str]:
    """Return what was left out and isn't certainly the same in both, with the reasons."""
    old, new = ({one.path: one for one in each.left_out} for each in (before, after))
    return {
        path: (new.get(path) or old[path]).reason
        for path in old.keys() | new.keys()
        if old.get(path) != new.get(path)
    }


def is_within(path: str, unknown: Collection[str]) -> bool:
    """Return whether a path was left out, or is in a folder that was."""
    ends = (at + 1 for at, letter in enumerate(path) if letter == "/")
    return path in unknown or any(path[:end] in unknown for end in ends)


Key = TypeVar("Key")
Value = TypeVar("Value")


def net_changes(
    steps: Sequence[Mapping[Key, tuple[Value, Value]]], gaps: Sequence[Collection[Key]]
) -> tuple[dict[Key, tuple[Value, Value]], set[Key]]:
    """Combine the changes of steps.

    Args:
        steps: the values before and after each step, for what it changed; the oldest first.
        gaps: what others changed between each step and the next.

    Returns:
        the value before the first step that changed it and the one after the last; and what others
            changed between these two, for which that means nothing.
    """
    first: dict[Key, int] = {}
    last: dict[Key, int] = {}
    for number, step in enumerate(steps):
        for key in step:
            first.setdefault(key, number)
            last[key] = number
    foreign = {
        key for key, begin in first.items() if any(key in gap for gap in gaps[begin : last[key]])
    }
    net = {
        key: (steps[begin][key][0], steps[last[key]][key][1])
        for key, begin in first.items()
        if key not in foreign
    }
    return net, foreign


def _changes_in(data: bytes) -> dict[RepoPath, VersionChange]:
    fields = data.decode("utf-8", "surrogateescape").split("\0")
    found: dict[RepoPath, VersionChange] = {}
    for row, path in zip(fields[::2], fields[1::2], strict=False):
        words = row.removeprefix(":").split(" ")
        if len(words) != _ROW_WORDS or not is_stored_path(path):
            raise Conflict("The checkpoint is damaged, so it can't be used.")
        old_mode, new_mode, old, new, _ = words
        found[RepoPath(path)] = _version(old_mode, old), _version(new_mode, new)
    return found


def _version(mode: str, blob: str) -> FileVersion | None:
    return None if mode == _NO_FILE else FileVersion(mode, blob)


def _kind(change: VersionChange) -> ChangeKind:
    old, new = change
    if old is None:
        return "added"
    return "deleted" if new is None else "modified"
