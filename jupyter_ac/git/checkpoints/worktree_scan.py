"""Reads the working tree for a checkpoint and stores each content that nobody has yet.

Files are read by this process through folder descriptors, so no link leads out of the repository
and no filter runs. A file is only read again when its attributes have changed since.
"""

import errno
import os
import stat
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from jupyter_ac.errors import Busy
from jupyter_ac.git.checkpoints.listing import ListedFiles
from jupyter_ac.git.checkpoints.notes import LeftOut, Notes, Permissions
from jupyter_ac.git.checkpoints.object_folder import FileVersion, ObjectFolder
from jupyter_ac.git.disk_entries import DiskEntry
from jupyter_ac.git.folder_walk import FolderWalk
from jupyter_ac.git.paths import is_stored_path
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.staging import folders_above
from jupyter_ac.ids import RepoPath
from jupyter_ac.os_errors import NOT_A_FOLDER, explained_os_error

MAX_FILE_BYTES: Final = 5 * 1024 * 1024
"""Longer files are left out of checkpoints."""

MAX_RUN_BYTES: Final = 512 * 1024 * 1024
"""Limit for the contents that all checkpoints of one run store together, before compression.

Contents of the repository's own database don't count.
"""

_READ_FLAGS: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
_REPLACED: Final = NOT_A_FOLDER | {errno.ESTALE}
_GIT: Final = ".git"
_GRAIN_NS: Final = 50_000_000
_COARSE_GRAIN_NS: Final = 2_100_000_000
_SECOND_NS: Final = 1_000_000_000
_NESTED: Final = "is a repository of its own"
_SPECIAL: Final = "is a pipe, a socket or a device"
_REFUSED: Final = "has a name that is too long, or that means `.git` on some file systems"
_FORBIDDEN: Final = "may not be read"
_TOO_LARGE: Final = f"is longer than {MAX_FILE_BYTES >> 20} MiB"
_NO_ROOM: Final = f"doesn't fit into the {MAX_RUN_BYTES >> 20} MiB that a run may store"

Attributes = tuple[int, ...]
"""What changes in a file's attributes when its content does."""


@dataclass(frozen=True, slots=True)
class KnownFile:
    """The content that a file had when its attributes were these."""

    attributes: Attributes
    version: FileVersion


@dataclass(frozen=True, slots=True)
class RunMemory:
    """What the checkpoints of one run share.

    Attributes:
        files: contents by path, for files that are certainly unchanged while their attributes are.
        names: all files of earlier checkpoints: they are included even if git ignores them now.
        stored_bytes: of contents, so far.
    """

    files: Mapping[RepoPath, KnownFile] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    stored_bytes: int = 0


