"""A copy of the list of excluded files beside the history's database, in case that is damaged.

It is written within the transaction that changes the list, so by one process at a time, and read
only when the database isn't what it was.
"""

import json
import os
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

from jupyter_ac.errors import Unsupported
from jupyter_ac.git.paths import is_stored_path
from jupyter_ac.ids import RepoPath
from jupyter_ac.os_errors import explained_os_error

COPY_FILE: Final = "excluded.json"

_VERSION: Final = 1
_MAX_BYTES: Final = 128 << 20
_WRITE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def write(folder: Path, paths: Iterable[RepoPath]) -> None:
    """Write the copy, whole or not at all.

    Args:
        folder: of the database.
        paths: all that is excluded.

    Raises:
        OSError: the disk fails.
    """
    place = folder / COPY_FILE
    draft = place.with_suffix(".tmp")
    draft.unlink(missing_ok=True)  # left by a process that was killed
    with os.fdopen(os.open(draft, _WRITE, 0o600), "w", encoding="ascii") as file:
        json.dump({"version": _VERSION, "paths": sorted(paths)}, file)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(place)


def read(folder: Path) -> Collection[RepoPath]:
    """Return what the copy has; nothing if there is none.

    Args:
        folder: of the database.

    Raises:
        Unsupported: it is damaged, or of another version.
        AcError: it can't be read.
    """
    try:
        with os.fdopen(os.open(folder / COPY_FILE, _READ), "rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise explained_os_error(error, COPY_FILE) from error
    paths = _paths(data)
    if paths is None:
        raise Unsupported(
            f"The history was damaged, and so is {COPY_FILE} beside it, so which files are "
            "excluded isn't known any more. Move that file away, then exclude the files again."
        )
    return [RepoPath(path) for path in paths if is_stored_path(path)]


def _paths(data: bytes) -> list[str] | None:
    """Return what the file has; None if it is damaged."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or found.get("version") != _VERSION:
        return None
    paths = found.get("paths")
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        return None
    return paths
