"""Which files were changed together, and lately: counted from a list of commits."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from jupyter_ac.ids import RepoPath

LOG: Final = (
    *("log", "-z", "--no-merges", "--no-renames", "--name-only", "--format=%x01", "-n2000"),
    *("--no-ext-diff", "--no-textconv", "--no-show-signature"),
)
"""Arguments of git for what `read_log` reads."""
MAX_TOGETHER: Final = 60
"""Files of one commit beyond which it says nothing of what belongs together."""

_HALF: Final = 150
"""Commits after which a change counts half."""
_SMALL: Final = 8
"""Files of one commit up to which each counts whole."""


class CoChange:
    """What the history says of the files.

    Args:
        commits: the files of each commit, newest first.
    """

    def __init__(self, commits: Sequence[Sequence[RepoPath]] = ()) -> None:
        self._commits = [
            (_weight(age, len(paths)), paths)
            for age, paths in enumerate(commits)
            if len(paths) <= MAX_TOGETHER
        ]
        self._places: dict[RepoPath, list[int]] = defaultdict(list)
        activity: dict[RepoPath, float] = defaultdict(float)
        for at, (weight, paths) in enumerate(self._commits):
            for path in paths:
                self._places[path].append(at)
                activity[path] += weight
        self.activity: Mapping[RepoPath, float] = activity
        """How often each file was changed, what is long ago counted less."""

    def together(self, selected: Collection[RepoPath]) -> dict[RepoPath, float]:
        """Return how likely each file is to change with those that are selected, 0 to 1."""
        found: dict[RepoPath, float] = defaultdict(float)
        whole = 1.0
        for at in sorted({at for path in selected for at in self._places.get(path, ())}):
            weight, paths = self._commits[at]
            whole += weight
            for path in paths:
                found[path] += weight
        return {path: value / whole for path, value in found.items()}


def _weight(age: int, count: int) -> float:
    return _HALF / (_HALF + age) * min(1.0, _SMALL / max(count, 1))


def read_log(data: bytes) -> list[list[RepoPath]]:
    """Read `git log -z --name-only --format=%x01`: the files of each commit, newest first."""
    commits: list[list[RepoPath]] = []
    for field in data.decode("utf-8", "surrogateescape").split("\0"):
        if field == "\x01":
            commits.append([])
        elif commits and field:
            # A line feed stands between a commit's mark and its first name.
            commits[-1].append(RepoPath(field if commits[-1] else field.removeprefix("\n")))
    return commits
