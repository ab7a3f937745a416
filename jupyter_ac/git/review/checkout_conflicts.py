"""Files that git doesn't know, where a checkout needs the place.

git refuses to overwrite an untracked file, but does so in the middle of things; an ignored one it
overwrites without a word. Whoever asks beforehand can do better.
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
    # A submodule's folder may stand there already: git leaves it alone.
    "--ignore-submodules=all",
)
_GONE: Final = ("diff-files", "-z", "--name-only", "--diff-filter=D", "--ignore-submodules=all")
_UNKNOWN: Final = ("ls-files", "-z", "--others")
_AT_ONCE: Final = 500


async def in_the_way(git: Git, *targets: str) -> list[str]:
    """Return the files, ignored ones too, that stand where a commit or the index has another one.

    Args:
        git: alone with the repository.
        targets: hashes of the commits that are to be checked out, one after another.

    Raises:
        GitError: git can't compare.
    """
    # A folder may have taken a tracked file's place, or a file that of a folder.
    missing = set(names_in((await git.run(*_GONE)).data))
    for target in targets:
        missing.update(names_in((await git.run(*_MISSING, target, "--")).data))
    standing = await asyncio.to_thread(_standing, git.repository.root, missing)
    found: list[str] = []
    for start in range(0, len(standing), _AT_ONCE):
        some = standing[start : start + _AT_ONCE]
        found += names_in((await git.run(*_UNKNOWN, "--", *some)).data)
    return found


def _standing(root: Path, paths: Iterable[str]) -> list[str]:
    """Return what is on disk at these paths, or instead of a folder above one of them."""
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
