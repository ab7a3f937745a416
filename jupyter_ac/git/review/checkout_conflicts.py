"""Finds untracked files that are in the way of a checkout.

git refuses to overwrite an untracked file, but only in the middle of the checkout; an ignored one
it overwrites silently. So they are searched beforehand.
"""

import asyncio
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from jupyter_ac.git.name_lists import names_in
from jupyter_ac.git.write_commands import Git

_MISSING: Final = (
    *("diff-index", "--cached", "-z", "--name-only", "--no-renames", "--diff-filter=D"),
    # A submodule's folder may exist already: git doesn't change it.
    "--ignore-submodules=all",
)
_DELETED: Final = ("diff-files", "-z", "--name-only", "--diff-filter=D", "--ignore-submodules=all")
_UNKNOWN: Final = ("ls-files", "-z", "--others")
_AT_ONCE: Final = 500


async def blocking_files(git: Git, *targets: str) -> list[str]:
    """Return the untracked files, ignored ones too, at paths of a commit or the index.

    Args:
        git: with exclusive access to the repository.
        targets: hashes of the commits that will be checked out, one after another.

    Raises:
        GitError: git can't compare.
    """
    # A tracked file may have been replaced by a folder, or a folder by a file.
    missing = set(names_in((await git.run(*_DELETED)).data))
    for target in targets:
        missing.update(names_in((await git.run(*_MISSING, target, "--")).data))
    existing = await asyncio.to_thread(_existing, git.repository.root, missing)
    found: list[str] = []
    for start in range(0, len(existing), _AT_ONCE):
        some = existing[start : start + _AT_ONCE]
        found += names_in((await git.run(*_UNKNOWN, "--", *some)).data)
    return found


def _existing(root: Path, paths: Iterable[str]) -> list[str]:
    """Return the entries on disk at these paths, or instead of a folder above one of them."""
    kinds: dict[str, int | None] = {}
    found: set[str] = set()
    for path in paths:
        for end in (*_slashes(path), len(path)):
            place = path[:end]
            if place not in kinds:
                kinds[place] = _kind(root / place)
            kind = kinds[place]
            if kind is None:
                break
            if place == path or not stat.S_ISDIR(kind):
                found.add(place)
                break
    return sorted(found)


def _slashes(path: str) -> list[int]:
    return [index for index, letter in enumerate(path) if letter == "/"]


def _kind(place: Path) -> int | None:
    try:
        return place.lstat().st_mode
    except OSError:
        return None
