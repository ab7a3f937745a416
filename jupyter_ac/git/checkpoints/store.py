"""Takes checkpoints of the working tree, and drops those of old runs.

A checkpoint is an immutable snapshot of all files that git doesn't ignore, tracked or not, with
their exact bytes, and of the index. Its objects are in a folder of the run's own in the state
folder, so branches, refs and the user's index stay as they are (`object_folder`).
"""

import asyncio
import os
import re
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from jupyter_ac.errors import Conflict, InvalidParams, NotFound
from jupyter_ac.git.checkpoints.listing import ListedFiles, list_files
from jupyter_ac.git.checkpoints.notes import FILES, INDEX, NOTES, LeftOut, Notes
from jupyter_ac.git.checkpoints.object_folder import (
    FileVersion,
    ObjectFolder,
    ObjectFormat,
    reading_variables,
)
from jupyter_ac.git.checkpoints.worktree_scan import CheckpointScan, RunMemory
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, GitOutput, read_git, run_git
from jupyter_ac.git.temp_files import remove_tree
from jupyter_ac.ids import RepoPath
from jupyter_ac.os_errors import explained_os_error
from jupyter_ac.store.path_checks import make_real_folder, require_real_folder

MAX_RUNS: Final = 20
"""The checkpoints of more runs aren't kept."""

_FOLDER: Final = "checkpoints"
_RUN: Final = re.compile(r"[A-Za-z0-9_-]{1,100}")
_NAME: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_HEADER_WORDS: Final = 3
_GONE: Final = "A part of the checkpoint is no longer stored; git has removed it, or it is damaged."
_RECENT_S: Final = 3600.0
"""Another process may still use younger checkpoints."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A snapshot of the working tree.

    Attributes:
        run: the run whose folder contains it.
        name: hash of its tree object; equal for equal snapshots.
        left_out: what it doesn't include.
    """

    run: str
    name: str
    left_out: tuple[LeftOut, ...] = ()

    @property
    def files(self) -> str:
        """The tree of the files, as git names it."""
        return f"{self.name}:{FILES}"


class CheckpointStore:
    """The checkpoints of one working tree. Belongs to one event loop.

    Args:
        repository: the repository.
        state_dir: its state folder, links above it resolved.
    """

    def __init__(self, repository: Repository, state_dir: Path) -> None:
        self.repository = repository
        self._folder = state_dir / _FOLDER
        self._memories: dict[str, RunMemory] = {}
        self._format: ObjectFormat | None = None

    async def take(self, run: str) -> Checkpoint:
        """Take a checkpoint; changes neither files nor the index nor refs.

        Files that stay as they are cost only a look at their attributes from the second checkpoint
        on. Long files, nested repositories and submodules are left out.

        Args:
            run: name of the run: letters, digits, `_` and `-`.

        Raises:
            InvalidParams: the name isn't valid.
            Busy: folders are moved meanwhile.
            GitError: git can't list the files.
            TimedOut: git took too long.
            AcError: the disk is full or read-only, or fails.
        """
        folder = self._objects_of(run)
        listed = await list_files(self.repository)
        if self._format is None:
            self._format = await _object_format(self.repository)
        memory = self._memories.get(run, RunMemory())
        objects = ObjectFolder(folder, self._format)
        work = CheckpointScan(self.repository, listed, memory, objects)
        checkpoint = await asyncio.to_thread(_take, run, folder, work, listed, objects)
        self._memories = dict(list(self._memories.items())[-MAX_RUNS:]) | {run: work.memory()}
        return checkpoint

    async def derive(
        self, origin: Checkpoint, files: Mapping[RepoPath, FileVersion], index: bytes
    ) -> Checkpoint:
        """Store a checkpoint of how the working tree is to be, to restore it.

        Args:
            origin: of how it is; permissions are taken from it.
            files: all of them; their contents are stored in the repository or the same run.
            index: as printed by `LIST_ENTRIES`.

        Raises:
            NotFound: the origin is no longer stored.
            AcError: the disk refuses.
        """
        (notes,) = await self.read_objects([origin], [f"{origin.name}:{NOTES}"])
        objects = ObjectFolder(
            self._objects_of(origin.run), self._format or await _object_format(self.repository)
        )
        name = await asyncio.to_thread(_stored, objects, files, index, notes)
        return Checkpoint(origin.run, name, origin.left_out)

    async def find(self, run: str, name: str) -> Checkpoint:
        """Return an earlier checkpoint, also of another process.

        Raises:
            NotFound: it is no longer stored.
            Conflict: it is damaged.
        """
        if _NAME.fullmatch(name) is None:
            raise NotFound("There is no such checkpoint.")
        checkpoint = Checkpoint(run, name)
        (notes,) = await self.read_objects([checkpoint], [f"{name}:{NOTES}"])
        return Checkpoint(run, name, Notes.decode(notes).left_out)

    async def prune(self, keep: Collection[str] | None = None) -> list[str]:
        """Drop the checkpoints of old runs, and return the runs' names.

        Args:
            keep: runs to keep, None for all; of more than `MAX_RUNS` the oldest are dropped too.
                Runs with a checkpoint within the last hour are always kept.

        Raises:
            AcError: the disk refuses.
        """
        kept = None if keep is None else frozenset(keep)
        return await asyncio.to_thread(_prune, self._folder, kept)

    async def git(
        self, checkpoints: Iterable[Checkpoint], args: Sequence[str], options: GitOptions
    ) -> GitOutput:
        """Run a git command that only reads, and that can read the objects of checkpoints.

        Raises:
            NotFound: a checkpoint is no longer stored.
            AcError: as `read_git`.
        """
        folders = {self._objects_of(each.run) for each in checkpoints}
        await asyncio.to_thread(_require_folders, folders)
        variables = {**options.variables, **reading_variables(sorted(folders))}
        with_objects = replace(options, variables=variables)
        return await read_git(self.repository.root, args, with_objects)

    async def read_objects(
        self, checkpoints: Iterable[Checkpoint], names: Sequence[str]
    ) -> list[bytes]:
        """Return the contents of objects of checkpoints, in order.

        Raises:
            NotFound: one is no longer stored.
            AcError: git can't read them.
        """
        if not names:
            return []
        stdin = "".join(f"{name}\n" for name in names).encode("ascii")
        output = await self.git(checkpoints, ("cat-file", "--batch"), GitOptions(stdin=stdin))
        return await asyncio.to_thread(_objects_in, output, len(names))

    async def look_up(
        self, checkpoints: Iterable[Checkpoint], names: Sequence[str]
    ) -> list[tuple[str, int]]:
        """Return hash and size in bytes of objects, in order; raises as `read_objects`."""
        stdin = "".join(f"{name}\n" for name in names).encode("ascii")
        command = ("cat-file", "--batch-check")
        output = await self.git(checkpoints, command, GitOptions(stdin=stdin))
        rows = [row.split(" ") for row in output.data.decode("ascii", "replace").splitlines()]
        if len(rows) != len(names) or any(len(row) != _HEADER_WORDS for row in rows):
            raise NotFound(_GONE)
        return [(name, int(size)) for name, _, size in rows]

    def _objects_of(self, run: str) -> Path:
        if _RUN.fullmatch(run) is None:
            raise InvalidParams("The name of a run consists of letters, digits, `_` and `-`.")
        return self._folder / run / "objects"


