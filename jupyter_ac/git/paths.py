"""Validates paths from outside and resolves them below the repository's root.

`normalise` reads only the text; `locate` also the disk. Nothing else in the project converts a path
from outside to a location on disk. Invariant: the result of `locate` is under the root after
resolving links, and none of its segments is git's own directory.
"""

import errno
import os
import re
import stat
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jupyter_ac.errors import NotFound, RefusedPath
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath
from jupyter_ac.os_errors import NOT_A_FOLDER, explained_os_error

MAX_PATH_BYTES: Final = 4096

_NO_FILE: Final = NOT_A_FOLDER | {errno.ENOENT, errno.EISDIR, errno.ENXIO, errno.ENAMETOOLONG}
_FOLDER_FLAGS: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY | os.O_NOFOLLOW
_SEPARATORS: Final = re.compile(r"[/\\]")
_MAX_CALL_BYTES: Final = 4095  # limit of system calls for the whole path
_DRIVE: Final = re.compile(r"^[A-Za-z]:")
_SHORT_GIT: Final = re.compile(r"^git~\d+$")
# Code points that some file systems drop from a name before they compare it.
_IGNORABLE: Final = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")


@dataclass(frozen=True, slots=True)
class Located:
    """A validated path and its location.

    Attributes:
        path: normalized, relative to the root, `/` between segments; used for git and lock keys.
        absolute: absolute path, links not resolved.
        real: absolute path, all links resolved; under the root.
    """

    path: RepoPath
    absolute: Path
    real: Path


def normalise(path: str) -> RepoPath:
    """Return the normalized path: `/` between segments, no empty or `.` segment.

    A backslash separates segments here; see `literal` for a file whose name contains one.

    Raises:
        RefusedPath: it is empty, absolute, too long, leads upwards, names a drive, contains a NUL
            or half a character, or has a segment that is the same as `.git` on some file system.
    """
    checked = _checked(path)
    return RepoPath("/".join(_segments(checked)))


def literal(path: str) -> RepoPath | None:
    r"""Return the path with each character taken literally; None if `normalise` gives the same.

    `a\b`, `c:d` and `...` are legal names here. A front end means something else by them, unless
    the repository has a file of that name.

    Raises:
        RefusedPath: it is empty, too long, or contains a NUL or half a character.
    """
    checked = _checked(path)
    parts = [part for part in checked.split("/") if part not in {"", "."}]
    closed = any(is_git_segment(part) for part in _SEPARATORS.split(checked))
    if os.sep != "/" or checked[0] == "/" or not parts or ".." in parts or closed:
        return None
    name = RepoPath("/".join(parts))
    try:
        return None if name == normalise(path) else name
    except RefusedPath:
        return name


def is_stored_path(path: str) -> bool:
    """Return whether a path from a state file is a valid and harmless git path.

    Such a path was not typed by a user, so it must be normalized already. It is read literally: a
    backslash may be part of a name, but no part of it may lead into git's own directory.
    """
    try:
        checked = _checked(path)
    except RefusedPath:
        return False
    if any(is_git_segment(part) for part in _SEPARATORS.split(checked)):
        return False
    return not any(part in {"", ".", ".."} for part in checked.split("/"))


def locate(repository: Repository, path: str) -> Located:
    """Return the location of a path from outside; it need not exist.

    Raises:
        RefusedPath: as `normalise`, and if a link in it leads out of the repository or into git's
            own directory.
    """
    return locate_normalised(repository, _normalised(repository, path))


def locate_entry(repository: Repository, path: str) -> Located:
    """Return the location of an entry: as `locate`, but a final link is the entry itself.

    For operations that rename, stage or remove an entry and never follow it.

    Raises:
        RefusedPath: as `locate`.
    """
    return locate_normalised_entry(repository, _normalised(repository, path))


def locate_normalised(repository: Repository, path: RepoPath) -> Located:
    """Do the same as `locate` for a normalized path."""
    absolute = repository.root / path
    real = resolved(absolute, path)
    _require_inside(repository, real, path)
    return Located(path, absolute, real)


def locate_normalised_entry(repository: Repository, path: RepoPath) -> Located:
    """Do the same as `locate_entry` for a normalized path."""
    absolute = repository.root / path
    real = resolved(absolute.parent, path) / absolute.name
    _require_inside(repository, real, path)
    return Located(path, absolute, real)


