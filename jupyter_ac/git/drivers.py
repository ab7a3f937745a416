"""Programs that a repository's own configuration names, switched off.

`filter.<name>.clean` and its kin run whenever git compares a changed file, and no option of git's
turns them off as a whole. The ones that the user configured for all repositories are trusted and
stay; the ones that come with the repository are not and go. The price: a repository that filters
its own files by its own configuration may show them as modified. One that isn't installed goes as
well: git would say nothing about any file for it.
"""

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from jupyter_ac.errors import GitError
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import DEFAULTS, read_git

_OWN_SCOPES: Final = frozenset({b"local", b"worktree"})
_FILTER: Final = re.compile(r"^filter\.(.*)\.([a-z]+)$", re.DOTALL)
_PROGRAMS: Final = frozenset({"clean", "process"})
_PROGRAM: Final = re.compile(r"\s*([\w.+-]+)(?:\s|$)")


async def configuration(repository: Repository) -> bytes:
    """Return git's configuration as it is, for `without_programs_in`.

    Raises:
        GitError: it can't be read.
    """
    command = ("config", "--includes", "--show-scope", "-z", "--list")
    output = await read_git(repository.root, command, DEFAULTS)
    if output.exit_code != 0:
        raise GitError(f"git can't read the repository's configuration: {output.complaint}")
    return output.data


async def without_programs(repository: Repository) -> Mapping[str, str]:
    """Return configuration that overrides the filters of the repository's own, and missing ones.

    Raises:
        GitError: the repository's configuration can't be read.
    """
    return without_programs_in(await configuration(repository))


def without_programs_in(listing: bytes) -> Mapping[str, str]:
    """Return what overrides the programs in a configuration."""
    overrides: dict[str, str] = {}
    for scope, key, value in _entries(listing):
        match = _FILTER.match(key)
        if match is not None and (scope in _OWN_SCOPES or _is_missing(match[2], value)):
            name = match[1]
            overrides[f"filter.{name}.clean"] = ""
            overrides[f"filter.{name}.smudge"] = ""
            overrides[f"filter.{name}.process"] = ""
            overrides[f"filter.{name}.required"] = "false"
    return overrides


def _entries(listing: bytes) -> Iterator[tuple[bytes, str, str]]:
    fields = listing.split(b"\0")
    for scope, entry in zip(fields[::2], fields[1::2], strict=False):
        key, _, value = entry.decode("utf-8", "surrogateescape").partition("\n")
        yield scope, key, value


def _is_missing(what: str, command: str) -> bool:
    """Tell whether a filter's program is surely not there; a shell might know what we don't."""
    word = _PROGRAM.match(command)
    return what in _PROGRAMS and word is not None and shutil.which(word[1], path=_places()) is None


def _places() -> str:
    """Return where git finds programs: on PATH, and beside its own."""
    path = os.environ.get("PATH", os.defpath)
    git = shutil.which("git", path=path)
    above = Path(git).resolve().parent.parent if git else Path("/usr")
    return os.pathsep.join((path, f"{above}/libexec/git-core", f"{above}/lib/git-core"))
