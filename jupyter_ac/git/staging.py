"""Stages files: updates the index, which will be the content of the next commit.

Paths are literal, never patterns. All of them are checked before anything is changed, so that a
wrong one leaves the index unchanged.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AcError, Busy, Conflict, NotFound, Unsupported
from jupyter_ac.git.descriptor_entries import is_special, lstat
from jupyter_ac.git.filtered_paths import refuse_staging
from jupyter_ac.git.folder_race_checks import retry_while_changing
from jupyter_ac.git.nested import has_commit, is_repository, repository_above
from jupyter_ac.git.output_parsers import as_input, names_in
from jupyter_ac.git.path_lookup import names_for_git
from jupyter_ac.git.plain_files import is_link
from jupyter_ac.git.refs import last_commit
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.task_groups import gather
from jupyter_ac.git.temp_files import tag_of
from jupyter_ac.git.untracked_files import shown_untracked
from jupyter_ac.git.verified_entries import entries_from_disk, unverified_entries
from jupyter_ac.git.write_commands import Git
from jupyter_ac.ids import RepoPath

_KNOWN: Final = ("ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard")
_NEW_TAG: Final = "?"
# Unlike `ls-files --modified` it reports every form of conflict, and files hidden by a link.
_CHANGED: Final = ("diff-files", "--raw", "-z", "--ignore-submodules=dirty")
_NEW: Final = ("ls-files", "-z", "-t", "--others", "--exclude-standard")
_UNCLEAR: Final = frozenset("AU")
"""Status letters for which the comparison doesn't show the index entry: intent-to-add, conflicts.
"""

_STAGED: Final = ("ls-files", "-z", "--stage")
_UPDATE: Final = ("update-index", "--add", "--remove", "--replace", "-z", "--stdin")
FORGET: Final = ("update-index", "--force-remove", "-z", "--stdin")
"""Removes the files named on standard input from the index; see `feed`."""

_FEW: Final = 200
"""With more paths the full listing is filtered instead."""

_MOST_VERIFIED: Final = 500
_MOST_FILTERED: Final = 20
"""More files than these are staged again once their folders no longer change."""

_ARGUMENT_BYTES: Final = 256 * 1024

ListedFile = tuple[str, str]
"""A name and its status in the output of a listing command."""


async def git_names(repository: Repository, paths: Iterable[str]) -> list[RepoPath]:
    """Return git's names for paths, each once; the paths need not exist.

    Raises:
        RefusedPath: one leads out of the repository or into git's own directory.
    """
    return await names_for_git(repository, paths)


async def stage(git: Git, paths: Sequence[RepoPath]) -> None:
    """Stage files as they are on disk; deleted ones are removed from the index.

    Of a folder's untracked files only those are staged that are shown.

    Args:
        git: with exclusive access to the repository.
        paths: files, or folders with all files below; validated.

    Raises:
        NotFound: git knows no such file, or ignores it; nothing was staged.
        Conflict: it is a repository without a commit, or its content would pass through a filter
            that may not run; nothing was staged.
        Unsupported: it was replaced by a pipe, a socket or a device; nothing was staged.
        GitError: git can't write the index.
    """
    await git.policy()
    listing, changed = await gather(
        _list(git, _KNOWN, _tagged, paths), _list(git, _CHANGED, _compared, paths)
    )
    known = Listing(name for name, _ in listing)
    unknown = [path for path in paths if not known.has(path)]
    if unknown:
        in_head = await in_last_commit(git, unknown)
        for path in unknown:
            if not in_head.has(path):
                raise NotFound(await asyncio.to_thread(_why_unknown, git.repository, path))
    is_shown = shown_untracked(git.repository, paths)
    new = [name for name, tag in listing if tag == _NEW_TAG and is_shown(name)]
    _refuse_special(
        await asyncio.to_thread(_special, git.repository, {name for name, _ in changed})
    )
    await _update(git, changed, new, paths)


def _refuse_special(names: Sequence[str]) -> None:
    if names:
        raise Unsupported(
            f"{names[0]!r} is a pipe, a socket or a device; git stores only regular files and "
            "links, and nothing was staged. Remove it, or leave it out."
        )


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
    """Stage everything that has changed, except repositories without a commit.

    Untracked files that aren't shown stay untracked.

    Returns:
        tracked files that were replaced by a pipe, a socket or a device, which git can't store;
            their index entries are unchanged.

    Raises:
        Conflict: a file's content would pass through a filter that may not run; nothing was staged.
        GitError: git can't write the index.
    """
    await git.policy()
    changed, listing = await gather(_list(git, _CHANGED, _compared), _list(git, _NEW, _tagged))
    is_shown = shown_untracked(git.repository)
    new = [name for name, _ in listing if is_shown(name)]
    special = await asyncio.to_thread(
        _special, git.repository, {*(name for name, _ in changed), *new}
    )
    excluded = frozenset(special)
    await _update(
        git,
        [(name, what) for name, what in changed if name not in excluded],
        [name for name in new if name not in excluded],
    )
    return special


async def stage_only(git: Git, names: Collection[str]) -> None:
    """Stage files as they are on disk; files below named folders are not staged.

    Args:
        git: with exclusive access to the repository.
        names: git paths; those that don't differ from the index are ignored.

    Raises:
        Conflict: a file's content would pass through a filter that may not run, or it is a
            repository without a commit.
        Unsupported: it was replaced by a pipe, a socket or a device.
        GitError: git can't write the index.
    """
    asked = sorted(names)
    await git.policy()
    compared, listing = await gather(
        _list(git, _CHANGED, _compared, asked), _list(git, _NEW, _tagged, asked)
    )
    changed = [(name, what) for name, what in compared if name in names]
    new = [name for name, _ in listing if name in names]
    special = {*(name for name, _ in changed), *new}
    _refuse_special(await asyncio.to_thread(_special, git.repository, special))
    await _update(git, changed, new, asked)


async def unstage(git: Git, paths: Sequence[RepoPath]) -> None:
    """Reset files in the index to the last commit; files on disk are unchanged.

    Raises:
        GitError: git can't write the index.
    """
    for part in in_parts(paths):
        await git.run("reset", "--quiet", "--", *part)


class Listing:
    """Names from a listing command.

    Attributes:
        names: files, each once; a nested repository without the final `/`.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = {name.removesuffix("/") for name in names}
        self._folders = {above for name in self.names for above in folders_above(name)}

    def has(self, path: str) -> bool:
        """Return whether a path is one of the names, or a folder of one."""
        return path in self.names or path in self._folders


