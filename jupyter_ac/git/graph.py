"""Pages of the graph of commits, which fit each other while commits arrive.

To put children before parents git reads the whole history, for each page anew. So the order is
remembered; a further page, or the first one when nothing has changed, only reads its own commits.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from weakref import WeakKeyDictionary, WeakValueDictionary

from jupyter_ac.errors import GitError, InvalidParams
from jupyter_ac.git.commits import EVERYWHERE, Commit, bounded, read_log
from jupyter_ac.git.head import current_branch
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, read_git, run_git

MAX_REMEMBERED: Final = 100_000
"""Commits; what lies behind them is looked for each time."""

# What makes other parents of the same commits: the end of a shallow clone, and replacements.
_BENDING: Final = ("shallow", "info/grafts", "refs/replace", "packed-refs")
_SCOPES: Final[Mapping[bool, tuple[str, ...]]] = {True: EVERYWHERE, False: ("--branches",)}


@dataclass(frozen=True, slots=True)
class CommitPage:
    """Some commits out of many.

    Attributes:
        commits: children before parents.
        has_more: whether others follow.
    """

    commits: list[Commit]
    has_more: bool


@dataclass(frozen=True, slots=True, weakref_slot=True)
class _Order:
    """All commits that some lead to, children before parents.

    Attributes:
        tips: those that lead to all others.
        lines: the first `MAX_REMEMBERED` hashes, one a line.
    """

    tips: tuple[str, ...]
    lines: bytes

    @property
    def width(self) -> int:
        """How long a line is."""
        return self.lines.find(b"\n") + 1

    @property
    def length(self) -> int:
        """How many are remembered."""
        return len(self.lines) // self.width if self.lines else 0

    def part(self, begin: int, end: int) -> list[str]:
        """Return some of the hashes."""
        return self.lines[begin * self.width : end * self.width].decode("ascii").split()


class Graph:
    """The graph of a repository, as each of its readers began to look at it.

    Args:
        repository: whose commits.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._known: WeakValueDictionary[object, _Order] = WeakValueDictionary()
        self._begun: WeakKeyDictionary[object, dict[bool, _Order]] = WeakKeyDictionary()
        self._ordering = asyncio.Lock()

    async def page(
        self, reader: object, limit: int = 100, offset: int = 0, *, every_ref: bool = False
    ) -> CommitPage:
        """Return a page; further ones go on from what the reader's last first page began with.

        Args:
            reader: remembered as long as it lives.
            limit: at most so many.
            offset: leave out so many before them.
            every_ref: also what only remote branches and tags lead to; HEAD always counts.

        Raises:
            InvalidParams: the offset or the limit is below 0.
            GitError: git can't read the history.
        """
        if offset < 0:
            raise InvalidParams("`offset` is below 0; count commits from 0.")
        asked = bounded(limit)
        begun = self._begun.setdefault(reader, {})
        if offset > 0 and every_ref in begun:
            try:
                return await self._read(begun[every_ref], asked, offset)
            except GitError:
                pass  # a commit that no ref leads to any more may be gone
        order = begun[every_ref] = await self._current(every_ref=every_ref)
        return await self._read(order, asked, offset)

    async def _current(self, *, every_ref: bool) -> _Order:
        head = await current_branch(self._repository)
        scope = (*_SCOPES[every_ref], head.sha) if head.sha else _SCOPES[every_ref]
        listed = await run_git(self._repository.root, "rev-list", "--no-walk=unsorted", *scope)
        tips = tuple(listed.decode("ascii").split())
        key = (tips, await asyncio.to_thread(_signs, self._repository.common_dir))
        # Many pages may ask at once, after a start or a commit; one reading does for all.
        async with self._ordering:
            order = self._known.get(key)
            if order is None:
                order = self._known[key] = _Order(tips, await self._ordered(tips))
        return order

    async def _ordered(self, tips: Sequence[str]) -> bytes:
        if not tips:
            return b""
        options = GitOptions(stdin="".join(f"{tip}\n" for tip in tips).encode())
        command = ("rev-list", "--topo-order", f"--max-count={MAX_REMEMBERED}", "--stdin")
        output = await read_git(self._repository.root, command, options)
        if output.exit_code != 0:
            raise GitError(f"git can't read the history: {output.complaint}")
        return output.data

    async def _read(self, order: _Order, asked: int, offset: int) -> CommitPage:
        end = offset + asked
        if end < order.length or order.length < MAX_REMEMBERED:
            wanted = order.part(offset, end)
            only = ("--no-walk=unsorted",)
            found = await read_log(self._repository, only, wanted) if wanted else []
            return CommitPage(found, has_more=end < order.length)
        far = ("--topo-order", f"--skip={offset}", f"--max-count={asked + 1}")
        found = await read_log(self._repository, far, order.tips)
        return CommitPage(found[:asked], has_more=len(found) > asked)


def _signs(git_dir: Path) -> tuple[tuple[int, int] | None, ...]:
    """Return what changes with the files that bend the history."""

    def sign(name: str) -> tuple[int, int] | None:
        try:
            found = (git_dir / name).stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size

    return tuple(sign(name) for name in _BENDING)
