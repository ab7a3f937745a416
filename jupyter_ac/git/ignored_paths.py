"""Checks which paths git ignores, and which edits of `.gitignore` may make ignored files visible.

git fails for a whole query if one of its paths is in a submodule or behind a link. So a failed
query is split in halves and repeated, until only such paths remain.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from jupyter_ac.errors import GitError
from jupyter_ac.git.index_entries import ignored
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath

_MOST_FAILURES: Final = 256
"""Limit for failed queries: with more of them single paths are not the cause."""


@dataclass(frozen=True, slots=True)
class IgnoredPaths:
    """The result of a query.

    Attributes:
        ignored: the ignored paths.
        failed: the paths for which git failed, with its errors.
    """

    ignored: set[RepoPath] = field(default_factory=set)
    failed: dict[RepoPath, GitError] = field(default_factory=dict)


async def ignored_each(repository: Repository, paths: Collection[RepoPath]) -> IgnoredPaths:
    """Check each untracked path for being ignored; the paths need not exist."""
    found = IgnoredPaths()
    parts = [list(paths)]
    failures = 0
    while parts:
        part = parts.pop()
        try:
            found.ignored.update(await ignored(repository, part))
        except GitError as error:
            failures += 1
            half = len(part) // 2
            if half and failures <= _MOST_FAILURES:
                parts += [part[half:], part[:half]]
            else:
                found.failed.update(dict.fromkeys(part, error))
    return found


IGNORE_FILE: Final = ".gitignore"
UNIGNORES: Final = (
    "it may make git stop ignoring files, and files that aren't ignored are in the map"
)


def only_ignores_more(old: Sequence[str], new: Sequence[str]) -> bool:
    """Return whether after an edit git still ignores everything that it ignored before.

    This is the case if patterns are only added, none of them with `!` (gitignore(5)).

    Args:
        old: the replaced lines, without their ends.
        new: the new lines.
    """
    rest = iter(old)
    wanted = next(rest, None)
    for line in new:
        if line == wanted:
            wanted = next(rest, None)
        elif line.startswith("!"):
            return False
    return wanted is None
