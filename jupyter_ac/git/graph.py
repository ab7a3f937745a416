"""Pages of the commit graph that stay consistent while commits arrive.

To sort children before parents git reads the whole history for each page. So the order is cached; a
further page, or the first one if nothing has changed, reads only its own commits.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from weakref import WeakKeyDictionary, WeakValueDictionary

from jupyter_ac.errors import GitError, InvalidParams
from jupyter_ac.git.commits import EVERYWHERE, Commit, read_log, validated_limit
from jupyter_ac.git.refs import current_branch
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, read_git, run_git

MAX_REMEMBERED: Final = 100_000
"""Maximum number of commits in the cache; those behind them are read each time."""

# Files that change the parents of existing commits: shallow clones and replacements.
_BENDING: Final = ("shallow", "info/grafts", "refs/replace", "packed-refs")
_SCOPES: Final[Mapping[bool, tuple[str, ...]]] = {True: EVERYWHERE, False: ("--branches",)}


@dataclass(frozen=True, slots=True)
class CommitPage:
    """A page of commits.

    Attributes:
        commits: children before parents.
        has_more: whether further commits follow.
    """

    commits: list[Commit]
    has_more: bool


@dataclass(frozen=True, slots=True, weakref_slot=True)
class _Order:
    """A cached topological order: all commits reachable from some tips, children before parents.

    Attributes:
        tips: the commits from which all others are reachable.
        lines: the first `MAX_REMEMBERED` hashes, one per line.
    """

    tips: tuple[str, ...]
    lines: bytes

    @property
    def width(self) -> int:
        """Length of a line in bytes."""
        return self.lines.find(b"\n") + 1

    @property
    def length(self) -> int:
        """Number of cached hashes."""
        return len(self.lines) // self.width if self.lines else 0

    def part(self, begin: int, end: int) -> list[str]:
        """Return a range of the hashes."""
        return self.lines[begin * self.width : end * self.width].decode("ascii").split()


class Graph:
    """The paged commit graph of a repository; each reader has a consistent view.

    Args:
        repository: the repository.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._known: WeakValueDictionary[object, _Order] = WeakValueDictionary()
        self._begun: WeakKeyDictionary[object, dict[bool, _Order]] = WeakKeyDictionary()
        self._ordering = asyncio.Lock()

    async def page(
        self, reader: object, limit: int = 100, offset: int = 0, *, every_ref: bool = False
    ) -> CommitPage:
        """Return a page; further pages continue the order of the reader's last first page.

        Args:
            reader: identity of the reader; its state is dropped with this object.
            limit: maximum number of commits.
            offset: number of commits to skip.
            every_ref: include commits reachable only from remote branches and tags; HEAD always
                counts.

        Raises:
            InvalidParams: the offset or the limit is negative.
            GitError: git can't read the history.
        """
        if offset < 0:
            raise InvalidParams("`offset` is negative; count commits from 0.")
        asked = validated_limit(limit)
        begun = self._begun.setdefault(reader, {})
        if offset > 0 and every_ref in begun:
            try:
                return await self._read(begun[every_ref], asked, offset)
            except GitError:
                pass  # unreachable commits may have been removed
        order = begun[every_ref] = await self._current(every_ref=every_ref)
        return await self._read(order, asked, offset)

    async def _current(self, *, every_ref: bool) -> _Order:
        head = await current_branch(self._repository)
        scope = (*_SCOPES[every_ref], head.sha) if head.sha else _SCOPES[every_ref]
        listed = await run_git(self._repository.root, "rev-list", "--no-walk=unsorted", *scope)
        tips = tuple(listed.decode("ascii").split())
        key = (tips, await asyncio.to_thread(_signs, self._repository.common_dir))
        # Many pages may be requested at once, after a start or a commit; one read serves all.
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
    """Return time and size of the files that change the history."""

    def sign(name: str) -> tuple[int, int] | None:
        try:
            found = (git_dir / name).stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size

    return tuple(sign(name) for name in _BENDING)
