"""Which of many paths git ignores, when it can't tell of some.

git answers no question at all when one of its paths lies in a submodule or behind a link. So a
question that fails is asked again in halves, until only those paths are left over.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from jupyter_ac.errors import GitError
from jupyter_ac.git.index_entries import ignored
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath

_MOST_FAILURES: Final = 256
"""More failed questions aren't put again: then it isn't for single paths that git fails."""


@dataclass(frozen=True, slots=True)
class IgnoredPaths:
    """What git says of paths.

    Attributes:
        ignored: those that it ignores.
        untold: of which it can't tell, with its reasons.
    """

    ignored: set[RepoPath] = field(default_factory=set)
    untold: dict[RepoPath, GitError] = field(default_factory=dict)


async def ignored_each(repository: Repository, paths: Collection[RepoPath]) -> IgnoredPaths:
    """Ask git of each untracked path whether it ignores it; they need not exist."""
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
                found.untold.update(dict.fromkeys(part, error))
    return found
