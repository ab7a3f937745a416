"""The user's permissions for programs that a repository configures, in a JSON file.

The file is in the user's configuration folder and never in the repository, which could bring its
own. A repository is identified by the path and the inode of its git directory, so that a copy at
another path, or another repository at the same path, has no permissions.
"""

import hashlib
import os
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from jupyter_ac.errors import NotReady, TooLarge
from jupyter_ac.git.repository import Repository
from jupyter_ac.store.repository_tables import change_repository, read_repositories

FILE: Final = "allowed_programs.json"

_LOCK: Final = "programs"
_MAX_FILES: Final = 1000
_MAX_FILE_BYTES: Final = 256 * 1024 * 1024
"""Limit for one folder: the programs of an environment have tens of megabytes each."""

_CHUNK_BYTES: Final = 1024 * 1024
_READ_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
_MISSING: Final = "missing"
_CHECKED_BYTECODE: Final = frozenset({0, 3})
"""Flag values of compiled Python that is used only as long as it matches its source."""

_HEADER_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class Grant:
    """A permission: the commands and the file contents that the user has allowed.

    Attributes:
        commands: by their keys in git's configuration.
        files: fingerprints of the files and folders that the commands name, by path.
    """

    commands: Mapping[str, str]
    files: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Grants:
    """The permissions for one repository.

    Attributes:
        by_name: by `KIND NAME`.
        problem: why the file can't be used; then nothing is allowed.
    """

    by_name: Mapping[str, Grant] = field(default_factory=dict)
    problem: str = ""


def grant_name(kind: str, name: str) -> str:
    """Return the key of a program's permission."""
    return f"{kind} {name}"


def read_grants(repository: Repository) -> Grants:
    """Read the user's permissions for a repository."""
    if repository.permissions is None:
        return Grants()
    try:
        found = read_repositories(repository.permissions).get(repository_key(repository))
    except (OSError, ValueError, TypeError, RecursionError):
        return Grants(problem=f"{FILE} in the configuration folder can't be read; allow it again")
    return Grants({} if found is None else dict(_grants(found)))


async def write_grant(repository: Repository, name: str, grant: Grant | None) -> None:
    """Store a permission, or remove it with None.

    Raises:
        AcError: the file can't be written.
        Busy: another host has been writing for seconds.
    """
    place = repository.permissions
    if place is None:
        raise NotReady("No file for permissions is configured here; nothing can be allowed.")

    def change(found: object) -> object:
        rows = dict(_grants(found))
        rows.pop(name, None)
        if grant is not None:
            rows[name] = grant
        return {
            each: {"commands": dict(row.commands), "files": dict(row.files)}
            for each, row in rows.items()
        }

    await change_repository(place, _LOCK, repository_key(repository), change)


def fingerprint(root: Path, path: str) -> str:
    """Return a hash of a file's or a folder's content; "missing" if there is nothing.

    Compiled Python that is checked against its source is left out.

    Raises:
        TooLarge: a folder holds more than can be hashed before each use.
        OSError: it can't be read.
    """
    place = root / path
    total = hashlib.sha256()
    left = _MAX_FILES
    size = 0
    for entry in _below(place):
        left -= 1
        found = entry.lstat()
        size += found.st_size
        if left < 0 or size > _MAX_FILE_BYTES:
            raise TooLarge(f"{path!r} holds too much to be hashed before each use.")
        content = _content(entry, found.st_mode)
        if content:
            total.update(
                f"{entry.relative_to(place)}\0{content}\0".encode(errors="surrogateescape")
            )
    return total.hexdigest() if left < _MAX_FILES else _MISSING


def _below(place: Path) -> Iterator[Path]:
    if not os.path.lexists(place):
        return
    if place.is_symlink() or not place.is_dir():
        yield place
        return
    for folder, folders, files in os.walk(place):
        folders.sort()
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        yield from (Path(folder) / name for name in sorted([*files, *links]))


def _content(entry: Path, mode: int) -> str:
    """Return a hash of one entry's content; "" for content that doesn't matter."""
    if stat.S_ISLNK(mode):
        return f"link {entry.readlink()}"
    if not stat.S_ISREG(mode):
        return f"other {mode}"
    with os.fdopen(os.open(entry, _READ_FLAGS), "rb") as file:
        head = file.read(_HEADER_BYTES)
        is_compiled = entry.suffix == ".pyc" and entry.parent.name == "__pycache__"
        if is_compiled and int.from_bytes(head[4:], "little") in _CHECKED_BYTECODE:
            return ""
        digest = hashlib.sha256(head)
        while (chunk := file.read(_CHUNK_BYTES)) and file.tell() <= _MAX_FILE_BYTES:
            digest.update(chunk)
        # A file that grew beyond the limit while it was read gets a value that matches nothing.
        return digest.hexdigest() if not chunk else f"too long {time.time_ns()}"


def repository_key(repository: Repository) -> str:
    """Return what identifies a repository in the user's files: path and inode of its git directory.

    Raises:
        OSError: its git directory is gone.
    """
    found = repository.common_dir.stat()
    return f"{os.path.realpath(repository.common_dir)}\0{found.st_ino}"


def _grants(found: object) -> Iterator[tuple[str, Grant]]:
    """Yield the valid permissions; other entries of the file allow nothing."""
    for name, row in found.items() if isinstance(found, dict) else ():
        if isinstance(row, dict):
            commands, files = _table(row.get("commands")), _table(row.get("files"))
            if commands is not None and files is not None:
                yield name, Grant(commands, files)


def _table(found: object) -> dict[str, str] | None:
    if isinstance(found, dict) and all(isinstance(each, str) for each in found.values()):
        return dict(found)
    return None


def fingerprints(root: Path, paths: Sequence[str]) -> dict[str, str]:
    """Return the fingerprint of each path; raises what `fingerprint` raises."""
    return {path: fingerprint(root, path) for path in paths}
