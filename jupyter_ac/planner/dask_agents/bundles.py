"""Files of a task as a git bundle: one commit without parents, under one name.

What comes back was made on another machine, out of what a model wrote there. It is unpacked into a
repository of its own, checked by git's own `fsck`, and only its files are taken over.
"""

import asyncio
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from jupyter_ac.errors import GitError, RefusedPath, TooLarge
from jupyter_ac.git.environment import Level
from jupyter_ac.git.paths import is_stored_path
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.git.runner import GitOptions, read_git, run_git
from jupyter_ac.git.stderr import failure
from jupyter_ac.ids import RepoPath
from jupyter_ac.planner.worktrees.tree_entries import Entries, entries_of, read_blobs

REF: Final = "refs/jupyter-ac/task"
MAX_BUNDLE_BYTES: Final = 200 * 1024 * 1024
MAX_FILES_BYTES: Final = 500 * 1024 * 1024
"""Of all changed files together, unpacked."""

_MAX_HEADER: Final = 1024
_MAX_MEMORY: Final = 2 * 1024 * 1024 * 1024
_GIT_S: Final = 300.0
_FORMATS: Final[Mapping[int, str]] = {40: "sha1", 64: "sha256"}
_V2: Final = "# v2 git bundle\n"
_V3: Final = "# v3 git bundle\n@object-format=sha256\n"
_HEADER: Final = re.compile(
    rb"(?:# v2 git bundle\n|# v3 git bundle\n@object-format=sha256\n)"
    rb"([0-9a-f]{40}|[0-9a-f]{64}) refs/jupyter-ac/task\n\n"
)
_LINK: Final = "120000"
_MODES: Final = frozenset({"100644", "100755", _LINK})


@dataclass(frozen=True, slots=True)
class UnpackedFiles:
    """The files of a bundle, checked.

    Attributes:
        repository: that holds them, of its own.
        commit: its one commit.
        entries: its files.
    """

    repository: Repository
    commit: str
    entries: Entries


async def pack(repository: Repository, commit: str) -> bytes:
    """Make a bundle of a commit without parents.

    Raises:
        TooLarge: its files are too large to be sent to other machines.
        GitError: git can't read them.
    """
    options = GitOptions(stdin=f"{commit}\n".encode(), timeout_s=_GIT_S, max_bytes=MAX_BUNDLE_BYTES)
    args = ("pack-objects", "--revs", "--stdout", "--quiet", "--threads=1")
    output = await read_git(repository.root, args, options)
    if output.truncated:
        raise TooLarge(
            f"The files of the repository are more than {MAX_BUNDLE_BYTES >> 20} MiB packed; that "
            "is too much to send to other machines."
        )
    if output.exit_code != 0:
        raise failure("pack-objects", output.complaint)
    version = _V3 if _FORMATS[len(commit)] == "sha256" else _V2
    return f"{version}{commit} {REF}\n\n".encode() + output.data


async def unpack(bundle: bytes, folder: Path) -> UnpackedFiles:
    """Unpack a bundle into a new repository, and check all that is in it.

    Args:
        bundle: made by `pack`, perhaps by somebody who means harm.
        folder: new; gets the repository.

    Raises:
        TooLarge: it is too large.
        GitError: it isn't a bundle with one commit under our name, or an object is broken.
        RefusedPath: a path leads out, or into git's own directory.
    """
    if len(bundle) > MAX_BUNDLE_BYTES + _MAX_HEADER:
        raise TooLarge(f"The bundle has more than {MAX_BUNDLE_BYTES >> 20} MiB.")
    header = _HEADER.match(bundle)
    if header is None:
        raise GitError("It isn't a bundle with the one commit of a task.")
    commit = header[1].decode()
    changing = GitOptions(level=Level.CHANGING, timeout_s=_GIT_S)
    await asyncio.to_thread(folder.mkdir, parents=True)
    await _checked(
        folder,
        ("init", "--quiet", "--template=", f"--object-format={_FORMATS[len(commit)]}"),
        changing,
    )
    repository = await discover(folder)
    packed = GitOptions(
        stdin=bundle[header.end() :],
        level=Level.CHANGING,
        timeout_s=_GIT_S,
        max_memory=_MAX_MEMORY,
    )
    await _checked(folder, ("index-pack", "--stdin", "--strict", "--threads=1"), packed)
    await _checked(
        folder, ("fsck", "--strict", "--full", "--no-dangling", "--no-progress", commit), changing
    )
    parents = await run_git(folder, "rev-list", "--parents", "--max-count=2", commit)
    if parents.split() != [commit.encode()]:
        raise GitError("The bundle holds more than one commit.")
    entries = await entries_of(repository, commit)
    for path, entry in entries.items():
        if entry.mode not in _MODES or not is_stored_path(path):
            raise RefusedPath(f"The bundle holds {path[:200]!r}, which no task may make.")
    return UnpackedFiles(repository, commit, entries)


async def changed_contents(files: UnpackedFiles, before: Entries) -> dict[RepoPath, bytes]:
    """Return the contents of the files that differ from those that were sent.

    Raises:
        TooLarge: they are too large together.
        RefusedPath: a link leads out of the repository, or into git's own directory.
        GitError: git can't read them.
    """
    paths = [path for path, entry in files.entries.items() if before.get(path) != entry]
    blobs = [files.entries[path].blob for path in paths]
    await _require_small(files.repository, blobs)
    contents = await read_blobs(files.repository, blobs) if blobs else []
    found = dict(zip(paths, contents, strict=True))
    for path, content in found.items():
        if files.entries[path].mode == _LINK and not _stays_inside(path, content):
            raise RefusedPath(f"The link {path[:200]!r} leads out of the repository.")
    return found


async def _require_small(repository: Repository, blobs: list[str]) -> None:
    if not blobs:
        return
    options = GitOptions(stdin="".join(f"{blob}\n" for blob in blobs).encode(), timeout_s=_GIT_S)
    args = ("cat-file", "--batch-check=%(objectsize)")
    listed = await read_git(repository.root, args, options)
    if listed.exit_code != 0 or listed.truncated:
        raise failure("cat-file", listed.complaint)
    if sum(map(int, listed.data.split())) > MAX_FILES_BYTES:
        raise TooLarge(
            f"The files that a task has changed have more than {MAX_FILES_BYTES >> 20} MiB."
        )


def _stays_inside(path: RepoPath, target: bytes) -> bool:
    """Return whether a link leads to a place in the repository, by its text alone."""
    text = os.fsdecode(target)
    if not text or text.startswith("/") or "\0" in text:
        return False
    place = os.path.normpath(PurePosixPath(path).parent / text)
    return place == "." or is_stored_path(place)


async def _checked(folder: Path, args: tuple[str, ...], options: GitOptions) -> None:
    output = await read_git(folder, args, options)
    if output.exit_code != 0:
        raise failure(args[0], output.complaint)
