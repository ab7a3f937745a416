"""The index: what the next commit will hold.

Paths are taken as they stand, never as patterns. All of them are looked at before anything is
changed, so that a wrong one leaves the index as it was.
"""

import asyncio
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AcError, Busy, Conflict, NotFound, Unsupported
from jupyter_ac.git.beneath import is_special, lstat
from jupyter_ac.git.calm_folders import while_calm
from jupyter_ac.git.changing import Git
from jupyter_ac.git.drafts import tag_of
from jupyter_ac.git.file_types import is_link
from jupyter_ac.git.filtered_paths import refuse_staging
from jupyter_ac.git.head import last_commit
from jupyter_ac.git.name_lists import as_input, names_in
from jupyter_ac.git.nested import has_commit, is_repository, repository_above
from jupyter_ac.git.own_bytes import own_entries
from jupyter_ac.git.path_lookup import names_for_git
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath

_KNOWN: Final = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
# Unlike `ls-files --modified` it knows every form of conflict, and what a link hides.
_CHANGED: Final = ("diff-files", "--name-only", "-z", "--ignore-submodules=dirty")
_NEW: Final = ("ls-files", "-z", "--others", "--exclude-standard")
_UPDATE: Final = ("update-index", "--add", "--remove", "--replace", "-z", "--stdin")
FORGET: Final = ("update-index", "--force-remove", "-z", "--stdin")
"""Takes the files that it reads from standard input out of the index; see `feed`."""

_FEW: Final = 200
"""More paths are picked out of all that there are."""

_ARGUMENT_BYTES: Final = 256 * 1024


async def checked(repository: Repository, paths: Iterable[str]) -> list[RepoPath]:
    """Return the paths in their one spelling, each once; they need not exist.

    Raises:
        RefusedPath: one leads out of the repository or into git's own directory.
    """
    return await names_for_git(repository, paths)


async def stage(git: Git, paths: Sequence[RepoPath]) -> None:
    """Put files into the index as they are on disk; one that is gone goes from it.

    Args:
        git: alone with the repository.
        paths: files, or folders with all below them; checked.

    Raises:
        NotFound: git knows no such file, or ignores it; nothing was staged.
        Conflict: it is a repository without a commit, or its content would pass through a filter
            that may not run; nothing was staged.
        Unsupported: a pipe, a socket or a device took its place; nothing was staged.
        GitError: git can't write the index.
    """
    known = await listed(git, _KNOWN, paths)
    unknown = [path for path in paths if not known.has(path)]
    if unknown:
        in_head = await in_last_commit(git, unknown)
        for path in unknown:
            if not in_head.has(path):
                raise NotFound(await asyncio.to_thread(_why_unknown, git.repository, path))
    changed = await listed(git, _CHANGED, paths)
    new = await listed(git, _NEW, paths)
    special = await asyncio.to_thread(_special, git.repository, changed.names)
    if special:
        raise Unsupported(
            f"{special[0]!r} is a pipe, a socket or a device now; git holds plain files and links "
            "only, and nothing was staged. Remove it, or leave it out."
        )
    await _update(git, changed.names | new.names, paths)


def _why_unknown(repository: Repository, path: str) -> str:
    above = repository_above(repository, path)
    if above:
        return (
            f"{path!r} belongs to the repository {above!r} inside this one; nothing was staged. "
            "Stage it there."
        )
    return (
        f"git knows no file {path!r}, or ignores it; nothing was staged. "
        "Check the name, or `git add --force` it in a terminal."
    )


async def stage_all(git: Git) -> list[str]:
    """Put everything that has changed into the index, but for repositories without a commit.

    Returns:
        tracked files that stay as the index has them: a pipe, a socket or a device took their
        place, which git can't hold.

    Raises:
        Conflict: a file's content would pass through a filter that may not run; nothing was staged.
        GitError: git can't write the index.
    """
    changed, new = await git.run(*_CHANGED), await git.run(*_NEW)
    names = Listing([*names_in(changed.data), *names_in(new.data)]).names
    special = await asyncio.to_thread(_special, git.repository, names)
    await _update(git, names.difference(special))
    return special


async def unstage(git: Git, paths: Sequence[RepoPath]) -> None:
    """Make the index hold what the last commit holds of these files; files stay as they are.

    Raises:
        GitError: git can't write the index.
    """
    for part in in_parts(paths):
        await git.run("reset", "--quiet", "--", *part)


