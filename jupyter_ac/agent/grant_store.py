"""The leading arguments that the user has allowed for a repository from now on, in a JSON file.

The file is in the user's configuration folder, never in the repository. A repository is identified
as for the programs that it configures: by the path and the inode of its git directory, so that its
worktrees share what is allowed, and a copy at another path has nothing.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from jupyter_ac.errors import NotFound, TooLarge
from jupyter_ac.git.allowed_programs import repository_key
from jupyter_ac.git.repository import Repository
from jupyter_ac.store.repository_tables import change_repository, read_repositories

FILE: Final = "agent_grants.json"
MAX_GRANTS: Final = 200
"""Of a repository."""

LEAST_WORDS: Final = 2
"""One word alone would allow all that a program can do."""

MAX_PREFIX_CHARS: Final = 4096

_LOCK: Final = "agent_grants"
_PROBLEM: Final = (
    f"{FILE} in the configuration folder can't be read, so nothing in it is allowed; "
    "correct or remove it."
)


@dataclass(frozen=True, slots=True)
class PrefixGrant:
    """A permission: commands that begin with these arguments run without asking.

    Attributes:
        prefix: the arguments, the program first.
        granted_at: ISO 8601, UTC; "" if the file doesn't say.
    """

    prefix: tuple[str, ...]
    granted_at: str = ""


@dataclass(frozen=True, slots=True)
class StoredGrants:
    """What is allowed for a repository.

    Attributes:
        grants: oldest first, each prefix once.
        problem: why the file can't be used, in a sentence; then nothing is allowed.
    """

    grants: tuple[PrefixGrant, ...] = ()
    problem: str = ""


class GrantStore:
    """The stored permissions of one repository; every host of the user sees changes at once.

    Args:
        config_dir: the user's configuration folder.
        repository: whose they are.
    """

    def __init__(self, config_dir: Path, repository: Repository) -> None:
        self._place = config_dir / FILE
        self._repository = repository

    async def read(self) -> StoredGrants:
        """Return what is allowed; what isn't valid in the file allows nothing."""
        return await asyncio.to_thread(self._read)

    async def add(self, prefix: Sequence[str]) -> None:
        """Allow commands that begin with these arguments; twice is once.

        Raises:
            TooLarge: the prefix is too long, or the repository or the file has its most.
            Busy: another host has been writing for seconds.
            AcError: the file can't be written.
        """
        grant = PrefixGrant(tuple(prefix), datetime.now(UTC).isoformat(timespec="seconds"))
        if not _is_valid(grant.prefix):
            raise TooLarge(
                f"Leading arguments that are allowed have at least {LEAST_WORDS} words, none of "
                f"them empty, and at most {MAX_PREFIX_CHARS:,} characters; allow it once."
            )
        await self._change(grant, grant.prefix)

    async def remove(self, prefix: Sequence[str]) -> None:
        """Take a permission back.

        Raises:
            NotFound: there is none of these arguments.
            Busy: another host has been writing for seconds.
            AcError: the file can't be written.
        """
        await self._change(None, tuple(prefix))

    def _read(self) -> StoredGrants:
        try:
            found = read_repositories(self._place).get(repository_key(self._repository))
        except (OSError, ValueError, TypeError, RecursionError):
            return StoredGrants(problem=_PROBLEM)
        return StoredGrants(_first_of_each(found))

    async def _change(self, grant: PrefixGrant | None, prefix: tuple[str, ...]) -> None:
        def change(found: object) -> object:
            before = _first_of_each(found)
            grants = [each for each in before if each.prefix != prefix]
            if grant is not None:
                if len(grants) >= MAX_GRANTS:
                    raise TooLarge(
                        f"{MAX_GRANTS} leading arguments are allowed for this repository already; "
                        "take some back."
                    )
                grants.append(grant)
            elif len(grants) == len(before):
                raise NotFound("These leading arguments aren't allowed; read the list again.")
            return [{"prefix": list(each.prefix), "granted_at": each.granted_at} for each in grants]

        await change_repository(self._place, _LOCK, repository_key(self._repository), change)


def _first_of_each(found: object) -> tuple[PrefixGrant, ...]:
    by_prefix: dict[tuple[str, ...], PrefixGrant] = {}
    for grant in _valid(found):
        by_prefix.setdefault(grant.prefix, grant)
    return tuple(by_prefix.values())[:MAX_GRANTS]


def _valid(found: object) -> Iterator[PrefixGrant]:
    for row in found if isinstance(found, list) else ():
        prefix = row.get("prefix") if isinstance(row, dict) else None
        if isinstance(prefix, list) and _is_valid(prefix):
            granted_at = row.get("granted_at")
            yield PrefixGrant(tuple(prefix), granted_at if isinstance(granted_at, str) else "")


def _is_valid(prefix: Sequence[object]) -> bool:
    words = [word for word in prefix if isinstance(word, str) and word and "\0" not in word]
    is_long = sum(map(len, words)) > MAX_PREFIX_CHARS
    return len(prefix) == len(words) >= LEAST_WORDS and not is_long
