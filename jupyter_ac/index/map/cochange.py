"""Mines git's history for files that change together, recently, and for which words."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.words import asked_stems

LOG: Final = (
    *("log", "-z", "--no-merges", "--no-renames", "--name-only", "--format=%x01%s", "-n2000"),
    *("--no-ext-diff", "--no-textconv", "--no-show-signature"),
)
"""Arguments of git for what `read_log` reads."""
MAX_TOGETHER: Final = 60
"""Files of one commit beyond which it says nothing of what belongs together."""

_HALF: Final = 150
"""Commits after which a change counts half."""
_SMALL: Final = 8
"""Files of one commit up to which each counts whole."""
_MARK: Final = "\x01"


class HistoryCommit(NamedTuple):
    """A commit.

    Attributes:
        paths: the files that it changed.
        subject: the first line of its message.
    """

    paths: Sequence[RepoPath]
    subject: str = ""


class CoChange:
    """Statistics of the history: files that changed together, and their words.

    Args:
        commits: the newest first.
    """

    def __init__(self, commits: Sequence[HistoryCommit] = ()) -> None:
        self._commits = [
            (_weight(age, len(commit.paths)), commit)
            for age, commit in enumerate(commits)
            if len(commit.paths) <= MAX_TOGETHER
        ]
        self._places: dict[RepoPath, list[int]] = defaultdict(list)
        activity: dict[RepoPath, float] = defaultdict(float)
        for at, (weight, commit) in enumerate(self._commits):
            for path in commit.paths:
                self._places[path].append(at)
                activity[path] += weight
        self.activity: Mapping[RepoPath, float] = activity
        """How often each file was changed, what is long ago counted less."""

    def together(self, selected: Collection[RepoPath]) -> dict[RepoPath, float]:
        """Return how likely each file is to change with those that are selected, 0 to 1."""
        found: dict[RepoPath, float] = defaultdict(float)
        whole = 1.0
        for at in sorted({at for path in selected for at in self._places.get(path, ())}):
            weight, commit = self._commits[at]
            whole += weight
            for path in commit.paths:
                found[path] += weight
        return {path: value / whole for path, value in found.items()}

    def told(self, words: Mapping[str, float]) -> dict[RepoPath, float]:
        """Return how well the subjects of each file's commits meet words, each with its weight."""
        meets: dict[int, float] = defaultdict(float)
        for word, share in words.items():
            for at in self._subjects.get(word, ()):
                meets[at] += share
        found: dict[RepoPath, float] = defaultdict(float)
        for at, share in sorted(meets.items()):
            weight, commit = self._commits[at]
            for path in commit.paths:
                found[path] += weight * share
        return found

    @cached_property
    def _subjects(self) -> dict[str, list[int]]:
        """The commits whose subjects have a word."""
        found: dict[str, list[int]] = defaultdict(list)
        for at, (_, commit) in enumerate(self._commits):
            for word in asked_stems(commit.subject):
                found[word].append(at)
        return found


def _weight(age: int, count: int) -> float:
    return _HALF / (_HALF + age) * min(1.0, _SMALL / max(count, 1))


def read_log(data: bytes) -> list[HistoryCommit]:
    """Read what git writes for `LOG`: the commits, newest first."""
    commits: list[tuple[list[RepoPath], str]] = []
    # The first of a commit's names stands behind a line feed; a later one may begin as it likes.
    for field in data.decode("utf-8", "surrogateescape").split("\0"):
        if field.startswith(_MARK):
            commits.append(([], field.removeprefix(_MARK)))
        elif commits and field:
            paths = commits[-1][0]
            paths.append(RepoPath(field if paths else field.removeprefix("\n")))
    return [HistoryCommit(tuple(paths), subject) for paths, subject in commits]
