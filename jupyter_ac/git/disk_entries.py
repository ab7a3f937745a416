"""Reads, restores, moves and removes single entries of the working tree, byte for byte.

An entry is a file or a link; links are never followed, at the end or on the path. The caller holds
the locks of the files.
"""

import hashlib
import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import AlreadyExists, RefusedPath, TooLarge
from jupyter_ac.git.descriptor_entries import prune
from jupyter_ac.git.paths import Located, folder_beneath
from jupyter_ac.git.replacing import translated_errors
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.temp_files import FileMetadata, temp_file
from jupyter_ac.ids import RepoPath

_READ_FLAGS: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
_LINK: Final = "120000"
NEW_FILE: Final = "100644"
"""git's mode of a newly created file."""

_PROGRAM: Final = "100755"


@dataclass(frozen=True, slots=True)
class DiskEntry:
    """The content and mode of an entry on disk.

    Attributes:
        data: a file's bytes; for a link its target.
        mode: `st_mode`; 0 if there is no entry.
    """

    data: bytes = b""
    mode: int = 0

    @property
    def exists(self) -> bool:
        """Whether there is an entry."""
        return self.mode != 0

    @property
    def is_link(self) -> bool:
        """Whether it is a symbolic link."""
        return stat.S_ISLNK(self.mode)

    @property
    def git_mode(self) -> str:
        """The mode as in git's index; "" if there is no entry."""
        if not self.exists:
            return ""
        if self.is_link:
            return _LINK
        return _PROGRAM if self.mode & stat.S_IXUSR else NEW_FILE

    @property
    def sign(self) -> str:
        """A content hash of the entry, including its mode; "" if there is none."""
        return entry_hash(self.git_mode, self.data) if self.exists else ""


NOTHING: Final = DiskEntry()


def entry_hash(git_mode: str, data: bytes) -> str:
    """Return the hash of an entry with this mode and content."""
    return f"{git_mode}:{hashlib.sha256(data).hexdigest()}"


def entry_location(repository: Repository, path: RepoPath) -> Located:
    """Return the location of an entry none of whose folders is a link."""
    absolute = repository.root / path
    return Located(path, absolute, absolute)


def read_entry(repository: Repository, path: RepoPath, limit: int) -> DiskEntry:
    """Read the entry at a path.

    Args:
        repository: the repository.
        path: git path without links among its folders.
        limit: maximum size of a file in bytes.

    Raises:
        RefusedPath: there is a folder or a special file at the path, or a file among its folders.
        TooLarge: the file is longer than the limit.
        AccessDenied: it may not be read.
        AcError: the disk fails.
    """
    name = path.rpartition("/")[2]
    with translated_errors(path):
        try:
            with folder_beneath(repository, entry_location(repository, path)) as folder:
                found = os.stat(name, dir_fd=folder, follow_symlinks=False)
                if stat.S_ISLNK(found.st_mode):
                    target = os.readlink(name, dir_fd=folder)
                    return DiskEntry(os.fsencode(target), found.st_mode)
                if not stat.S_ISREG(found.st_mode):
                    raise RefusedPath(f"{path!r} is a folder or not a regular file; name a file.")
                return _read(folder, name, path, limit)
        except FileNotFoundError:
            return NOTHING


def _read(folder: int, name: str, path: str, limit: int) -> DiskEntry:
    with os.fdopen(os.open(name, _READ_FLAGS, dir_fd=folder), "rb") as file:
        data = file.read(limit + 1)
        mode = os.fstat(file.fileno()).st_mode
    if len(data) > limit:
        raise TooLarge(f"{path!r} is longer than {limit:,} bytes, which is the limit; split it up.")
    return DiskEntry(data, mode)


def restore_entry(repository: Repository, path: RepoPath, tag: str, wanted: DiskEntry) -> None:
    """Restore an entry atomically: a reader gets the old version or the new one.

    Args:
        repository: the repository.
        path: as for `read_entry`.
        tag: of the file's lock.
        wanted: the content and mode to write.

    Raises:
        AcError: the disk refuses; the message contains the reason.
    """
    name = path.rpartition("/")[2]
    with (
        translated_errors(path),
        folder_beneath(repository, entry_location(repository, path), make=True) as folder,
    ):
        if wanted.is_link:
            _put_link(folder, name, f".jupyter_ac-{tag}.tmp", wanted.data)
            return
        with temp_file(folder, tag, wanted.data, like=_metadata(folder, name)) as temporary:
            os.chmod(temporary.name, stat.S_IMODE(wanted.mode), dir_fd=folder)
            temporary.replace(name)


def _metadata(folder: int, name: str) -> FileMetadata | None:
    try:
        descriptor = os.open(name, _READ_FLAGS, dir_fd=folder)
    except OSError:  # nothing, or a link
        return None
    try:
        return FileMetadata.of(descriptor)
    finally:
        os.close(descriptor)


def _put_link(folder: int, name: str, temporary: str, target: bytes) -> None:
    with suppress(FileNotFoundError):
        os.unlink(temporary, dir_fd=folder)
    os.symlink(os.fsdecode(target), temporary, dir_fd=folder)
    os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    os.fsync(folder)


def remove_entry(repository: Repository, path: RepoPath, stop: RepoPath | None = None) -> None:
    """Remove an entry, and the folders that become empty; idempotent.

    Args:
        repository: the repository.
        path: as for `read_entry`.
        stop: a folder that is never removed; None for the top folder.

    Raises:
        AcError: the disk refuses; the message contains the reason.
    """
    located = entry_location(repository, path)
    with translated_errors(path), suppress(FileNotFoundError):
        with folder_beneath(repository, located) as folder:
            os.unlink(located.real.name, dir_fd=folder)
            os.fsync(folder)
        prune(repository, located.real.parent, repository.root / (stop or ""))


def move_entry(repository: Repository, old: RepoPath, new: RepoPath) -> None:
    """Rename an entry to an unused name; creates folders and removes those that become empty.

    Raises:
        AlreadyExists: the new name is in use.
        AcError: the disk refuses; the message contains the reason.
    """
    source, target = entry_location(repository, old), entry_location(repository, new)
    here, there = source.real.name, target.real.name
    with translated_errors(new):
        with (
            folder_beneath(repository, source) as left,
            folder_beneath(repository, target, make=True) as entered,
        ):
            try:
                # Unlike a rename, a link never replaces a file that has just been created.
                os.link(here, there, src_dir_fd=left, dst_dir_fd=entered, follow_symlinks=False)
            except FileExistsError:
                raise _taken(new) from None
            except OSError:  # a file system without hard links, or a file of another user
                _rename(left, here, entered, there, new)
            else:
                os.unlink(here, dir_fd=left)
            os.fsync(entered)
            os.fsync(left)
        prune(repository, source.real.parent)


def _rename(left: int, here: str, entered: int, there: str, path: RepoPath) -> None:
    with suppress(FileNotFoundError):
        os.stat(there, dir_fd=entered, follow_symlinks=False)
        raise _taken(path)
    os.rename(here, there, src_dir_fd=left, dst_dir_fd=entered)


def _taken(path: RepoPath) -> AlreadyExists:
    return AlreadyExists(f"{path!r} exists already; choose another name.")
