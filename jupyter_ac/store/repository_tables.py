"""JSON files in the user's configuration folder that hold something for each repository.

They are there and not in the repository, because a repository could bring its own.
"""

import asyncio
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from jupyter_ac.errors import TooLarge
from jupyter_ac.os_errors import kind_of
from jupyter_ac.store import locks
from jupyter_ac.store.shield import run_to_completion

MAX_BYTES: Final = 4 * 1024 * 1024

_VERSION: Final = 1


def make_folder(folder: Path) -> Path:
    """Create the user's folder if needed, and return it with its links resolved.

    Raises:
        OSError: it can't be created.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Path(os.path.realpath(folder))


def read_repositories(place: Path) -> dict[str, object]:
    """Read what a file holds, by the keys of the repositories; a missing one holds nothing.

    Raises:
        OSError: it can't be read.
        ValueError, TypeError, RecursionError: its format or version is wrong, or it is too long.
    """
    try:
        with os.fdopen(os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return {}
    if len(data) > MAX_BYTES:
        raise ValueError("it is too long")
    found = json.loads(data)
    if not isinstance(found, dict) or found.get("version") != _VERSION:
        raise ValueError("it is damaged, or of another version")
    return dict(found.get("repositories", {}))


async def change_repository(
    place: Path, lock: str, key: str, change: Callable[[object], object]
) -> None:
    """Change what a file holds for one repository, one host at a time; begun, it is completed.

    A file that can't be read is set aside: it has held nothing that counts.

    Args:
        place: of the file; its folder is made when needed.
        lock: the name of the lock, one word.
        key: of the repository.
        change: gets what the file holds for it, None for nothing, and returns what it is to hold;
            runs in a thread.

    Raises:
        Busy: another host has been writing for seconds.
        AcError: the file can't be written, or what `change` raises.
    """

    def write() -> None:
        try:
            tables = read_repositories(place)
        except (ValueError, TypeError, RecursionError):
            set_aside(place)
            tables = {}
        tables[key] = change(tables.get(key))
        replace_repositories(place, tables)

    try:
        folder = await asyncio.to_thread(make_folder, place.parent)
        async with locks.hold(folder, lock):
            await run_to_completion(asyncio.to_thread(write))
    except OSError as error:
        raise kind_of(error)(
            f"{place.name} can't be written: {error.strerror}. Make the configuration folder "
            "writable."
        ) from error


def replace_repositories(place: Path, repositories: Mapping[str, object]) -> None:
    """Replace a file atomically, readable for its owner only; the caller holds a lock.

    The target of a link is replaced, since the link is the user's.

    Raises:
        OSError: it can't be written.
        TooLarge: it would be too long to be read again.
    """
    content = {"version": _VERSION, "repositories": repositories}
    data = json.dumps(content, indent=1, sort_keys=True).encode("ascii")
    if len(data) > MAX_BYTES:
        raise TooLarge(
            f"{place.name} would be longer than {MAX_BYTES >> 20} MiB; remove repositories from it "
            "that you don't use any more."
        )
    target = Path(os.path.realpath(place))
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{place.name}-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise


def set_aside(place: Path) -> None:
    """Give a damaged file another name; what it held must be given again.

    Raises:
        OSError: it can't be renamed.
    """
    place.replace(place.with_suffix(".unreadable"))