async def listed(git: Git, command: Sequence[str], paths: Sequence[str]) -> Listing:
    """Run a listing command for paths; empty for no paths.

    Args:
        git: to run it.
        command: a command that outputs names.
        paths: files, or folders with all files below.
    """
    return Listing([name for name, _ in await _list(git, command, _plain, paths)])


async def _list(
    git: Git,
    command: Sequence[str],
    read: Callable[[list[str]], Iterable[ListedFile]],
    paths: Sequence[str] | None = None,
) -> list[ListedFile]:
    """Run a listing command for files and folders; None for all files."""
    if paths is None or len(paths) > _FEW:  # git compares each file with each path
        fields = names_in((await git.run(*command)).data)
    else:
        fields = await rows(git, command, paths)
    if paths is None or len(paths) <= _FEW:
        return list(read(fields))
    wanted = frozenset(paths)
    return await asyncio.to_thread(
        lambda: [
            (name, what)
            for name, what in read(fields)
            if name in wanted or not wanted.isdisjoint(folders_above(name))
        ]
    )


def _plain(fields: list[str]) -> Iterable[ListedFile]:
    return ((name, "") for name in fields)


def _tagged(fields: list[str]) -> Iterable[ListedFile]:
    """Parse rows with a letter before each name."""
    return ((row[2:].removesuffix("/"), row[0]) for row in fields)


def _compared(fields: list[str]) -> Iterable[ListedFile]:
    """Parse the output of `diff-files`: modes, hashes and status before each name."""
    return zip(fields[1::2], fields[::2], strict=False)


async def rows(git: Git, command: Sequence[str], paths: Sequence[str]) -> list[str]:
    """Run a listing command whose rows contain more than the name, and return the rows."""
    found: list[str] = []
    for part in in_parts(paths):
        found += names_in((await git.run(*command, "--", *part)).data)
    return found


async def in_last_commit(git: Git, paths: Sequence[str]) -> Listing:
    """Return the files of the last commit at these paths; empty before the first commit.

    Raises:
        GitError: git can't read the commit.
    """
    if not await last_commit(git.repository):
        return Listing(())
    return await listed(git, ("ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD"), paths)


