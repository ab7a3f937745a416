"""Putting new bytes in the place of a file, in one thread; what the disk refuses, in sentences.

Works on a file that was located and is locked; the rules of who may write stand in `writing`.
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
from jupyter_ac.git.temp_files import FileMetadata, drafted
from jupyter_ac.ids import RepoPath
from jupyter_ac.os_errors import FORBIDDEN, NOT_A_FOLDER, explained_os_error

_READ_FLAGS: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
_TRIES: Final = 10
"""Whoever takes the last file out of a folder removes it, also under a writer's feet."""


@dataclass(frozen=True, slots=True)
class Written:
    """A file after a write.

    Attributes:
        path: relative to the root.
        sha256: of its bytes, 64 hex digits.
        changed: False when it held these bytes already.
    """

    path: RepoPath
    sha256: str
    changed: bool = True


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """What a write is to do.

    Attributes:
        data: the new content.
        tag: names the file's lock and its draft.
        over: the hash of the content that it may replace; "" for any.
        is_new: nothing may be there.
    """

    data: bytes
    tag: str
    over: str = ""
    is_new: bool = False


def encoded(path: str, content: str) -> bytes:
    """Return the bytes of a text as they will be on disk.

    Raises:
        InvalidParams: it holds half a character.
        TooLarge: it is longer than `MAX_FILE_BYTES`.
        BinaryFile: it begins as no text does.
    """
    try:
        data = content.encode()
    except UnicodeEncodeError:
        raise InvalidParams("The content holds half a character; no text can.") from None
    if len(data) > MAX_FILE_BYTES:
        raise _too_large(path)
    if b"\0" in data[:BINARY_PROBE_BYTES]:
        raise BinaryFile(f"The content for {path!r} holds a NUL character; that is no text.")
    return data


def put(repository: Repository, located: Located, wanted: WriteRequest) -> Written:
    """Do a write; the caller holds the file's lock; raises what `FileWriter.write` raises."""
    path = located.path
    with explained(path):
        if wanted.is_new and os.path.lexists(located.absolute):
            raise _exists(path)
        for tries_left in reversed(range(_TRIES)):
            try:
                return _put(repository, located, wanted)
            except FileExistsError:
                raise _exists(path) from None
            except FileNotFoundError:
                if wanted.over or not tries_left:
                    break
        raise Conflict(f"{path!r} is no longer there; read its folder again.")


def _put(repository: Repository, located: Located, wanted: WriteRequest) -> Written:
    name = located.real.name
    done = Written(located.path, hashlib.sha256(wanted.data).hexdigest())
    with folder_beneath(repository, located, make=not wanted.over) as folder:
        if not wanted.is_new:
            return _replace(folder, name, wanted, done)
        with drafted(folder, wanted.tag, wanted.data) as draft:
            draft.appear_as(name)
        return done


def _replace(folder: int, name: str, wanted: WriteRequest, done: Written) -> Written:
    found = _current(folder, name, done.path)
    if found is None:
        if wanted.over:
            raise Conflict(f"{done.path!r} is no longer there; read its folder again.")
        with drafted(folder, wanted.tag, wanted.data) as draft:
            draft.replace(name)
        return done
    before, known = found
    if wanted.over and hashlib.sha256(before).hexdigest() != wanted.over:
        raise _changed(done.path)
    _require_text(before, done.path)
    if before == wanted.data:
        return Written(done.path, done.sha256, changed=False)
    with drafted(folder, wanted.tag, wanted.data, like=known) as draft:
        # Editors and git take no lock of ours.
        if wanted.over and _signs(_look(folder, name)) != _signs(known.found):
            raise _changed(done.path)
        draft.replace(name)
    return done


def _current(folder: int, name: str, path: str) -> tuple[bytes, FileMetadata] | None:
    """Read the file that is to be replaced; None when there is none."""
    try:
        descriptor = os.open(name, _READ_FLAGS, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.ENXIO:  # a socket
            raise _no_file(path) from None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _no_file(path)
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


def _look(folder: int, name: str) -> os.stat_result:
    return os.stat(name, dir_fd=folder, follow_symlinks=False)


def _signs(found: os.stat_result) -> tuple[int, int, int]:
    return found.st_ino, found.st_size, found.st_mtime_ns


def remove(repository: Repository, name: str) -> None:
    """Remove a draft that was left behind, if it still is; the caller holds its file's lock."""
    with (
        explained(name),
        suppress(FileNotFoundError),
        folder_beneath(repository, locate(repository, name)) as folder,
    ):
        os.unlink(name.rpartition("/")[2], dir_fd=folder)


@contextmanager
def explained(path: str) -> Iterator[None]:
    """Say what the file system refuses."""
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
        return RefusedPath(f"{path!r} leads through something that is no folder.")
    return explained_os_error(error, repr(path))


def _no_file(path: str) -> RefusedPath:
    return RefusedPath(f"{path!r} is a folder or no plain file; name a file.")


def _exists(path: str) -> AlreadyExists:
    return AlreadyExists(f"There is something at {path!r} already; choose another name.")


def _changed(path: str) -> Conflict:
    return Conflict(f"{path!r} has changed since it was read; read it again and repeat the change.")


def _too_large(path: str) -> TooLarge:
    return TooLarge(f"{path!r} is longer than {MAX_FILE_BYTES >> 20} MiB; it isn't written.")