def _take(
    run: str, folder: Path, scan: CheckpointScan, listed: ListedFiles, objects: ObjectFolder
) -> Checkpoint:
    """Store a checkpoint; blocks on the disk."""
    try:
        for each in (folder.parent.parent, folder.parent, folder):
            make_real_folder(each)
        os.utime(folder.parent)
    except OSError as error:
        raise explained_os_error(error, "The folder of the checkpoints") from error
    scan.run()
    notes = scan.notes()
    name = _stored(objects, scan.files, listed.index, notes.encode())
    return Checkpoint(run, name, notes.left_out)


def _stored(
    objects: ObjectFolder, files: Mapping[RepoPath, FileVersion], index: bytes, notes: bytes
) -> str:
    """Store the tree of a checkpoint, and return its name."""
    return objects.add_tree(
        {
            RepoPath(INDEX): FileVersion("100644", objects.add("blob", index)),
            RepoPath(NOTES): FileVersion("100644", objects.add("blob", notes)),
            RepoPath(FILES): FileVersion("40000", objects.add_tree(files)),
        }
    )


async def _object_format(repository: Repository) -> ObjectFormat:
    answer = await run_git(repository.root, "rev-parse", "--show-object-format")
    return "sha256" if answer.strip() == b"sha256" else "sha1"


def _require_folders(folders: Collection[Path]) -> None:
    for folder in folders:
        try:
            require_real_folder(folder)
        except FileNotFoundError:
            raise NotFound("The checkpoints of this run are no longer stored.") from None
        except OSError as error:
            raise explained_os_error(error, "The folder of the checkpoints") from error


def _objects_in(output: GitOutput, count: int) -> list[bytes]:
    """Parse the output of `cat-file --batch`."""
    found: list[bytes] = []
    at = 0
    while len(found) < count:
        end = output.data.find(b"\n", at)
        header = output.data[at:end].split(b" ")
        if end < 0 or len(header) != _HEADER_WORDS or not header[2].isdigit():
            raise NotFound(_GONE)
        at = end + 1 + int(header[2])
        found.append(output.data[end + 1 : at])
        if len(found[-1]) != int(header[2]):
            raise Conflict("The checkpoint is damaged, so it can't be used.")
        at += 1
    return found


def _prune(folder: Path, keep: frozenset[str] | None) -> list[str]:
    ages: dict[str, float] = {}
    try:
        require_real_folder(folder)
        with os.scandir(folder) as rows:
            for row in rows:
                if row.is_dir(follow_symlinks=False):
                    ages[row.name] = time.time() - row.stat(follow_symlinks=False).st_mtime
    except FileNotFoundError:
        return []
    except OSError as error:
        raise explained_os_error(error, "The folder of the checkpoints") from error
    newest = sorted(ages, key=ages.__getitem__)
    kept = [run for run in newest if keep is None or run in keep or ages[run] < _RECENT_S]
    kept = kept[:MAX_RUNS]
    dropped = [run for run in newest if run not in kept]
    for run in dropped:
        try:
            with suppress(FileNotFoundError):
                remove_tree(str(folder / run))
        except OSError as error:
            raise explained_os_error(error, "The folder of old checkpoints") from error
    return dropped
