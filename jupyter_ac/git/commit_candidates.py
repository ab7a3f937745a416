"""Lists what can be committed: each file that `git status` reports as different from HEAD."""

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from jupyter_ac.errors import GitError
from jupyter_ac.git.descriptor_entries import lstat
from jupyter_ac.git.program_policy import program_policy
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, read_git
from jupyter_ac.git.status import STATUS
from jupyter_ac.git.temp_files import tag_of
from jupyter_ac.git.untracked_files import shown_untracked

Kind: TypeAlias = Literal["new", "modified", "deleted", "renamed", "conflicted"]

_COMMAND: Final = (*STATUS, "--no-ahead-behind")
_NOTHING: Final = "000000"
_SUBMODULE: Final = "160000"
_UNCHANGED: Final = "."
_UNTRACKED: Final = "? "
_VERSION_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class Blob:
    """The mode and hash of a file in a commit or in the index.

    Attributes:
        mode: octal, as git writes it.
        name: the hash of the content.
    """

    mode: str
    name: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that differs from the last commit.

    Attributes:
        path: as git names it; for a nested repository without the final `/`.
        kind: the kind of change; `new`: not in the last commit.
        head: the entry in the last commit; of a renamed file, at its old path.
        index: the entry in the index.
        is_staged: the index differs from the last commit.
        is_unstaged: the file differs from the index.
        is_repository: it is a submodule, or an untracked repository.
        old_path: of a renamed file; otherwise "".
    """

    path: str
    kind: Kind
    head: Blob | None = None
    index: Blob | None = None
    is_staged: bool = False
    is_unstaged: bool = False
    is_repository: bool = False
    old_path: str = ""

    @property
    def is_tracked(self) -> bool:
        """Whether it is in the index or in the last commit."""
        return self.is_staged or self.head is not None

    @property
    def is_partly_staged(self) -> bool:
        """Whether only a part of its changes is staged."""
        return self.is_staged and self.is_unstaged

    @property
    def names(self) -> tuple[str, ...]:
        """Its path, and for a renamed file also the old one."""
        return (self.path, self.old_path) if self.old_path else (self.path,)


async def list_candidates(repository: Repository, named: Collection[str] = ()) -> list[Candidate]:
    """Return the files that differ from the last commit: staged, then changed, then new ones.

    Args:
        repository: the repository.
        named: paths that the user has named; see `shown_untracked`.

    Raises:
        GitError: git can't list the changes, or there are too many.
        TimedOut: it took too long.
    """
    options = GitOptions(config=(await program_policy(repository)).reading())
    output = await read_git(repository.root, _COMMAND, options)
    if output.exit_code != 0 or output.truncated:
        raise GitError(f"git can't list the changes: {output.complaint}")
    return parse(output.data, shown_untracked(repository, named))


def parse(output: bytes, is_shown: Callable[[str], bool]) -> list[Candidate]:
    """Parse the output of `git status --porcelain=v2 -z`.

    Args:
        output: of the command.
        is_shown: filter for untracked files; the path of a nested repository ends in `/`.
    """
    found: dict[str, Candidate] = {}
    entries = iter(output.decode("utf-8", "surrogateescape").split("\0"))
    for entry in entries:
        if entry.startswith(_UNTRACKED) and not is_shown(entry.removeprefix(_UNTRACKED)):
            continue
        candidate = _candidate(entry, entries)
        if candidate is None or tag_of(candidate.path) is not None:
            continue
        before = found.get(candidate.path)
        found[candidate.path] = candidate if before is None else _joined(before)
    return sorted(found.values(), key=_order)


def version_of(repository: Repository, candidate: Candidate) -> str:
    """Return a version hash that changes when the candidate changes; reads file attributes.

    For an unstaged file it is derived from `stat`; the content isn't read.
    """
    found = lstat(repository, candidate.path)
    if found is None or candidate.is_repository:
        disk = str(found is not None)
    else:
        disk = f"{found.st_mode} {found.st_ino} {found.st_size} {found.st_mtime_ns}"
    identity = f"{candidate.head} {candidate.index} {candidate.old_path} {disk}"
    data = identity.encode("utf-8", "surrogateescape")
    return hashlib.sha256(data).hexdigest()[:_VERSION_DIGITS]


def by_name(candidates: Sequence[Candidate]) -> dict[str, Candidate]:
    """Return candidates by path; a renamed one also by its old path unless that is used."""
    old = {one.old_path: one for one in candidates if one.old_path}
    return old | {one.path: one for one in candidates}


def _order(candidate: Candidate) -> tuple[int, str]:
    if candidate.kind == "conflicted":
        return 0, candidate.path
    return 1 if candidate.is_staged else 2 if candidate.is_tracked else 3, candidate.path


def _candidate(entry: str, following: Iterator[str]) -> Candidate | None:
    kind, _, rest = entry.partition(" ")
    if kind == "?":
        path = rest.removesuffix("/")
        return Candidate(path, "new", is_unstaged=True, is_repository=path != rest)
    if kind == "1":
        states, _, head_mode, mode, _, head, blob, path = rest.split(" ", 7)
        return _changed(states, path, _blob(head_mode, head), _blob(mode, blob))
    if kind == "2":
        states, _, head_mode, mode, _, head, blob, _, path = rest.split(" ", 8)
        was = next(following, "")
        return _changed(states, path, _blob(head_mode, head), _blob(mode, blob), was)
    if kind == "u":
        return Candidate(rest.split(" ", 9)[-1], "conflicted", is_unstaged=True)
    return None


def _changed(
    states: str, path: str, head: Blob | None, index: Blob | None, old_path: str = ""
) -> Candidate:
    staged, unstaged = (state != _UNCHANGED for state in states)
    return Candidate(
        path,
        _kind(states, head, old_path),
        head,
        index,
        staged,
        unstaged,
        is_repository=_SUBMODULE in {side.mode for side in (head, index) if side},
        old_path=old_path,
    )


def _kind(states: str, head: Blob | None, old_path: str) -> Kind:
    if old_path:
        return "renamed"
    if head is None:
        return "new"
    return "deleted" if "D" in states else "modified"


def _blob(mode: str, name: str) -> Blob | None:
    return None if mode == _NOTHING else Blob(mode, name)


def _joined(staged: Candidate) -> Candidate:
    """Join the two entries of a file that was removed from the index and is still on disk."""
    return Candidate(
        staged.path,
        staged.kind,
        staged.head,
        staged.index,
        is_staged=True,
        is_unstaged=True,
        is_repository=staged.is_repository,
        old_path=staged.old_path,
    )
