"""Lists what a checkpoint includes: tracked and untracked files, without what git ignores.

git only lists and compares; none of the repository's programs run, not even allowed filters.
"""

import asyncio
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import TooLarge
from jupyter_ac.git.configured_programs import FILTER
from jupyter_ac.git.index_entries import LIST_ENTRIES
from jupyter_ac.git.output_parsers import names_in
from jupyter_ac.git.program_policy import disable_filter, program_policy
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, read_git
from jupyter_ac.git.staging import folders_above
from jupyter_ac.git.stderr import failure
from jupyter_ac.git.task_groups import gather
from jupyter_ac.git.temp_files import tag_of
from jupyter_ac.git.write_commands import TIMEOUT_S

_STATUS: Final = (
    "status",
    "--porcelain=v1",
    "-z",
    "--untracked-files=all",
    "--ignored=matching",
    "--no-renames",
    "--ignore-submodules=all",
)
_UNTRACKED: Final = "?? "
_IGNORED: Final = "!! "
_ROW: Final = re.compile(r"\S \d+ ([0-9a-f]+) \d\t(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ListedFiles:
    """The names that git knows at one moment; files need not exist.

    Attributes:
        index: the index as printed by `LIST_ENTRIES`.
        blobs: hashes in the index: contents that the repository has.
        names: tracked and untracked files.
        ignored: files and folders that git ignores; folders end in `/`.
    """

    index: bytes
    blobs: frozenset[str]
    names: frozenset[str]
    ignored: frozenset[str]

    def is_skipped(self, folder: str, needed: Collection[str]) -> bool:
        """Return whether git ignores a folder with all that is in it.

        Args:
            folder: its path.
            needed: folders that are not skipped.
        """
        return f"{folder}/" in self.ignored and folder not in needed


async def list_files(repository: Repository) -> ListedFiles:
    """Ask git for the names.

    Raises:
        GitError: git can't list them.
        TooLarge: there are too many.
        TimedOut: it took too long.
    """
    config = await _without_filters(repository)
    index, status = await gather(
        _read(repository, LIST_ENTRIES, config), _read(repository, _STATUS, config)
    )
    return await asyncio.to_thread(_parsed, index, status)


def is_ignored(path: str, ignored: Collection[str]) -> bool:
    """Return whether a path is among ignored files, or in an ignored folder."""
    return path in ignored or any(f"{folder}/" in ignored for folder in folders_above(path))


async def _without_filters(repository: Repository) -> Mapping[str, str]:
    policy = await program_policy(repository)
    config = policy.reading()
    for program in policy.programs:
        if program.kind == FILTER:
            config |= disable_filter(program.name, is_required=False)
    return config


async def _read(repository: Repository, args: tuple[str, ...], config: Mapping[str, str]) -> bytes:
    output = await read_git(repository.root, args, GitOptions(config=config, timeout_s=TIMEOUT_S))
    if output.truncated:
        raise TooLarge("The repository has too many files for a checkpoint; ignore some of them.")
    if output.exit_code != 0:
        raise failure(args[0], output.complaint)
    return output.data


def _parsed(index: bytes, status: bytes) -> ListedFiles:
    entries = [match for row in names_in(index) if (match := _ROW.fullmatch(row))]
    rows = names_in(status)
    names = {match[2] for match in entries}
    names.update(row[3:] for row in rows if row.startswith(_UNTRACKED))
    return ListedFiles(
        index=index,
        blobs=frozenset(match[1] for match in entries),
        names=frozenset(name for name in names if tag_of(name) is None),
        ignored=frozenset(row[3:] for row in rows if row.startswith(_IGNORED)),
    )
