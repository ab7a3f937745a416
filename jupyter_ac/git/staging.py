"""The index: what the next commit will hold.

Paths are taken as they stand, never as patterns. All of them are looked at before anything is
changed, so that a wrong one leaves the index as it was.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AcError, Busy, Conflict, NotFound, Unsupported
from jupyter_ac.git.descriptor_entries import is_special, lstat
from jupyter_ac.git.file_types import is_link
from jupyter_ac.git.filtered_paths import refuse_staging
from jupyter_ac.git.folder_race_checks import while_calm
from jupyter_ac.git.head import last_commit
from jupyter_ac.git.name_lists import as_input, names_in
from jupyter_ac.git.nested import has_commit, is_repository, repository_above
from jupyter_ac.git.path_lookup import names_for_git
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.task_groups import together
from jupyter_ac.git.temp_files import tag_of
from jupyter_ac.git.untracked_files import shown_untracked
from jupyter_ac.git.verified_entries import other_than_own, own_entries
from jupyter_ac.git.write_commands import Git
from jupyter_ac.ids import RepoPath

_KNOWN: Final = ("ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard")
_NEW_TAG: Final = "?"
# Unlike `ls-files --modified` it knows every form of conflict, and what a link hides.
_CHANGED: Final = ("diff-files", "--raw", "-z", "--ignore-submodules=dirty")
_NEW: Final = ("ls-files", "-z", "-t", "--others", "--exclude-standard")
_UNTOLD: Final = frozenset("AU")
"""Letters of files of which a comparison doesn't tell what the index has: promises, conflicts."""

_STAGED: Final = ("ls-files", "-z", "--stage")
_UPDATE: Final = ("update-index", "--add", "--remove", "--replace", "-z", "--stdin")
FORGET: Final = ("update-index", "--force-remove", "-z", "--stdin")
"""Takes the files that it reads from standard input out of the index; see `feed`."""

_FEW: Final = 200
"""More paths are picked out of all that there are."""

_MOST_PROVED: Final = 500
_MOST_FILTERED: Final = 20
"""More files than these are staged anew once their folders have come to rest."""

_ARGUMENT_BYTES: Final = 256 * 1024

Said = tuple[str, str]
"""A name, and what a listing command says of it."""


async def checked(repository: Repository, paths: Iterable[str]) -> list[RepoPath]:
    """Return the paths in their one spelling, each once; they need not exist.

    Raises:
        RefusedPath: one leads out of the repository or into git's own directory.
    """
    return await names_for_git(repository, paths)


