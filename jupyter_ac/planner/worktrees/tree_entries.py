"""Reads the files of commits from git's objects, and merges the lists of three commits."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from jupyter_ac.errors import GitError
from jupyter_ac.git.checkpoints.object_folder import FileVersion
from jupyter_ac.git.output_parsers import names_in
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, read_git, run_git
from jupyter_ac.git.staging import folders_above
from jupyter_ac.git.stderr import failure
from jupyter_ac.ids import RepoPath

Entries = Mapping[RepoPath, FileVersion]

MAX_COMMITS: Final = 8
"""Commits whose files are kept in memory: five megabytes each for 20,000 files."""

MAX_KEPT: Final = 1 << 16
"""Bytes of a file whose content is kept in memory, too."""

MAX_BYTES: Final = 1 << 24
"""Of all of them."""

_GIT_S: Final = 120.0
_REGULAR: Final = frozenset({"100644", "100755"})


async def entries_of(repository: Repository, commit: str) -> dict[RepoPath, FileVersion]:
    """Return the files of a commit, links included, submodules too.

    Raises:
        GitError: git can't read it.
    """
    return entries_in(await run_git(repository.root, "ls-tree", "-r", "-z", commit))


def entries_in(listing: bytes) -> dict[RepoPath, FileVersion]:
    """Return the files that `git ls-tree -r -z` has printed."""
    found: dict[RepoPath, FileVersion] = {}
    for row in names_in(listing):
        header, _, path = row.partition("\t")
        mode, _, blob = header.split(" ")
        found[RepoPath(path)] = FileVersion(mode, blob)
    return found


async def read_blobs(repository: Repository, blobs: Sequence[str]) -> list[bytes]:
    """Return the contents of blobs, in order.

    Raises:
        GitError: one is missing.
    """
    stdin = "".join(f"{blob}\n" for blob in blobs).encode("ascii")
    options = GitOptions(stdin=stdin, timeout_s=_GIT_S)
    output = await read_git(repository.root, ("cat-file", "--batch"), options)
    if output.exit_code != 0 or output.truncated:
        raise failure("cat-file", output.complaint)
    return await asyncio.to_thread(_contents, output.data, len(blobs))


def _contents(data: bytes, count: int) -> list[bytes]:
    found: list[bytes] = []
    at = 0
    for _ in range(count):
        end = data.find(b"\n", at)
        words = data[at : max(end, at)].split(b" ")
        if end < 0 or words[1:2] != [b"blob"]:
            raise GitError("A file of the commit is no longer stored; take a new snapshot.")
        size = int(words[2])
        found.append(data[end + 1 : end + 1 + size])
        at = end + 1 + size + 1
    return found


class CommitFiles:
    """The files of a repository's commits, which never change; the last ones are kept in memory.

    Args:
        repository: whose commits.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._known: OrderedDict[str, Entries] = OrderedDict()
        self._contents: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0

    async def of(self, commit: str) -> Entries:
        """Return the files of a commit; raises as `entries_of`."""
        found = self._known.get(commit)
        if found is None:
            found = await entries_of(self._repository, commit)
        self.keep(commit, found)
        return found

    def keep(self, commit: str, files: Entries) -> None:
        """Keep the files of a commit that has just been made."""
        self._known[commit] = files
        self._known.move_to_end(commit)
        if len(self._known) > MAX_COMMITS:
            self._known.popitem(last=False)

    async def contents(self, blobs: Sequence[str]) -> list[bytes]:
        """Return the contents of blobs, in order; raises as `read_blobs`."""
        missing = [blob for blob in dict.fromkeys(blobs) if blob not in self._contents]
        read = await read_blobs(self._repository, missing) if missing else []
        found = dict(zip(missing, read, strict=True))
        contents = [self._contents.get(blob) or found.get(blob, b"") for blob in blobs]
        for blob, content in found.items():
            self._keep_content(blob, content)
        return contents

    def _keep_content(self, blob: str, content: bytes) -> None:
        if blob in self._contents or len(content) > MAX_KEPT:
            return
        self._contents[blob] = content
        self._bytes += len(content)
        while self._bytes > MAX_BYTES:
            _, oldest = self._contents.popitem(last=False)
            self._bytes -= len(oldest)


@dataclass(frozen=True, slots=True)
class ChangedFiles:
    """What a task has changed, by kind; sorted."""

    modified: tuple[RepoPath, ...] = ()
    created: tuple[RepoPath, ...] = ()
    deleted: tuple[RepoPath, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.modified or self.created or self.deleted)


def changed_files(before: Entries, after: Entries) -> ChangedFiles:
    """Return the files that differ between two commits."""
    return ChangedFiles(
        tuple(sorted(path for path in before.keys() & after if before[path] != after[path])),
        tuple(sorted(after.keys() - before)),
        tuple(sorted(before.keys() - after)),
    )


@dataclass(frozen=True, slots=True)
class EntryMerge:
    """The merge of three lists of files.

    Attributes:
        entries: the result, with our version where both sides have changed something.
        texts: regular files that both sides have changed, whose lines can be merged.
        conflicts: other paths that both sides have changed in different ways.
    """

    entries: dict[RepoPath, FileVersion] = field(default_factory=dict)
    texts: tuple[RepoPath, ...] = ()
    conflicts: tuple[RepoPath, ...] = ()


def merge_entries(base: Entries, ours: Entries, theirs: Entries) -> EntryMerge:
    """Merge two changes of the same files; pure.

    Args:
        base: the files from which both come.
        ours: after the one change.
        theirs: after the other.
    """
    merged: dict[RepoPath, FileVersion] = {}
    texts: list[RepoPath] = []
    conflicts: list[RepoPath] = []
    for path in sorted({*base, *ours, *theirs}):
        old, our, their = base.get(path), ours.get(path), theirs.get(path)
        kept = our
        if our in {old, their}:
            kept = their
        elif their != old:
            is_text = _are_regular(old, our, their)
            (texts if is_text else conflicts).append(path)
        if kept is not None:
            merged[path] = kept
    return _without_clashes(EntryMerge(merged, tuple(texts), tuple(conflicts)), ours)


def _are_regular(*versions: FileVersion | None) -> bool:
    return all(each is not None and each.mode in _REGULAR for each in versions)


def _without_clashes(merge: EntryMerge, ours: Entries) -> EntryMerge:
    """Keep our side where one side has a file and the other a folder of the same name."""
    files = set(merge.entries)
    clashing = {
        place
        for path in files
        for place in (path, *map(RepoPath, folders_above(path)))
        if place != path and place in files
    }
    below = {path for path in files if not clashing.isdisjoint(map(RepoPath, folders_above(path)))}
    strangers = {path for path in clashing | below if path not in ours}
    if not strangers:
        return merge
    kept = {path: version for path, version in merge.entries.items() if path not in strangers}
    return EntryMerge(kept, merge.texts, tuple(sorted({*merge.conflicts, *strangers})))
