"""Reads git's configuration of all scopes, with the origin of each entry."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jupyter_ac.errors import GitError
from jupyter_ac.git.configuration_cache import Row, configuration_files
from jupyter_ac.git.environment import own_entries
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import DEFAULTS, read_git

_LIST: Final = ("config", "--includes", "--show-scope", "--show-origin", "-z", "--list")
_FIELDS: Final = 3
_FILE: Final = "file:"
_TRUE: Final = frozenset({"true", "yes", "on", "1"})
_REPOSITORY_SCOPES: Final = frozenset({"local", "worktree"})


@dataclass(frozen=True, slots=True)
class Setting:
    """One entry of git's configuration.

    Attributes:
        key: section and variable in lower case, the part between them as written.
        value: as written; "true" for an entry without a value.
        scope: system, global, local, worktree, or command (this process's environment).
        origin: absolute path of the file; "" if it isn't a file.
        is_of_repository: it comes with the repository: by its scope, or from a file in the working
            tree that the user's configuration includes.
    """

    key: str
    value: str
    scope: str
    origin: str = ""
    is_of_repository: bool = False

    @property
    def is_on(self) -> bool:
        """Whether it is a boolean that is true."""
        return self.value.strip().lower() in _TRUE


async def read_configuration(repository: Repository) -> bytes:
    """Return git's listing of its current configuration, for `settings_in`.

    Raises:
        GitError: it can't be read.
    """
    return await repository.configuration.read(
        lambda: _ask(repository), lambda listing: _files(repository, listing)
    )


async def _ask(repository: Repository) -> bytes:
    output = await read_git(repository.root, _LIST, DEFAULTS)
    if output.exit_code != 0:
        raise GitError(f"git can't read the repository's configuration: {output.complaint}")
    return output.data


def _files(repository: Repository, listing: bytes) -> list[str]:
    places = repository.root, repository.git_dir, repository.common_dir
    return configuration_files(*places, _rows(listing))


def settings_in(repository: Repository, listing: bytes) -> list[Setting]:
    """Parse a listing in git's order: of two entries for a key the later one is effective.

    Entries that this program passes to each of its own commands are left out.
    """
    own = sum(1 for _ in own_entries())
    found: list[Setting] = []
    origins: dict[str, tuple[str, bool]] = {}
    for scope, origin, key, value in _rows(listing):
        if scope == "command":
            own -= 1
            if own < 0:
                continue
        if origin not in origins:
            place = _place(repository, origin)
            origins[origin] = place, place != "" and in_working_tree(repository, place)
        place, is_inside = origins[origin]
        is_own = scope in _REPOSITORY_SCOPES or is_inside
        found.append(Setting(key, value, scope, place, is_own))
    return found


def last_value(settings: Sequence[Setting], key: str) -> Setting | None:
    """Return the effective entry of a key; None if it isn't set."""
    return next((each for each in reversed(settings) if each.key == key), None)


def key_parts(key: str) -> tuple[str, str, str]:
    """Split a key into section, name and variable; the name is "" if there is none."""
    section, _, rest = key.partition(".")
    name, _, variable = rest.rpartition(".")
    return section, name, variable


def values_in(listing: bytes, key: str) -> list[str]:
    """Return the values of a key in a listing, in git's order."""
    return [value for _, _, name, value in _rows(listing) if name == key]


def in_working_tree(repository: Repository, place: str) -> bool:
    """Return whether a file is in the working tree and not in git's own directory."""
    path = Path(place)
    is_git = path.is_relative_to(repository.git_dir) or path.is_relative_to(repository.common_dir)
    return path.is_relative_to(repository.root) and not is_git


def _rows(listing: bytes) -> Iterator[Row]:
    fields = listing.decode("utf-8", "surrogateescape").split("\0")
    for scope, origin, entry in zip(*(fields[at::_FIELDS] for at in range(_FIELDS)), strict=False):
        key, found, value = entry.partition("\n")
        yield scope, origin, key, value if found else "true"


def _place(repository: Repository, origin: str) -> str:
    if not origin.startswith(_FILE):
        return ""
    return os.path.realpath(repository.root / origin.removeprefix(_FILE))