def open_beneath(repository: Repository, located: Located) -> int:
    """Open a regular file for reading and return its descriptor, which the caller closes.

    Each folder is opened relative to the one above, without following links, so a link that was
    created after the check leads nowhere. Never blocks on a pipe.

    Raises:
        NotFound: there is no regular file, or it may not be read.
        AcError: the disk fails, or too many files are open.
    """
    shown = located.path
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
    try:
        with folder_beneath(repository, located) as folder:
            descriptor = os.open(located.real.name, flags, dir_fd=folder)
    except PermissionError:
        raise NotFound(f"{shown!r} may not be read; change its permissions.") from None
    except OSError as error:
        if error.errno not in _NO_FILE:
            raise explained_os_error(error, repr(shown)) from error
        raise NotFound(f"There is no file {shown!r} in the repository.") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NotFound(f"{shown!r} is not a file.")
    return descriptor


def _normalised(repository: Repository, path: str) -> RepoPath:
    name = literal(path)
    if name is not None and os.path.lexists(repository.root / name):
        return name
    return normalise(path)


@contextmanager
def folder_beneath(
    repository: Repository, located: Located, *, make: bool = False
) -> Iterator[int]:
    """Open the folder of a located file for the body, without following links.

    Args:
        repository: the repository.
        located: the file, which need not exist.
        make: create missing folders.

    Raises:
        OSError: there is no such folder, or it is a link or something else.
    """
    parts = located.real.relative_to(repository.root).parts
    if not parts:
        raise IsADirectoryError(errno.EISDIR, "the repository's top folder", located.path)
    folder = os.open(repository.root, _FOLDER_FLAGS)
    try:
        for part in parts[:-1]:
            below = _enter(folder, part, make=make)
            os.close(folder)
            folder = below
        yield folder
    finally:
        os.close(folder)


def _enter(folder: int, part: str, *, make: bool) -> int:
    try:
        return os.open(part, _FOLDER_FLAGS, dir_fd=folder)
    except FileNotFoundError:
        if not make:
            raise
    with suppress(FileExistsError):
        os.mkdir(part, dir_fd=folder)
        os.fsync(folder)
    return os.open(part, _FOLDER_FLAGS, dir_fd=folder)


def _checked(path: str) -> str:
    """Validate a path and normalize its encoding."""
    if not path:
        raise RefusedPath("The path is empty; name a file of the repository.")
    if "\0" in path:
        raise RefusedPath("The path contains a NUL character; no file name can.")
    try:
        encoded = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise RefusedPath("The path contains half of a character.") from None
    if len(encoded) > MAX_PATH_BYTES:
        raise RefusedPath(f"The path is longer than {MAX_PATH_BYTES} bytes.")
    # Escaped bytes that form a character together are converted to it.
    return encoded.decode("utf-8", "surrogateescape")


def _segments(path: str) -> list[str]:
    if path[0] in "/\\":
        raise RefusedPath(f"{path!r} is absolute; name it relative to the repository's top folder.")
    segments = [part for part in _SEPARATORS.split(path) if part not in {"", "."}]
    if not segments:
        raise RefusedPath("The path names the repository's top folder; name a file in it.")
    if _DRIVE.match(segments[0]):
        raise RefusedPath(f"{path!r} names a drive; name it relative to the top folder.")
    for segment in segments:
        if segment.startswith("..") and not segment.strip(". "):
            raise RefusedPath(f"{path!r} leads upwards with `..`; name the file directly.")
        if is_git_segment(segment):
            raise RefusedPath(f"{path!r} leads into git's own directory, which is closed.")
    return segments


def is_git_segment(segment: str) -> bool:
    """Return whether a name is the same as `.git` on some file system.

    Some file systems ignore case, trailing dots and spaces, a stream after a colon, or certain
    characters, or have the short name `git~1`.
    """
    name = comparable(segment)
    return name == ".git" or _SHORT_GIT.match(name) is not None


def comparable(segment: str) -> str:
    """Normalize a name so that names which some file system treats as equal become equal."""
    name = _IGNORABLE.sub("", segment).split(":", 1)[0].rstrip(". ")
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def resolved(absolute: Path, path: str) -> Path:
    """Return a path with all links resolved.

    Args:
        absolute: the path.
        path: name for the error message.

    Raises:
        RefusedPath: it is being replaced by a link.
    """
    try:
        return Path(os.path.realpath(absolute))
    except OSError:  # a folder was replaced by a link between two system calls
        raise RefusedPath(f"{path!r} is being replaced; try again.") from None


def _require_inside(repository: Repository, real: Path, path: str) -> None:
    if len(os.fsencode(repository.root / path)) > _MAX_CALL_BYTES:
        raise RefusedPath(f"The path is longer than {_MAX_CALL_BYTES} bytes with its folder's.")
    try:
        inside = real.relative_to(repository.root).parts
    except ValueError:
        raise RefusedPath(f"{path!r} is a link that leads out of the repository.") from None
    own = real.is_relative_to(repository.git_dir) or real.is_relative_to(repository.common_dir)
    if own or any(is_git_segment(part) for part in inside):
        raise RefusedPath(f"{path!r} leads into git's own directory, which is closed.")