async def _update(
    git: Git, changed: Sequence[ListedFile], new: Iterable[str], asked: Collection[str] = ()
) -> None:
    """Update index entries; files that disappear meanwhile are treated as deleted.

    `git add` would fail if a file disappears while it reads; temporary files do.
    """
    found = {*(name for name, _ in changed), *new}
    names = sorted(name for name in found if tag_of(name) is None)
    hidden, nested = await asyncio.to_thread(_on_disk, git.repository.root, names)
    empty = {name for name in nested if not await has_commit(git.repository, name)}
    for path in asked:
        if path in empty:
            raise Conflict(f"{path!r} is a repository without a commit; make one in it first.")
    # If a folder replaces a file, the first update only removes the file from the index.
    present = [name for name in [*names, *nested] if name not in hidden and name not in empty]
    await refuse_staging(git, await asyncio.to_thread(_files, git.repository.root, present))
    await feed(git, FORGET, hidden)
    before = await _before(git, changed)
    await _read_into_index(git, present, before)


def _special(repository: Repository, names: Iterable[str]) -> list[str]:
    """Return the files that are pipes, sockets or devices."""
    found = [(name, lstat(repository, name)) for name in sorted(names)]
    return [name for name, entry in found if entry is not None and is_special(entry.st_mode)]


def _on_disk(root: Path, names: Iterable[str]) -> tuple[set[str], list[str]]:
    """Return the names that are behind a link, and those that are repositories."""
    linked: dict[str, bool] = {}
    hidden: set[str] = set()
    for name in names:
        for above in folders_above(name):
            if above not in linked:
                linked[above] = is_link(root / above)
            if linked[above]:
                hidden.add(name)
    return hidden, [name for name in names if is_repository(root / name)]


async def _before(git: Git, changed: Sequence[ListedFile]) -> list[str]:
    """Return the rows that restore the index entries of changed files."""
    unclear = {name for name, what in changed if what[-1] in _UNCLEAR}
    found = await staged_rows(git, sorted(unclear))
    for name, what in changed:
        if name not in unclear:
            mode, _, blob, *_ = what.removeprefix(":").split(" ")
            found.append(f"{mode} {blob} 0\t{name}")
    return found


async def staged_rows(git: Git, names: Sequence[str]) -> list[str]:
    """Return index entries in the format of `update-index --index-info`."""
    return await rows(git, _STAGED, names)


async def _read_into_index(git: Git, names: Sequence[str], before: Sequence[str]) -> None:
    """Stage files while none of their folders is replaced.

    If other files in these folders keep changing, the files are read here and git stores them.

    Args:
        git: with exclusive access to the repository.
        names: of the files.
        before: their present index entries.

    Raises:
        Busy: folders were changed all the time; the index is unchanged.
        GitError: git can't write the index.
    """
    tries = 0

    async def restore_entries() -> None:
        await feed(git, FORGET, names)
        await feed(git, ("update-index", "-z", "--index-info"), before)

    async def attempt() -> None:
        nonlocal tries
        tries += 1
        if tries > 1:
            await restore_entries()
        await feed(git, _UPDATE, names)

    async def unverified(_: None, doubtful: Collection[str]) -> Collection[str]:
        if len(doubtful) > _MOST_VERIFIED:
            return doubtful
        staged = await staged_rows(git, list(doubtful))
        return await unverified_entries(git, list(doubtful), staged, _MOST_FILTERED)

    try:
        await retry_while_changing(git.repository, attempt, lambda _: names, unverified)
    except Busy as busy:
        # If a folder was a link the index may contain files from elsewhere.
        await restore_entries()
        try:
            own = await entries_from_disk(git, names)
        except AcError:
            raise busy from None
        await feed(git, FORGET, names)
        await feed(git, ("update-index", "-z", "--index-info"), own)


def _files(root: Path, names: Iterable[str]) -> list[str]:
    """Return the names of regular files: only their content passes through filters."""
    return [name for name in names if (root / name).is_file() and not (root / name).is_symlink()]


async def feed(git: Git, command: Sequence[str], names: Iterable[str]) -> None:
    """Run a command that reads names from standard input; does nothing for no names."""
    data = as_input(names)
    if data:
        await git.run(*command, stdin=data)


def folders_above(name: str) -> list[str]:
    """Return the folders above a name, the outermost first."""
    return [name[:at] for at, letter in enumerate(name) if letter == "/"]


def in_parts(paths: Sequence[str]) -> Iterator[list[str]]:
    """Split paths into parts that each fit into the arguments of one command."""
    part: list[str] = []
    left = _ARGUMENT_BYTES
    for path in paths:
        size = len(path.encode("utf-8", "surrogateescape")) + 1
        if part and size > left:
            yield part
            part, left = [], _ARGUMENT_BYTES
        part.append(path)
        left -= size
    if part:
        yield part
