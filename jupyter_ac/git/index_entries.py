"""Reads and restores single entries of git's index exactly, and stages files by literal name."""

import asyncio
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from jupyter_ac.errors import GitError
from jupyter_ac.git.disk_entries import DiskEntry
from jupyter_ac.git.environment import Level
from jupyter_ac.git.filtered_paths import unfiltered
from jupyter_ac.git.output_parsers import as_input, names_in
from jupyter_ac.git.program_policy import program_policy
from jupyter_ac.git.rated_programs import RatedProgram
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, read_git
from jupyter_ac.git.staging import in_parts, staged_rows
from jupyter_ac.git.stderr import failure
from jupyter_ac.git.verified_entries import blob_name, unverified_entries
from jupyter_ac.git.write_commands import Git
from jupyter_ac.ids import RepoPath

SUBMODULE: Final = "160000"

LIST_ENTRIES: Final = ("ls-files", "-z", "--stage", "-v")
"""The command whose output `entries_in` parses."""

_ROW: Final = re.compile(r"(\S) (\d+) ([0-9a-f]+) (\d)\t(.*)", re.DOTALL)
_DIFFERENT: Final = ("diff-files", "--raw", "-z", "--ignore-submodules=dirty", "--")
_IGNORED: Final = ("--no-literal-pathspecs", "check-ignore", "-z", "--stdin")
_NONE_IGNORED: Final = 1
_HERE: Final = "./"
EMPTY_BLOBS: Final = frozenset(
    {
        "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
    }
)
_SHA1_DIGITS: Final = 40
_TRIES: Final = 4


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """An index entry; in a merge conflict one of up to three for a path.

    Attributes:
        mode: octal, as git writes it.
        blob: the content's hash.
        stage: 0; 1 to 3 in a conflict.
        is_promise: added by `git add --intent-to-add`, without content.
        is_overlooked: git doesn't check the file on disk (skip-worktree or assume-unchanged).
    """

    mode: str
    blob: str
    stage: int = 0
    is_promise: bool = False
    is_overlooked: bool = False


Entries = tuple[IndexEntry, ...]
"""The index entries of one path; () if git doesn't track it."""

NO_ENTRIES: Final[Mapping[RepoPath, Entries]] = {}
"""An empty table of entries."""


def is_in_conflict(entries: Entries) -> bool:
    """Return whether a path is in a merge conflict."""
    return any(entry.stage for entry in entries)


def without_skip_flags(entries: Entries) -> Entries:
    """Return entries without the flag to skip the file on disk.

    git also sets and clears it itself, for example when a file outside the sparse checkout exists.
    """
    return tuple(replace(entry, is_overlooked=False) for entry in entries)


async def read_entries(
    repository: Repository, paths: Iterable[RepoPath]
) -> dict[RepoPath, Entries]:
    """Return the index entries of each path, not of paths below it.

    Raises:
        GitError: git can't read the index.
    """
    wanted = list(dict.fromkeys(paths))
    rows: list[str] = []
    for part in in_parts(wanted):
        rows += names_in(await _read(repository, (*LIST_ENTRIES, "--", *part)))
    return await entries_in(repository, rows, wanted)


async def entries_in(
    repository: Repository, rows: Iterable[str], paths: Iterable[RepoPath]
) -> dict[RepoPath, Entries]:
    """Parse the output of `LIST_ENTRIES` for the given paths.

    Raises:
        GitError: git can't read the index.
    """
    found: dict[RepoPath, Entries] = dict.fromkeys(paths, ())
    promised: list[RepoPath] = []
    for row in rows:
        match = _ROW.fullmatch(row)
        if match is None or match[5] not in found:
            continue
        tag, mode, blob, stage, name = match.groups()
        path = RepoPath(name)
        entry = IndexEntry(mode, blob, int(stage), is_overlooked=tag == "S" or tag.islower())
        found[path] += (entry,)
        if blob in EMPTY_BLOBS:
            promised.append(path)
    for path in await _promises(repository, promised):
        found[path] = tuple(replace(entry, is_promise=True) for entry in found[path])
    return found


async def _promises(repository: Repository, paths: Sequence[RepoPath]) -> list[RepoPath]:
    """Return the paths that are only added with intent-to-add."""
    if not paths:
        return []
    fields = names_in(await _read(repository, (*_DIFFERENT, *paths)))
    pairs = zip(fields[::2], fields[1::2], strict=False)
    return [RepoPath(name) for what, name in pairs if what.endswith(" A") and name in paths]