class CheckpointScan:
    """One pass through the working tree; blocks on the disk.

    Args:
        repository: the repository.
        listed: the files that git knows.
        memory: of the run.
        objects: where contents are stored.

    Attributes:
        files: what was found, by path.
    """

    def __init__(
        self, repository: Repository, listed: ListedFiles, memory: RunMemory, objects: ObjectFolder
    ) -> None:
        self._repository = repository
        self._listed = listed
        self._memory = memory
        self._objects = objects
        self._names = listed.names | memory.names
        new = self._names - memory.names
        self._refused = {name for name in new if not is_stored_path(name)}
        self._needed = _folders_of(self._names)
        self._folders: set[str] = set()
        self._left_out: list[LeftOut] = []
        self._bits: dict[RepoPath, tuple[str, int]] = {}
        self._known: dict[RepoPath, KnownFile] = {}
        self._stored_bytes = memory.stored_bytes
        self._begun_ns = time.time_ns()
        self.files: dict[RepoPath, FileVersion] = {}

    def run(self) -> None:
        """Read everything.

        Raises:
            Busy: folders are moved meanwhile.
            AcError: the disk refuses.
        """
        try:
            with FolderWalk(self._repository) as walk:
                self._descend(walk)
        except OSError as error:
            if error.errno not in _REPLACED:
                raise explained_os_error(error, "The repository") from error
            raise Busy(
                "The files of the repository keep changing, so no checkpoint can be taken; try "
                "again."
            ) from error

    def notes(self) -> Notes:
        """Return the notes; valid after `run`."""
        return Notes(
            tuple(sorted(self._left_out, key=lambda one: one.path)),
            self._listed.ignored,
            frozenset(filter(is_stored_path, self._folders - _folders_of(self.files))),
            Permissions.of(self._bits),
        )

    def memory(self) -> RunMemory:
        """Return the memory for the next checkpoint; valid after `run`."""
        return RunMemory(self._known, self._memory.names | self.files.keys(), self._stored_bytes)

    def _descend(self, walk: FolderWalk) -> None:
        path = ""
        pending = [iter(self._visit(walk.here, path))]
        while pending:
            name = next(pending[-1], None)
            if name is None:
                pending.pop()
                if pending:
                    walk.leave()
                    path = path.rpartition("/")[0]
                continue
            below = f"{path}/{name}" if path else name
            try:
                walk.enter(name)
            except PermissionError:
                self._left_out.append(LeftOut(f"{below}/", _FORBIDDEN))
            except OSError:  # it was removed or replaced meanwhile
                continue
            else:
                path = below
                pending.append(iter(self._visit(walk.here, path)))

    def _visit(self, folder: int, path: str) -> list[str]:
        """Read the files of an open folder, and return the names of the folders in it."""
        with os.scandir(folder) as rows:
            entries = sorted((row.name, row.is_dir(follow_symlinks=False)) for row in rows)
        if path and any(name == _GIT for name, _ in entries):
            self._left_out.append(LeftOut(f"{path}/", _NESTED))
            return []
        if path:
            self._folders.add(path)
        below: list[str] = []
        for name, is_folder in entries:
            place = RepoPath(f"{path}/{name}" if path else name)
            if not is_folder and place in self._names:
                self._read(folder, name, place)
            elif is_folder and name != _GIT and not self._listed.is_skipped(place, self._needed):
                below.append(name)
        return below

    def _read(self, folder: int, name: str, path: RepoPath) -> None:
        with suppress(FileNotFoundError):
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
            attributes = _attributes(found)
            if path in self._refused:
                version: FileVersion | str = _REFUSED
            elif self._is_known(path, attributes):
                version = self._memory.files[path].version
            else:
                version = self._version(folder, name, found)
            if isinstance(version, str):
                self._left_out.append(LeftOut(path, version, ":".join(map(str, attributes))))
                return
            self.files[path] = version
            self._bits[path] = version.mode, stat.S_IMODE(found.st_mode) & 0o777
            if found.st_ctime_ns + _grain_ns(found.st_ctime_ns) < self._begun_ns:
                self._known[path] = KnownFile(attributes, version)

    def _version(self, folder: int, name: str, found: os.stat_result) -> FileVersion | str:
        """Store a file's content; returns the reason if it is left out."""
        if stat.S_ISLNK(found.st_mode):
            target = os.fsencode(os.readlink(name, dir_fd=folder))
            return self._stored(DiskEntry(target, found.st_mode))
        if not stat.S_ISREG(found.st_mode):
            return _SPECIAL
        if found.st_size > MAX_FILE_BYTES:
            return _TOO_LARGE
        try:
            entry = _content(folder, name)
        except PermissionError:
            return _FORBIDDEN
        return _TOO_LARGE if entry is None else self._stored(entry)

    def _is_known(self, path: RepoPath, attributes: Attributes) -> bool:
        known = self._memory.files.get(path)
        return (
            known is not None and known.attributes == attributes and self._has(known.version.blob)
        )

    def _has(self, blob: str) -> bool:
        return blob in self._listed.blobs or self._objects.has(blob)

    def _stored(self, entry: DiskEntry) -> FileVersion | str:
        """Store a content, unless it is; returns the reason if there is no room for it."""
        blob = self._objects.name_of("blob", entry.data)
        if not self._has(blob):
            if self._stored_bytes + len(entry.data) > MAX_RUN_BYTES:
                return _NO_ROOM
            self._objects.add("blob", entry.data)
            self._stored_bytes += len(entry.data)
        return FileVersion(entry.git_mode, blob)


def _content(folder: int, name: str) -> DiskEntry | None:
    """Read a file; None if it is too long."""
    with os.fdopen(os.open(name, _READ_FLAGS, dir_fd=folder), "rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))
        data = file.read(MAX_FILE_BYTES + 1)
    return DiskEntry(data, mode) if len(data) <= MAX_FILE_BYTES else None


def _attributes(found: os.stat_result) -> Attributes:
    changed = found.st_mtime_ns, found.st_ctime_ns
    return found.st_mode, found.st_dev, found.st_ino, found.st_size, *changed


def _grain_ns(moment_ns: int) -> int:
    """Return how much later a change may be that leaves a time stamp as it is."""
    return _GRAIN_NS if moment_ns % _SECOND_NS else _COARSE_GRAIN_NS


def _folders_of(paths: Collection[str]) -> set[str]:
    parents = {path.rpartition("/")[0] for path in paths} - {""}
    return parents.union(*map(folders_above, parents))
