"""The index: what the next commit will hold.

Paths are taken as they stand, never as patterns. All of them are looked at before anything is
changed, so that a wrong one leaves the index as it was.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from jupyter_ac.errors import NotFound
from jupyter_ac.git.changing import Git
from jupyter_ac.git.drafts import tag_of
from jupyter_ac.git.paths import locate_entry
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath

_KNOWN: Final = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
_CHANGED: Final = ("ls-files", "-z", "--modified", "--deleted", "--others", "--exclude-standard")
_UPDATE: Final = ("update-index", "--add", "--remove", "--replace", "-z", "--stdin")
_ARGUMENT_BYTES: Final = 256 * 1024


async def checked(repository: Repository, paths: Iterable[str]) -> list[RepoPath]:
    """Return the paths in their one spelling, each once; they need not exist.

    Raises:
        RefusedPath: one leads out of the repository or into git's own directory.
    """
    located = await asyncio.to_thread(
        lambda: [locate_entry(repository, path).path for path in paths]
    )
    return list(dict.fromkeys(located))


async def stage(git: Git, paths: Sequence[RepoPath]) -> None:
    """Put files into the index as they are on disk; one that is gone goes from it.

    Args:
        git: alone with the repository.
        paths: files, or folders with all below them; checked.

    Raises:
        NotFound: git knows no such file, or ignores it; nothing was staged.
        GitError: git can't write the index.
    """
    known = await listed(git, _KNOWN, paths)
    unknown = [path for path in paths if not known.has(path)]
    if unknown:
        in_head = await in_last_commit(git, unknown)
        for path in unknown:
            if not in_head.has(path):
                raise NotFound(
                    f"git knows no file {path!r}, or ignores it; nothing was staged. "
                    "Check the name, or `git add --force` it in a terminal."
                )
    await _update(git, await listed(git, _CHANGED, paths))


async def stage_all(git: Git) -> None:
    """Put everything that has changed into the index.

    Raises:
        GitError: git can't write the index.
    """
    await _update(git, Listing(_names((await git.run(*_CHANGED)).data)))


async def unstage(git: Git, paths: Sequence[RepoPath]) -> None:
    """Make the index hold what the last commit holds of these files; files stay as they are.

    Raises:
        GitError: git can't write the index.
    """
    for part in _in_parts(paths):
        await git.run("reset", "--quiet", "--", *part)


class Listing:
    """Names that git listed.

    Attributes:
        names: files, each once; a nested repository without its final `/`.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = {name.removesuffix("/") for name in names}
        self._folders = {
            name[:at] for name in self.names for at, letter in enumerate(name) if letter == "/"
        }

    def has(self, path: str) -> bool:
        """Tell whether a path is one of the names, or a folder of one."""
        return path in self.names or path in self._folders


async def listed(git: Git, command: Sequence[str], paths: Sequence[str]) -> Listing:
    """Return what a listing command says of these paths; nothing for no paths."""
    names: list[str] = []
    for part in _in_parts(paths):
        names += _names((await git.run(*command, "--", *part)).data)
    return Listing(names)


async def in_last_commit(git: Git, paths: Sequence[str]) -> Listing:
    """Return what the last commit holds of these paths; nothing before the first one."""
    head = await git.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}", ok=(0, 1))
    if head.exit_code != 0:
        return Listing(())
    return await listed(git, ("ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD"), paths)


async def _update(git: Git, changed: Listing) -> None:
    """Bring index entries up to date; what has gone meanwhile is taken as gone.

    `git add` would give up when a file vanishes while it reads; drafts do.
    """
    names = sorted(name for name in changed.names if tag_of(name) is None)
    if names:
        stdin = b"".join(name.encode("utf-8", "surrogateescape") + b"\0" for name in names)
        await git.run(*_UPDATE, stdin=stdin)


def _names(data: bytes) -> list[str]:
    return [name for name in data.decode("utf-8", "surrogateescape").split("\0") if name]


def _in_parts(paths: Sequence[str]) -> Iterator[list[str]]:
    """Give the paths in parts that fit into one command's arguments each."""
    part: list[str] = []
    room = _ARGUMENT_BYTES
    for path in paths:
        size = len(path.encode("utf-8", "surrogateescape")) + 1
        if part and size > room:
            yield part
            part, room = [], _ARGUMENT_BYTES
        part.append(path)
        room -= size
    if part:
        yield part