async def matching_index(
    repository: Repository, files: Mapping[RepoPath, tuple[Entries, DiskEntry]]
) -> set[RepoPath]:
    """Return the paths whose index entry would not change if the file on disk were staged."""
    has_modes = True
    if any(_differs_in_mode(entries, found) for entries, found in files.values()):
        has_modes = await trusts_modes(repository)
    same, filtered = await asyncio.to_thread(lambda: _compared(files, has_modes=has_modes))
    for path, blob in (await _blobs(repository, filtered)).items():
        if blob == files[path][0][0].blob:
            same.add(path)
    return same


async def trusts_modes(repository: Repository) -> bool:
    """Return whether git uses the executable bit; some file systems report it for all files."""
    command = ("config", "--type=bool", "--get", "core.fileMode")
    output = await read_git(repository.root, command)
    return output.data.strip() != b"false"


def _differs_in_mode(entries: Entries, found: DiskEntry) -> bool:
    return len(entries) == 1 and found.exists and entries[0].mode != found.git_mode


def _compared(
    files: Mapping[RepoPath, tuple[Entries, DiskEntry]],
    *,
    has_modes: bool,
) -> tuple[set[RepoPath], list[RepoPath]]:
    """Return the paths that are equal byte for byte, and those that may be equal after filters."""
    same: set[RepoPath] = set()
    filtered: list[RepoPath] = []
    for path, (entries, found) in files.items():
        if not entries and not found.exists:
            same.add(path)
        if len(entries) != 1 or entries[0].is_promise or entries[0].stage or not found.exists:
            continue
        entry = entries[0]
        is_mode_same = entry.mode == found.git_mode or not (has_modes or found.is_link)
        if is_mode_same and blob_name(found.data, entry.blob) == entry.blob:
            same.add(path)
        elif is_mode_same and not found.is_link:
            filtered.append(path)
    return same, filtered


async def _blobs(repository: Repository, paths: Sequence[RepoPath]) -> dict[RepoPath, str]:
    """Return the hashes that git would give the files' contents, after line ends and filters.

    Files that would pass through a filter that may not run are left out.
    """
    if not paths:
        return {}
    policy = await program_policy(repository)
    denied = await unfiltered(repository, policy, paths)
    options = GitOptions(config=policy.changing(Level.READING, strict=True))
    blobs: dict[RepoPath, str] = {}
    for part in in_parts([path for path in paths if path not in denied]):
        output = await read_git(repository.root, ("hash-object", "--", *part), options)
        if output.exit_code != 0:
            return {}
        names = output.data.decode("ascii").split()
        blobs.update(zip(map(RepoPath, part), names, strict=False))
    return blobs


async def ignored(repository: Repository, paths: Collection[RepoPath]) -> set[RepoPath]:
    """Return the untracked paths that git ignores; they need not exist.

    Raises:
        GitError: git fails, for example for a path behind a link; then no path counts as not
            ignored.
    """
    if not paths:
        return set()
    # This command has no literal pathspecs; a leading `./` makes special characters harmless.
    options = GitOptions(stdin=as_input(f"{_HERE}{path}" for path in paths))
    output = await read_git(repository.root, _IGNORED, options)
    if output.exit_code not in {0, _NONE_IGNORED} or output.truncated:
        raise GitError(f"git can't list the ignored files: {output.complaint}")
    return {RepoPath(name.removeprefix(_HERE)) for name in names_in(output.data)}


@dataclass(frozen=True, slots=True)
class IndexChanges:
    """Changes to apply to the index.

    Attributes:
        removed: files to remove from it.
        moved: new names, with the entries of the old ones.
        written: files to stage as they are on disk.
    """

    removed: Sequence[RepoPath] = ()
    moved: Sequence[tuple[RepoPath, IndexEntry]] = ()
    written: Sequence[RepoPath] = ()

    @property
    def paths(self) -> list[RepoPath]:
        """All paths of the changes."""
        return [*self.removed, *(path for path, _ in self.moved), *self.written]

    def one_by_one(self) -> Iterator[tuple[RepoPath, "IndexChanges"]]:
        """Yield each change as a value of its own."""
        yield from ((path, IndexChanges(removed=[path])) for path in self.removed)
        yield from ((path, IndexChanges(moved=[(path, entry)])) for path, entry in self.moved)
        yield from ((path, IndexChanges(written=[path])) for path in self.written)