class Listing:
    """Names that git listed.

    Attributes:
        names: files, each once; a nested repository without its final `/`.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = {name.removesuffix("/") for name in names}
        self._folders = {above for name in self.names for above in folders_above(name)}

    def has(self, path: str) -> bool:
        """Tell whether a path is one of the names, or a folder of one."""
        return path in self.names or path in self._folders


async def listed(git: Git, command: Sequence[str], paths: Sequence[str]) -> Listing:
    """Return what a listing command says of these paths; nothing for no paths.

    Args:
        git: runs it.
        command: its rows are names.
        paths: files, or folders with all below them.
    """
    if len(paths) <= _FEW:
        return Listing(await rows(git, command, paths))
    # git compares each file with each path.
    whole, wanted = names_in((await git.run(*command)).data), frozenset(paths)
    return await asyncio.to_thread(
        lambda: Listing(
            name for name in whole if name in wanted or not wanted.isdisjoint(folders_above(name))
        )
    )


async def rows(git: Git, command: Sequence[str], paths: Sequence[str]) -> list[str]:
    """Return what a listing command says, a row for each file, where that is more than its name."""
    found: list[str] = []
    for part in in_parts(paths):
        found += names_in((await git.run(*command, "--", *part)).data)
    return found


async def in_last_commit(git: Git, paths: Sequence[str]) -> Listing:
    """Return what the last commit holds of these paths; nothing before the first one.

    Raises:
        GitError: git can't read the commit.
    """
    if not await last_commit(git.repository):
        return Listing(())
    return await listed(git, ("ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD"), paths)


async def _update(git: Git, changed: Collection[str], asked: Collection[str] = ()) -> None:
    """Bring index entries up to date; what has gone meanwhile is taken as gone.

    `git add` would give up when a file vanishes while it reads; drafts do.
    """
    names = sorted(name for name in changed if tag_of(name) is None)
    hidden, nested = await asyncio.to_thread(_on_disk, git.repository.root, names)
    empty = {name for name in nested if not await has_commit(git.repository, name)}
    for path in asked:
        if path in empty:
            raise Conflict(f"{path!r} is a repository without a commit; make one in it first.")
    # Where a file was, the first look at a repository only takes the file out of the index.
    present = [name for name in [*names, *nested] if name not in hidden and name not in empty]
    await refuse_staging(git, await asyncio.to_thread(_files, git.repository.root, present))
    await feed(git, FORGET, hidden)
    await read_into_index(git, _UPDATE, present)


def _special(repository: Repository, names: Iterable[str]) -> list[str]:
    """Return the files that are pipes, sockets or devices now."""
    found = [(name, lstat(repository, name)) for name in sorted(names)]
    return [name for name, entry in found if entry is not None and is_special(entry.st_mode)]


def _on_disk(root: Path, names: Iterable[str]) -> tuple[set[str], list[str]]:
    """Return the names that lie behind a link now, and those that are repositories."""
    linked: dict[str, bool] = {}
    hidden: set[str] = set()
    for name in names:
        for above in folders_above(name):
            if above not in linked:
                linked[above] = is_link(root / above)
            if linked[above]:
                hidden.add(name)
    return hidden, [name for name in names if is_repository(root / name)]


async def read_into_index(git: Git, command: Sequence[str], names: Sequence[str]) -> None:
    """Run a command that reads files into the index; none of their folders is exchanged meanwhile.

    Where other files of these folders come and go all the time, as in a build, the files are read
    here and git stores what was read.

    Raises:
        Busy: folders were changed all the time; the index is as it was.
        GitError: git can't write the index.
    """
    before = await rows(git, ("ls-files", "-z", "--stage"), names)
    tries = 0

    async def put_back() -> None:
        await feed(git, FORGET, names)
        await feed(git, ("update-index", "-z", "--index-info"), before)

    async def attempt() -> None:
        nonlocal tries
        tries += 1
        if tries > 1:
            await put_back()
        await feed(git, command, names)

    try:
        await while_calm(git.repository, attempt, lambda _: names)
    except Busy as busy:
        # Of a folder that was a link the index may hold files that lie elsewhere.
        await put_back()
        try:
            own = await own_entries(git, names)
        except AcError:
            raise busy from None
        await feed(git, FORGET, names)
        await feed(git, ("update-index", "-z", "--index-info"), own)


def _files(root: Path, names: Iterable[str]) -> list[str]:
    """Return the names of plain files: only their content passes through filters."""
    return [name for name in names if (root / name).is_file() and not (root / name).is_symlink()]


async def feed(git: Git, command: Sequence[str], names: Iterable[str]) -> None:
    """Run a command that reads names from its standard input; none for no names."""
    data = as_input(names)
    if data:
        await git.run(*command, stdin=data)


def folders_above(name: str) -> list[str]:
    """Return the folders that a name lies in, the outermost first."""
    return [name[:at] for at, letter in enumerate(name) if letter == "/"]


def in_parts(paths: Sequence[str]) -> Iterator[list[str]]:
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
