"""A snapshot of the files that a batch of blocks is about, on disk and in git's index."""

import asyncio
import os
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from jupyter_ac.chat.open_notebooks import OpenNotebook
from jupyter_ac.errors import AcError, RefusedPath
from jupyter_ac.git.disk_entries import NOTHING, DiskEntry, read_entry
from jupyter_ac.git.ignored_paths import ignored_each
from jupyter_ac.git.index_entries import (
    SUBMODULE,
    Entries,
    matching_index,
    read_entries,
)
from jupyter_ac.git.protected_paths import ProtectedPaths, protected_paths
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.task_groups import grouped
from jupyter_ac.ids import RepoPath


@dataclass(frozen=True, slots=True)
class FileSnapshot:
    """The state of files on disk and in git's index.

    Attributes:
        disk: by path; what can't be read is missing.
        problems: why it can't be read or may not be changed.
        entries: what the index holds.
        staged: the paths whose index entry equals the file on disk.
        ignored: the untracked paths that git ignores, also of files that don't exist.
        made: by path, the outermost folder above it that is missing; "" when none is.
        protected: files that are changed only after a separate acceptance.
        open_notebooks: the notebooks that are open in a page; `disk` has their cells there.
        silent: notebooks that may be open in a page that doesn't answer.
    """

    disk: Mapping[RepoPath, DiskEntry] = field(default_factory=dict)
    problems: Mapping[RepoPath, AcError] = field(default_factory=dict)
    entries: Mapping[RepoPath, Entries] = field(default_factory=dict)
    staged: frozenset[RepoPath] = frozenset()
    ignored: frozenset[RepoPath] = frozenset()
    made: Mapping[RepoPath, str] = field(default_factory=dict)
    protected: ProtectedPaths = field(default_factory=ProtectedPaths)
    open_notebooks: Mapping[RepoPath, OpenNotebook] = field(default_factory=dict)
    silent: frozenset[RepoPath] = frozenset()

    def with_open(
        self, notebooks: Mapping[RepoPath, OpenNotebook], doubtful: Container[str] = ()
    ) -> "FileSnapshot":
        """Put open notebooks in the place of their files; those without a file are left out.

        Args:
            notebooks: as pages show them.
            doubtful: files whose page has just fallen silent.
        """
        silent = {path for path, notebook in notebooks.items() if notebook.is_silent}
        silent |= {path for path in self.disk if path in doubtful and path not in notebooks}
        used = {
            path: notebook
            for path, notebook in notebooks.items()
            if path not in silent
            and path in self.disk
            and self.disk[path].exists
            and not self.disk[path].is_link
        }
        shown = {
            path: replace(self.disk[path], data=notebook.file.encode())
            for path, notebook in used.items()
        }
        disk = {**self.disk, **shown}
        return replace(self, disk=disk, open_notebooks=used, silent=frozenset(silent))


@dataclass(slots=True)
class _ReadFiles:
    disk: dict[RepoPath, DiskEntry] = field(default_factory=dict)
    problems: dict[RepoPath, AcError] = field(default_factory=dict)
    made: dict[RepoPath, str] = field(default_factory=dict)
    doubtful: dict[RepoPath, RepoPath] = field(default_factory=dict)


async def look_around(
    repository: Repository, paths: Iterable[RepoPath], limit: int
) -> FileSnapshot:
    """Look at files and their index entries.

    Args:
        repository: where.
        paths: as git names them.
        limit: bytes that a file may have.

    Raises:
        GitError: git can't read the index, or its configuration.
    """
    wanted = list(dict.fromkeys(paths))
    async with grouped() as tasks:
        looking = tasks.create_task(asyncio.to_thread(_read_files, repository, wanted, limit))
        reading = tasks.create_task(read_entries(repository, wanted))
        protecting = tasks.create_task(protected_paths(repository))
    seen, entries = looking.result(), reading.result()
    if seen.doubtful:
        await _find_submodules(repository, seen)
    files = {path: (entries[path], found) for path, found in seen.disk.items()}
    staged = await matching_index(repository, files)
    told = await ignored_each(repository, [path for path in seen.disk if not entries[path]])
    for path, problem in told.failed.items():
        del seen.disk[path]
        seen.problems[path] = problem
    return FileSnapshot(
        disk=seen.disk,
        problems=seen.problems,
        entries=entries,
        staged=frozenset(staged),
        ignored=frozenset(told.ignored),
        made=seen.made,
        protected=protecting.result(),
    )


def _read_files(repository: Repository, paths: Sequence[RepoPath], limit: int) -> _ReadFiles:
    seen = _ReadFiles()
    for path in paths:
        try:
            found = read_entry(repository, path, limit)
        except AcError as error:
            seen.problems[path] = error
            continue
        seen.disk[path] = found
        seen.made[path] = ""
        if found == NOTHING:
            seen.made[path], doubtful = _missing_above(repository.root, path)
            if doubtful:
                seen.doubtful[path] = RepoPath(doubtful)
    return seen


def _missing_above(root: Path, path: RepoPath) -> tuple[str, str]:
    """Return the outermost missing folder above a path, and the outermost missing or empty one."""
    parts = path.split("/")[:-1]
    for depth in range(1, len(parts) + 1):
        folder = "/".join(parts[:depth])
        try:
            with os.scandir(root / folder) as rows:
                is_empty = next(rows, None) is None
        except OSError:
            return folder, folder
        if is_empty:
            return "/".join(parts[: depth + 1]) if depth < len(parts) else "", folder
    return "", ""


async def _find_submodules(repository: Repository, seen: _ReadFiles) -> None:
    """Note the files that would lie in a submodule that isn't checked out."""
    held = await read_entries(repository, seen.doubtful.values())
    for path, folder in seen.doubtful.items():
        if any(entry.mode == SUBMODULE for entry in held[folder]):
            del seen.disk[path]
            seen.problems[path] = RefusedPath(
                f"{path!r} belongs to the submodule {folder!r}, which isn't checked out; "
                "edit it there."
            )