@dataclass(frozen=True, slots=True)
class Unstaged:
    """Why a file could not be staged.

    Attributes:
        reason: git's message, or one of this package.
        program: the filter that may not run, if this is the reason.
    """

    reason: str
    program: RatedProgram | None = None


async def stage_exactly(
    git: Git, changes: IndexChanges, before: Mapping[RepoPath, Entries] = NO_ENTRIES
) -> dict[RepoPath, Unstaged]:
    """Apply changes to the index by literal name; nothing else in it changes.

    Args:
        git: with exclusive access to the repository.
        changes: the changes.
        before: last known entries of these files; missing ones are read. They are restored if git
            read something else than the file.

    Returns:
        the files that were not staged, with the reasons.

    Raises:
        Busy: another git process held the index lock the whole time.
        TimedOut: it took too long.
    """
    denied = await unfiltered(git.repository, await git.policy(), changes.written)
    refused = {RepoPath(path): Unstaged(one.refusal, one) for path, one in denied.items()}
    changes = replace(changes, written=[one for one in changes.written if one not in refused])
    alone = list(changes.one_by_one())
    try:
        if alone:
            await _stage(git, changes, before)
    except GitError as error:
        if len(alone) == 1:
            return refused | {alone[0][0]: Unstaged(error.message)}
    else:
        return refused
    for path, change in alone:
        try:
            await _stage(git, change, before)
        except GitError as error:
            refused[path] = Unstaged(error.message)
    return refused


async def _stage(git: Git, changes: IndexChanges, known: Mapping[RepoPath, Entries]) -> None:
    """Stage changes; restore entries that git read from a replaced folder (a race)."""
    moved = [
        word
        for path, entry in changes.moved
        for word in ("--cacheinfo", f"{entry.mode},{entry.blob},{path}")
    ]
    names = as_input([*changes.removed, *changes.written])
    unknown = [path for path in changes.written if path not in known]
    before = {**known, **await read_entries(git.repository, unknown)}
    for _ in range(_TRIES):
        await git.run("update-index", "--add", "--remove", *moved, "-z", "--stdin", stdin=names)
        rows = await staged_rows(git, changes.written)
        other = await unverified_entries(git, changes.written, rows)
        if not other:
            return
        await restore_entries(git, {path: before[path] for path in map(RepoPath, other)})
    raise GitError(f"{other[0]!r} was replaced while git read it; stage it again.")


async def restore_entries(git: Git, entries: Mapping[RepoPath, Entries]) -> None:
    """Make the index hold exactly these entries for the paths.

    Raises:
        GitError: git can't write the index.
        Busy: another git process held the index lock the whole time.
    """
    if not entries:
        return
    nothing = "0" * max(len(entry.blob) for each in entries.values() for entry in each or _NONE)
    rows = [f"0 {nothing}\t{path}" for path in entries]
    rows += [
        f"{entry.mode} {entry.blob} {entry.stage}\t{path}"
        for path, each in entries.items()
        for entry in each
        if not entry.is_promise
    ]
    await git.run("update-index", "-z", "--index-info", stdin=as_input(rows))
    promised = [path for path, each in entries.items() if any(one.is_promise for one in each)]
    if promised:
        await git.run("add", "--intent-to-add", "--force", "--", *promised)


_NONE: Final = (IndexEntry("0", "0" * _SHA1_DIGITS),)


async def missing_blobs(repository: Repository, entries: Iterable[IndexEntry]) -> set[str]:
    """Return the hashes of contents that the repository no longer has."""
    blobs = {entry.blob for entry in entries if entry.mode != SUBMODULE and not entry.is_promise}
    if not blobs:
        return set()
    options = GitOptions(stdin=as_input(sorted(blobs), b"\n"))
    output = await read_git(repository.root, ("cat-file", "--batch-check"), options)
    lines = output.data.decode("ascii", "replace").splitlines()
    return {line.split()[0] for line in lines if line.endswith(" missing")}


async def _read(repository: Repository, args: Sequence[str]) -> bytes:
    output = await read_git(repository.root, args)
    if output.exit_code != 0:
        raise failure(args[0], output.complaint)
    return output.data
