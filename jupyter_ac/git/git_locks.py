"""Inspects git's own lock files: which one blocks, its age and its path."""

import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from jupyter_ac.git.plain_files import read_regular
from jupyter_ac.git.repository import Repository

_HEAD_BYTES: Final = 8192
_BRANCH: Final = re.compile(r"ref: (refs/heads/[^\n]+)\n?")


def before_head(repository: Repository) -> str | None:
    """Return the name of a lock that keeps HEAD from moving; None if there is none.

    git takes it last: a command that moves HEAD would have changed the index and files by then.
    """
    locks = (repository.git_dir / "index.lock", *_head_locks(repository))
    return next((lock.name for lock in locks if lock.exists()), None)


def described(repository: Repository, name: str) -> str:
    """Return a description of a lock with advice, as sentences."""
    found = _found(repository, name)
    if found is None:
        return f"Other git processes hold {name} again and again; try again when they have ended."
    lock, age = found
    git_dir = repository.common_dir
    shown = lock.relative_to(git_dir.parent) if lock.is_relative_to(git_dir) else lock.name
    return (
        f"Another git process has held {name} for {age:.0f} s. Wait for it to end; if no git "
        f"is running, remove {shown}."
    )


def age_s(repository: Repository, name: str) -> float:
    """Return the age of a lock in seconds; 0 if it no longer exists."""
    found = _found(repository, name)
    return 0.0 if found is None else found[1]


def _found(repository: Repository, name: str) -> tuple[Path, float] | None:
    """Return the path and the age of a lock with this name."""
    for lock in _places(repository, name):
        age = _age_s(lock)
        if age is not None:
            return lock, age
    return None


def _head_locks(repository: Repository) -> Iterator[Path]:
    yield repository.git_dir / "HEAD.lock"
    try:
        head = _BRANCH.fullmatch(
            read_regular(repository.git_dir / "HEAD", _HEAD_BYTES).decode(
                "utf-8", "surrogateescape"
            )
        )
    except OSError:
        return
    if head is not None:
        yield repository.common_dir / f"{head[1]}.lock"


def _places(repository: Repository, name: str) -> Iterator[Path]:
    yield repository.git_dir / name
    yield repository.common_dir / name
    yield from (lock for lock in _head_locks(repository) if lock.name == name)
    yield from _below(repository.common_dir / "refs", name)


def _below(folder: Path, name: str) -> Iterator[Path]:
    """Yield the files of a name in and below a folder, however deep; links aren't followed."""
    folders = [str(folder)]
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif entry.name == name:
                    yield Path(entry.path)


def _age_s(lock: Path) -> float | None:
    try:
        return max(0.0, time.time() - lock.stat().st_mtime)
    except OSError:
        return None