async def stage(git: Git, paths: Sequence[RepoPath]) -> None:
    """Put files into the index as they are on disk; one that is gone goes from it.

    Of a folder's untracked files those that are shown.

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
    await git.policy()
    told, changed = await together(
        _said(git, _KNOWN, _tagged, paths), _said(git, _CHANGED, _compared, paths)
    )
    known = Listing(name for name, _ in told)
    unknown = [path for path in paths if not known.has(path)]
    if unknown:
        in_head = await in_last_commit(git, unknown)
        for path in unknown:
            if not in_head.has(path):
                raise NotFound(await asyncio.to_thread(_why_unknown, git.repository, path))
    is_shown = shown_untracked(git.repository, paths)
    new = [name for name, tag in told if tag == _NEW_TAG and is_shown(name)]
    _refuse_special(
        await asyncio.to_thread(_special, git.repository, {name for name, _ in changed})
    )
    await _update(git, changed, new, paths)


def _refuse_special(names: Sequence[str]) -> None:
    if names:
        raise Unsupported(
            f"{names[0]!r} is a pipe, a socket or a device now; git holds plain files and links "
            "only, and nothing was staged. Remove it, or leave it out."
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
    """Put everything that has changed into the index, but for repositories without a commit.

    Untracked files that aren't shown stay untracked.

    Returns:
        tracked files that stay as the index has them: a pipe, a socket or a device took their
        place, which git can't hold.

    Raises:
        Conflict: a file's content would pass through a filter that may not run; nothing was staged.
        GitError: git can't write the index.
    """
    await git.policy()
    changed, told = await together(_said(git, _CHANGED, _compared), _said(git, _NEW, _tagged))
    is_shown = shown_untracked(git.repository)
    new = [name for name, _ in told if is_shown(name)]
    special = await asyncio.to_thread(
        _special, git.repository, {*(name for name, _ in changed), *new}
    )
    held = frozenset(special)
    await _update(
        git,
        [(name, what) for name, what in changed if name not in held],
        [name for name in new if name not in held],
    )
    return special


async def stage_only(git: Git, names: Collection[str]) -> None:
    """Put files into the index as they are on disk; of folders that are named nothing below them.

    Args:
        git: alone with the repository.
        names: as git names them; those that don't differ from the index are passed over.

    Raises:
        Conflict: a file's content would pass through a filter that may not run, or it is a
            repository without a commit.
        Unsupported: a pipe, a socket or a device took its place.
        GitError: git can't write the index.
    """
    asked = sorted(names)
    await git.policy()
    compared, told = await together(
        _said(git, _CHANGED, _compared, asked), _said(git, _NEW, _tagged, asked)
    )
    changed = [(name, what) for name, what in compared if name in names]
    new = [name for name, _ in told if name in names]
    special = {*(name for name, _ in changed), *new}
    _refuse_special(await asyncio.to_thread(_special, git.repository, special))
    await _update(git, changed, new, asked)


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
    return Listing([name for name, _ in await _said(git, command, _plain, paths)])


async def _said(
    git: Git,
    command: Sequence[str],
    read: Callable[[list[str]], Iterable[Said]],
    paths: Sequence[str] | None = None,
) -> list[Said]:
    """Return what a listing command says of paths, folders with all below them; None for all."""
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


def _plain(fields: list[str]) -> Iterable[Said]:
    return ((name, "") for name in fields)


def _tagged(fields: list[str]) -> Iterable[Said]:
    """Read rows with a letter before each name."""
    return ((row[2:].removesuffix("/"), row[0]) for row in fields)


def _compared(fields: list[str]) -> Iterable[Said]:
    """Read what a comparison writes: before each name modes, contents and what has changed."""
    return zip(fields[1::2], fields[::2], strict=False)


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


async def _update(
    git: Git, changed: Sequence[Said], new: Iterable[str], asked: Collection[str] = ()
) -> None:
    """Bring index entries up to date; what has gone meanwhile is taken as gone.

    `git add` would give up when a file vanishes while it reads; drafts do.
    """
    found = {*(name for name, _ in changed), *new}
    names = sorted(name for name in found if tag_of(name) is None)
    hidden, nested = await asyncio.to_thread(_on_disk, git.repository.root, names)
    empty = {name for name in nested if not await has_commit(git.repository, name)}
    for path in asked:
        if path in empty:
            raise Conflict(f"{path!r} is a repository without a commit; make one in it first.")
    # Where a file was, the first look at a repository only takes the file out of the index.
    present = [name for name in [*names, *nested] if name not in hidden and name not in empty]
    await refuse_staging(git, await asyncio.to_thread(_files, git.repository.root, present))
    await feed(git, FORGET, hidden)
    before = await _before(git, changed)
    await _read_into_index(git, present, before)


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


async def _before(git: Git, changed: Sequence[Said]) -> list[str]:
    """Return the rows by which the index gets back what it has of changed files."""
    untold = {name for name, what in changed if what[-1] in _UNTOLD}
    found = await staged_rows(git, sorted(untold))
    for name, what in changed:
        if name not in untold:
            mode, _, blob, *_ = what.removeprefix(":").split(" ")
            found.append(f"{mode} {blob} 0\t{name}")
    return found


async def staged_rows(git: Git, names: Sequence[str]) -> list[str]:
    """Return the entries of the index, as `update-index --index-info` takes them."""
    return await rows(git, _STAGED, names)


async def _read_into_index(git: Git, names: Sequence[str], before: Sequence[str]) -> None:
    """Read files into the index; none of their folders is exchanged meanwhile.

    Where other files of these folders come and go all the time, as in a build, the files are read
    here and git stores what was read.

    Args:
        git: alone with the repository.
        names: of the files.
        before: what the index has of them.

    Raises:
        Busy: folders were changed all the time; the index is as it was.
        GitError: git can't write the index.
    """
    tries = 0

    async def put_back() -> None:
        await feed(git, FORGET, names)
        await feed(git, ("update-index", "-z", "--index-info"), before)

    async def attempt() -> None:
        nonlocal tries
        tries += 1
        if tries > 1:
            await put_back()
        await feed(git, _UPDATE, names)

    async def unproved(_: None, doubtful: Collection[str]) -> Collection[str]:
        if len(doubtful) > _MOST_PROVED:
            return doubtful
        held = await staged_rows(git, list(doubtful))
        return await other_than_own(git, list(doubtful), held, _MOST_FILTERED)

    try:
        await while_calm(git.repository, attempt, lambda _: names, unproved)
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
