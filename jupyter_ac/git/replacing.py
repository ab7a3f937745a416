"""Replaces a file's content atomically, and translates errors of the file system to sentences.

Runs in one thread, on a file that was located and locked; `writing` decides who may write.
"""

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import (
    AccessDenied,
    AcError,
    AlreadyExists,
    BinaryFile,
    Conflict,
    InvalidParams,
    RefusedPath,
    TooLarge,
)
from jupyter_ac.git.files import BINARY_PROBE_BYTES, MAX_FILE_BYTES
from jupyter_ac.git.paths import Located, folder_beneath, locate
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.temp_files import FileMetadata, temp_file
from jupyter_ac.ids import RepoPath
from jupyter_ac.os_errors import FORBIDDEN, NOT_A_FOLDER, explained_os_error

_READ_FLAGS: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
_TRIES: Final = 10
"""Another process may remove an empty folder just before the write."""


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The result of a write.

    Attributes:
        path: relative to the root.
        sha256: of its bytes, 64 hex digits.
        changed: False if the file had these bytes already.
    """

    path: RepoPath
    sha256: str
    changed: bool = True


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """The parameters of a write.

    Attributes:
        data: the new content.
        tag: lock tag of the file, also used for the temporary file's name.
        over: required hash of the replaced content; "" for any.
        is_new: the file must not exist.
    """

    data: bytes
    tag: str
    over: str = ""
    is_new: bool = False


def encode_text(path: str, content: str) -> bytes:
    """Encode a text for the disk.

    Raises:
        InvalidParams: it contains half of a character.
        TooLarge: it is longer than `MAX_FILE_BYTES`.
        BinaryFile: it has a NUL near the beginning.
    """
    try:
        data = content.encode()
    except UnicodeEncodeError:
        raise InvalidParams("The content contains half of a character.") from None
    if len(data) > MAX_FILE_BYTES:
        raise _too_large(path)
    if b"\0" in data[:BINARY_PROBE_BYTES]:
        raise BinaryFile(f"The content for {path!r} contains a NUL character; it is not a text.")
    return data


def write(repository: Repository, located: Located, wanted: WriteRequest) -> WriteResult:
    """Execute a write; the caller holds the file's lock; raises as `FileWriter.write`."""
    path = located.path
    with translated_errors(path):
        if wanted.is_new and os.path.lexists(located.absolute):
            raise _exists(path)
        for tries_left in reversed(range(_TRIES)):
            try:
                return _write(repository, located, wanted)
            except FileExistsError:
                raise _exists(path) from None
            except FileNotFoundError:
                if wanted.over or not tries_left:
                    break
        raise Conflict(f"{path!r} no longer exists; read its folder again.")


def _write(repository: Repository, located: Located, wanted: WriteRequest) -> WriteResult:
    name = located.real.name
    done = WriteResult(located.path, hashlib.sha256(wanted.data).hexdigest())
    with folder_beneath(repository, located, make=not wanted.over) as folder:
        if not wanted.is_new:
            return _replace(folder, name, wanted, done)
        with temp_file(folder, wanted.tag, wanted.data) as temporary:
            temporary.appear_as(name)
        return done


def _replace(folder: int, name: str, wanted: WriteRequest, done: WriteResult) -> WriteResult:
    found = _current(folder, name, done.path)
    if found is None:
        if wanted.over:
            raise Conflict(f"{done.path!r} no longer exists; read its folder again.")
        with temp_file(folder, wanted.tag, wanted.data) as temporary:
            temporary.replace(name)
        return done
    before, known = found
    if wanted.over and hashlib.sha256(before).hexdigest() != wanted.over:
        raise _changed(done.path)
    _require_text(before, done.path)
    if before == wanted.data:
        return WriteResult(done.path, done.sha256, changed=False)
    with temp_file(folder, wanted.tag, wanted.data, like=known) as temporary:
        # Editors and git don't use this program's locks.
        if wanted.over and _identity(_stat(folder, name)) != _identity(known.found):
            raise _changed(done.path)
        temporary.replace(name)
    return done


def _current(folder: int, name: str, path: str) -> tuple[bytes, FileMetadata] | None:
    """Read the file to be replaced; None if it doesn't exist."""
    try:
        descriptor = os.open(name, _READ_FLAGS, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.ENXIO:  # a socket
            raise _not_a_file(path) from None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _not_a_file(path)
    with os.fdopen(descriptor, "rb") as file:
        if not os.access(name, os.W_OK, dir_fd=folder):
            raise AccessDenied(f"{path!r} may not be written; change its permissions.")
        known = FileMetadata.of(descriptor)
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise _too_large(path)
    return data, known


def _require_text(data: bytes, path: str) -> None:
    try:
        data.decode()
    except UnicodeDecodeError:
        raise BinaryFile(
            f"{path!r} is not valid UTF-8; written as text it would be damaged. Convert it first."
        ) from None
    if b"\0" in data[:BINARY_PROBE_BYTES]:
        raise BinaryFile(f"{path!r} is a binary file; it can't be written as text.")


def _stat(folder: int, name: str) -> os.stat_result:
    return os.stat(name, dir_fd=folder, follow_symlinks=False)


def _identity(found: os.stat_result) -> tuple[int, int, int]:
    return found.st_ino, found.st_size, found.st_mtime_ns


def remove(repository: Repository, name: str) -> None:
    """Remove a stale temporary file, if it exists; the caller holds its file's lock."""
    with (
        translated_errors(name),
        suppress(FileNotFoundError),
        folder_beneath(repository, locate(repository, name)) as folder,
    ):
        os.unlink(name.rpartition("/")[2], dir_fd=folder)


@contextmanager
def translated_errors(path: str) -> Iterator[None]:
    """Translate errors of the file system."""
    try:
        yield
    except IsADirectoryError:
        raise RefusedPath(f"{path!r} is a folder; name a file in it.") from None
    except OSError as error:
        raise _explain(path, error) from error


def _explain(path: str, error: OSError) -> AcError:
    if error.errno in FORBIDDEN:
        return AccessDenied(f"{path!r} may not be written; change its permissions or its folder's.")
    if error.errno in NOT_A_FOLDER:
        return RefusedPath(f"{path!r} leads through something that isn't a folder.")
    return explained_os_error(error, repr(path))


def _not_a_file(path: str) -> RefusedPath:
    return RefusedPath(f"{path!r} is a folder or not a regular file; name a file.")


def _exists(path: str) -> AlreadyExists:
    return AlreadyExists(f"{path!r} exists already; choose another name.")


def _changed(path: str) -> Conflict:
    return Conflict(f"{path!r} has changed since it was read; read it again and repeat the change.")


def _too_large(path: str) -> TooLarge:
    return TooLarge(f"{path!r} is longer than {MAX_FILE_BYTES >> 20} MiB; it isn't written.")
