"""What stands at a path of the working tree, byte for byte: read, put back, moved, taken away.

An entry is a file or a link; links are never followed here, neither at the end nor on the way. The
caller holds the locks of the files.
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
from jupyter_ac.git.replacing import explained
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.temp_files import FileMetadata, drafted
from jupyter_ac.ids import RepoPath

_READ_FLAGS: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
_LINK: Final = "120000"
NEW_FILE: Final = "100644"
"""The mode that git gives a file that was just made."""

_PROGRAM: Final = "100755"


@dataclass(frozen=True, slots=True)
class DiskEntry:
    """What stands at a path.

    Attributes:
        data: a file's bytes; of a link, where it leads.
        mode: as `stat` gives it; 0 when nothing is there.
    """

    data: bytes = b""
    mode: int = 0

    @property
    def exists(self) -> bool:
        """Whether there is something."""
        return self.mode != 0

    @property
    def is_link(self) -> bool:
        """Whether it is a symbolic link."""
        return stat.S_ISLNK(self.mode)

    @property
    def git_mode(self) -> str:
        """The mode as git's index has it; "" when nothing is there."""
        if not self.exists:
            return ""
        if self.is_link:
            return _LINK
        return _PROGRAM if self.mode & stat.S_IXUSR else NEW_FILE

    @property
    def sign(self) -> str:
        """What tells it from anything else that could stand there; "" for nothing."""
        return sign_of(self.git_mode, self.data) if self.exists else ""


NOTHING: Final = DiskEntry()


def sign_of(git_mode: str, data: bytes) -> str:
    """Return the sign of an entry with this mode and content."""
    return f"{git_mode}:{hashlib.sha256(data).hexdigest()}"


def placed(repository: Repository, path: RepoPath) -> Located:
    """Return where an entry is; its folders are no links."""
    absolute = repository.root / path
    return Located(path, absolute, absolute)


def look_at(repository: Repository, path: RepoPath, limit: int) -> DiskEntry:
    """Read what stands at a path.

    Args:
        repository: where.
        path: as git would name it: no folder of it is a link.
        limit: bytes that a file may have.

    Raises:
        RefusedPath: a folder or something else that is no file stands there, or on the way.
        TooLarge: the file is longer than the limit.
        AccessDenied: it may not be read.
        AcError: the disk fails.
    """
    name = path.rpartition("/")[2]
    with explained(path):
        try:
            with folder_beneath(repository, placed(repository, path)) as folder:
                found = os.stat(name, dir_fd=folder, follow_symlinks=False)
                if stat.S_ISLNK(found.st_mode):
                    target = os.readlink(name, dir_fd=folder)
                    return DiskEntry(os.fsencode(target), found.st_mode)
                if not stat.S_ISREG(found.st_mode):
                    raise RefusedPath(f"{path!r} is a folder or no plain file; name a file.")
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


def put_back(repository: Repository, path: RepoPath, tag: str, wanted: DiskEntry) -> None:
    """Make an entry what it was; whoever looks sees the one before or the one after.

    Args:
        repository: where.
        path: as for `look_at`.
        tag: of the file's lock.
        wanted: what shall stand there.

    Raises:
        AcError: the disk refuses; the message says why.
    """
    name = path.rpartition("/")[2]
    with (
        explained(path),
        folder_beneath(repository, placed(repository, path), make=True) as folder,
    ):
        if wanted.is_link:
            _put_link(folder, name, f".jupyter_ac-{tag}.tmp", wanted.data)
            return
        with drafted(folder, tag, wanted.data, like=_dress(folder, name)) as draft:
            os.chmod(draft.name, stat.S_IMODE(wanted.mode), dir_fd=folder)
            draft.replace(name)


def _dress(folder: int, name: str) -> FileMetadata | None:
    try:
        descriptor = os.open(name, _READ_FLAGS, dir_fd=folder)
    except OSError:  # nothing, or a link
        return None
    try:
        return FileMetadata.of(descriptor)
    finally:
        os.close(descriptor)


def _put_link(folder: int, name: str, draft: str, target: bytes) -> None:
    with suppress(FileNotFoundError):
        os.unlink(draft, dir_fd=folder)
    os.symlink(os.fsdecode(target), draft, dir_fd=folder)
    os.rename(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
    os.fsync(folder)


def take_away(repository: Repository, path: RepoPath, stop: RepoPath | None = None) -> None:
    """Remove an entry, and the folders that are empty without it; what is gone stays gone.

    Args:
        repository: where.
        path: as for `look_at`.
        stop: the folder that stays whatever is in it; None for the top folder.

    Raises:
        AcError: the disk refuses; the message says why.
    """
    located = placed(repository, path)
    with explained(path), suppress(FileNotFoundError):
        with folder_beneath(repository, located) as folder:
            os.unlink(located.real.name, dir_fd=folder)
            os.fsync(folder)
        prune(repository, located.real.parent, repository.root / (stop or ""))


def move(repository: Repository, old: RepoPath, new: RepoPath) -> None:
    """Give an entry a name that nothing has; makes folders, removes those that it leaves empty.

    Raises:
        AlreadyExists: something has the new name.
        AcError: the disk refuses; the message says why.
    """
    source, target = placed(repository, old), placed(repository, new)
    here, there = source.real.name, target.real.name
    with explained(new):
        with (
            folder_beneath(repository, source) as left,
            folder_beneath(repository, target, make=True) as entered,
        ):
            try:
                # Unlike a rename it never takes the place of a file that has just appeared.
                os.link(here, there, src_dir_fd=left, dst_dir_fd=entered, follow_symlinks=False)
            except FileExistsError:
                raise _taken(new) from None
            except OSError:  # a file system without hard links, or a file of somebody else's
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
    return AlreadyExists(f"There is something at {path!r} already; choose another name.")
