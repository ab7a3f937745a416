"""Checks out a branch or commit for a review, and reverts a failed checkout.

git refuses to overwrite an untracked file, but only in the middle of the checkout; an ignored one
it overwrites silently. So files that are in the way are searched beforehand.
"""

import asyncio
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AcError, GitError
from jupyter_ac.git.discarding import remove_files
from jupyter_ac.git.filtered_paths import refuse_checkout
from jupyter_ac.git.output_parsers import as_input, names_in
from jupyter_ac.git.refs import Head
from jupyter_ac.git.staging import feed
from jupyter_ac.git.write_commands import HOOKS_S, Git

# Ignored files belong to the user too: git would overwrite them silently.
_SWITCH: Final = ("switch", "--quiet", "--no-guess", "--no-overwrite-ignore")
_STAGED: Final = ("diff-index", "--cached", "--quiet", "--ignore-submodules=none")
_CHANGED: Final = ("status", "--porcelain=v2", "-z", "-uno", "--ignore-submodules=all")
_DIFFERENT: Final = ("diff-tree", "-r", "-z", "--raw", "--no-renames")
_HASH: Final = ("hash-object", "--stdin-paths")
_RESTORE: Final = (
    *("checkout", "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul"),
    "HEAD",
)


@dataclass(frozen=True, slots=True)
class CheckoutTarget:
    """A branch or commit to check out.

    Attributes:
        branch: a local branch; None for a detached commit.
        sha: the commit.
    """

    branch: str | None
    sha: str

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments for `git switch`."""
        return ("--detach", self.sha) if self.branch is None else (self.branch,)

    def is_at(self, head: Head) -> bool:
        """Return whether it is checked out."""
        return (head.branch, head.sha) == (self.branch, self.sha)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A file that differs between HEAD and another commit; `letter` is git's status letter."""

    path: str
    letter: str
    blob: str


async def check_out(git: Git, place: CheckoutTarget) -> None:
    """Check out a branch or commit; if it fails halfway, changed files are reverted.

    Raises:
        Conflict: a file would pass through a filter that may not run.
        GitError: git fails.
    """
    await refuse_checkout(git, place.sha, "nothing was checked out")
    try:
        await git.run(*_SWITCH, *place.arguments, timeout_s=HOOKS_S)
    except GitError:
        with suppress(AcError):
            await revert_failed_checkout(git, place.sha)
        raise


async def has_changes(git: Git) -> bool:
    """Return whether a tracked file is changed, staged or in conflict, with the user's settings.

    Changes inside a submodule don't count: no checkout touches them.
    """
    staged = await git.run(*_STAGED, "HEAD", "--", ok=(0, 1))
    return staged.exit_code == 1 or bool((await git.run(*_CHANGED)).data)


async def revert_failed_checkout(git: Git, target: str) -> None:
    """Revert the files that a failed checkout of a commit has written, to the version in HEAD.

    A file is changed only if its content is exactly that commit's, so nothing can be lost.

    Raises:
        GitError: git fails; the files stay as they are.
        AccessDenied: a file can't be removed.
    """
    entries = list(_entries((await git.run(*_DIFFERENT, "HEAD", target, "--")).data))
    kinds = await asyncio.to_thread(_kinds, git.repository.root, entries)
    written = [entry for entry in entries if kinds[entry.path] == "file" and entry.letter != "D"]
    hashes = await _hashes(git, [entry.path for entry in written])
    ours = [entry for entry, found in zip(written, hashes, strict=True) if found == entry.blob]
    added = [entry.path for entry in ours if entry.letter == "A"]
    await asyncio.to_thread(remove_files, git.repository, added)
    lost = [e.path for e in entries if e.letter == "D" and kinds[e.path] == "none"]
    back = [*(entry.path for entry in ours if entry.letter != "A"), *lost]
    await feed(git, _RESTORE, back)


def _entries(data: bytes) -> Iterator[_Entry]:
    fields = data.decode("utf-8", "surrogateescape").split("\0")
    for about, path in zip(fields[::2], fields[1::2], strict=False):
        _old, _new, _before, blob, letter = about.split(" ")
        # `hash-object` reads one name per line.
        if "\n" not in path:
            yield _Entry(path, letter, blob)


def _kinds(root: Path, entries: list[_Entry]) -> dict[str, str]:
    return {entry.path: _kind(root / entry.path) for entry in entries}


def _kind(place: Path) -> str:
    try:
        mode = os.lstat(place).st_mode
    except OSError:
        return "none"
    if stat.S_ISLNK(mode):
        return "link"
    return "file" if stat.S_ISREG(mode) else "other"


async def _hashes(git: Git, paths: list[str]) -> list[str]:
    if not paths:
        return []
    return (await git.run(*_HASH, stdin=as_input(paths, b"\n"))).data.decode("ascii").split()


_MISSING: Final = (
    *("diff-index", "--cached", "-z", "--name-only", "--no-renames", "--diff-filter=D"),
    # A submodule's folder may exist already: git doesn't change it.
    "--ignore-submodules=all",
)
_DELETED: Final = ("diff-files", "-z", "--name-only", "--diff-filter=D", "--ignore-submodules=all")
_UNKNOWN: Final = ("ls-files", "-z", "--others")
_AT_ONCE: Final = 500


async def blocking_files(git: Git, *targets: str) -> list[str]:
    """Return the untracked files, ignored ones too, at paths of a commit or the index.

    Args:
        git: with exclusive access to the repository.
        targets: hashes of the commits that will be checked out, one after another.

    Raises:
        GitError: git can't compare.
    """
    # A tracked file may have been replaced by a folder, or a folder by a file.
    missing = set(names_in((await git.run(*_DELETED)).data))
    for target in targets:
        missing.update(names_in((await git.run(*_MISSING, target, "--")).data))
    existing = await asyncio.to_thread(_existing, git.repository.root, missing)
    found: list[str] = []
    for start in range(0, len(existing), _AT_ONCE):
        some = existing[start : start + _AT_ONCE]
        found += names_in((await git.run(*_UNKNOWN, "--", *some)).data)
    return found


def _existing(root: Path, paths: Iterable[str]) -> list[str]:
    """Return the entries on disk at these paths, or instead of a folder above one of them."""
    kinds: dict[str, int | None] = {}
    found: set[str] = set()
    for path in paths:
        for end in (*_slashes(path), len(path)):
            place = path[:end]
            if place not in kinds:
                kinds[place] = _file_mode(root / place)
            kind = kinds[place]
            if kind is None:
                break
            if place == path or not stat.S_ISDIR(kind):
                found.add(place)
                break
    return sorted(found)


def _slashes(path: str) -> list[int]:
    return [index for index, letter in enumerate(path) if letter == "/"]


def _file_mode(place: Path) -> int | None:
    try:
        return place.lstat().st_mode
    except OSError:
        return None
