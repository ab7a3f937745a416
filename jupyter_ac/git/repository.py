"""Finds the git repository that a folder belongs to.

A `Repository` is a value with the paths of the working tree, its git directory and the directory
that all worktrees share. All other modules of the package are functions over it.
"""

import asyncio
import getpass
import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AccessDenied, GitError, NotFound, RefusedPath
from jupyter_ac.git.configuration_cache import ConfigurationCache
from jupyter_ac.git.plain_files import read_regular
from jupyter_ac.git.plain_folder import (
    leave_out_large_folders,
    own_git_dir,
    plain_folder_around,
    prepare_own_git_dir,
)
from jupyter_ac.git.runner import GitOptions, read_git, run_git
from jupyter_ac.git.stderr import failure
from jupyter_ac.git.task_groups import gather

OLDEST_GIT: Final = (2, 31)
"""The first version that reads configuration from the environment (`GIT_CONFIG_COUNT`)."""

_BARE: Final = "bare repository"
"""Part of git's message if it refuses a bare repository, as newer versions do."""

_NONE: Final = "not a git repository"
_WOULD_CONTAIN_ALL: Final = (
    "No repository is created in the home directory, a folder above it or `/`, because "
    "it would contain everything below; choose a folder of the project."
)
_TOO_LARGE: Final = (
    "The home directory, a folder above it or `/` can't be worked on as one project, because it "
    "contains everything below; choose a folder of the project."
)

_POINTER_BYTES: Final = 8192
_LOOKING: Final = GitOptions(ceiling=False)
_PLACES: Final = ("--show-toplevel", "--git-dir", "--git-common-dir")
_VERSION: Final = re.compile(rb"git version (\d+)\.(\d+)")


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Repository:
    """A working tree and its git directories.

    Attributes:
        root: top of the working tree, absolute, links resolved.
        git_dir: this working tree's own git directory.
        common_dir: the git directory that all worktrees share; equal to `git_dir` in the main one.
        name: the root's last segment, as shown to the user.
        worktree: the name of a linked worktree; "" in the main one.
        is_plain_folder: whether the root is in no repository; `git_dir` is then one of ours,
            outside of it (see `plain_folder`).
        permissions: the file with the user's permissions for the repository's programs; None if
            there are none.
        configuration: cache of git's configuration.
        shows_jupyter_files: returns whether untracked files that Jupyter writes beside documents
            are currently shown; may be called in any thread.
    """

    root: Path
    git_dir: Path
    common_dir: Path
    name: str
    worktree: str = ""
    is_plain_folder: bool = False
    permissions: Path | None = field(default=None, compare=False)
    configuration: ConfigurationCache = field(
        default_factory=ConfigurationCache, compare=False, repr=False
    )
    shows_jupyter_files: Callable[[], bool] = field(default=_never, compare=False, repr=False)


async def discover(directory: Path) -> Repository:
    """Return the repository that contains a folder, or the folder without one that was opened.

    Raises:
        NotFound: there is neither, or the folder is in a bare repository.
        AccessDenied: it belongs to another user, or its configuration points elsewhere.
        GitError: git is missing, older than `OLDEST_GIT`, or can't read the repository.
    """
    if not await asyncio.to_thread(directory.is_dir):
        raise NotFound(f"There is no folder {directory.name!r}; choose another one.")
    questions = [("rev-parse", "--path-format=absolute", wanted) for wanted in _PLACES]
    version, *answers = await gather(
        read_git(directory, ("version",), _LOOKING),
        *(read_git(directory, question, _LOOKING) for question in questions),
    )
    if version.exit_code != 0:
        raise GitError(f"git can't be used: {version.complaint}")
    _require_version(version.data)
    for answer in answers:
        if answer.exit_code != 0:
            plain = await _plain_folder(answer.complaint, directory)
            if plain is not None:
                return plain
            raise _explain(answer.complaint, directory)
    root, git_dir, common_dir = (_path(answer.data) for answer in answers)
    repository = Repository(
        root=root,
        git_dir=git_dir,
        common_dir=common_dir,
        name=root.name or str(root),
        worktree="" if git_dir == common_dir else git_dir.name,
    )
    await asyncio.to_thread(_require_own_root, repository, directory)
    return repository


async def _plain_folder(complaint: str, directory: Path) -> Repository | None:
    if _NONE not in complaint:
        return None
    root = await asyncio.to_thread(plain_folder_around, directory)
    git_dir = await asyncio.to_thread(own_git_dir, root) if root is not None else None
    if root is None or git_dir is None:
        return None
    return Repository(root, git_dir, git_dir, root.name, is_plain_folder=True)


async def open_plain_folder(directory: Path) -> Repository:
    """Prepare a folder for work without a repository and return it; nothing is written there.

    Args:
        directory: absolute, links resolved; in no repository.

    Raises:
        RefusedPath: as `require_project`.
        NotReady: Jupyter's data directory can't be written.
        GitError: git is missing or can't write there.
    """
    await require_project(directory)
    place = await asyncio.to_thread(prepare_own_git_dir, directory)
    await run_git(place, "init", "--quiet", "--template=")
    await asyncio.to_thread(leave_out_large_folders, place / ".git")
    return await discover(directory)


async def require_project(directory: Path) -> None:
    """Check that a folder may be worked on as one project.

    Raises:
        RefusedPath: it is the home directory, a folder above it or the root of the file system,
            also through a link; or it is in a git directory.
    """
    await asyncio.to_thread(_require_small, directory, _TOO_LARGE)
    await _require_no_git_dir(directory)


async def initialise(directory: Path) -> Repository:
    """Create a repository in a folder and return it.

    Raises:
        RefusedPath: as `require_initialisable`.
        AccessDenied: the user may not write there.
        GitError: git is missing or can't write there.
    """
    await require_initialisable(directory)
    made = await read_git(directory, ("init", "--quiet"), _LOOKING)
    if made.exit_code != 0:
        raise failure("init", made.complaint)
    return await discover(directory)


async def require_initialisable(directory: Path) -> None:
    """Check that a repository may be created in a folder.

    Raises:
        RefusedPath: it is the home directory, a folder above it or the root of the file system,
            also through a link; it is in a git directory; or its `.git` is a file that names a
            missing git directory.
        AccessDenied: the user may not write there.
    """
    await asyncio.to_thread(_require_small, directory, _WOULD_CONTAIN_ALL)
    await asyncio.to_thread(_require_writable, directory)
    await _require_no_git_dir(directory)


async def _require_no_git_dir(directory: Path) -> None:
    found = await read_git(directory, ("rev-parse", "--is-inside-git-dir"), _LOOKING)
    if found.data.strip() == b"true" or _BARE in found.complaint:
        raise RefusedPath(
            f"The folder {directory.name!r} is in a bare repository or a git directory; no "
            "repository is created in it. Open a clone or a worktree."
        )


def _require_small(directory: Path, refusal: str) -> None:
    """Check that a folder does not contain all files of a user; resolves links."""
    found = Path(os.path.realpath(directory))
    if found == Path(found.anchor) or any(_is_around(found, home) for home in _homes()):
        raise RefusedPath(refusal)


def _require_writable(directory: Path) -> None:
    """Check that git can create its directory: git's own error names no remedy."""
    dot_git = directory / ".git"
    if dot_git.is_file():
        raise RefusedPath(
            f"The file `.git` in {directory.name!r} names a git directory that doesn't exist, as "
            "when a repository was moved away from its worktrees: run `git worktree repair` in "
            "the repository, or delete the file."
        )
    if not os.access(directory, os.W_OK | os.X_OK):
        raise AccessDenied(
            f"You may not write in the folder {directory.name!r}, so no repository can be created "
            "in it; change its permissions, or choose another folder."
        )


def _homes() -> list[Path]:
    # The first follows $HOME, which may have been changed; the second doesn't.
    homes: list[Path] = []
    with suppress(RuntimeError):
        homes.append(Path.home())
    with suppress(OSError, KeyError, RuntimeError):
        homes.append(Path(f"~{getpass.getuser()}").expanduser())
    return homes


def _is_around(folder: Path, home: Path) -> bool:
    """Return whether a folder is the home directory or one above it, under any name."""
    found = Path(os.path.realpath(home))
    return any(_is_same(folder, above) for above in (found, *found.parents))


def _is_same(folder: Path, other: Path) -> bool:
    try:
        return folder.samefile(other)
    except OSError:
        return False


def _path(line: bytes) -> Path:
    """Parse a path from a line; it may itself contain line breaks, so only the last is removed."""
    return Path(os.path.realpath(os.fsdecode(line.removesuffix(b"\n"))))


def _require_version(output: bytes) -> None:
    match = _VERSION.match(output)
    if match is None:
        raise GitError("The `git` on PATH does not output a version; install git and restart.")
    version = (int(match[1]), int(match[2]))
    if version < OLDEST_GIT:
        raise GitError(
            f"git {version[0]}.{version[1]} is too old; "
            f"install git {OLDEST_GIT[0]}.{OLDEST_GIT[1]} or newer."
        )


def _explain(complaint: str, directory: Path) -> GitError | NotFound | AccessDenied:
    if _NONE in complaint:
        return NotFound(f"The folder {directory.name!r} is in no git repository.")
    if "must be run in a work tree" in complaint or _BARE in complaint:
        return NotFound(
            f"The folder {directory.name!r} is in a bare repository or a git directory, where "
            "there are no files to work on; open a clone or a worktree of it."
        )
    if "dubious ownership" in complaint or "unsafe repository" in complaint:
        return AccessDenied(
            f"The repository of {directory.name!r} belongs to another user and git refuses it; "
            "if you trust it, run `git config --global --add safe.directory PATH`, with its whole "
            "path."
        )
    return GitError(f"git can't read the repository of {directory.name!r}: {complaint}")


def _require_own_root(repository: Repository, directory: Path) -> None:
    """Refuse a working tree that its git directory claims without being inside it.

    `core.worktree` in a repository's own configuration can name any folder of the machine.
    """
    dot_git = repository.root / ".git"
    inside = Path(os.path.realpath(directory)).is_relative_to(repository.root)
    if not inside or not os.path.lexists(dot_git) or not _leads_to(dot_git, repository.git_dir):
        raise AccessDenied(
            f"The git directory of {directory.name!r} claims a working tree that it does not lie "
            "in; remove `core.worktree` from its configuration."
        )


def _leads_to(dot_git: Path, git_dir: Path) -> bool:
    if dot_git.is_dir():
        return dot_git.samefile(git_dir)
    pointer = read_regular(dot_git, _POINTER_BYTES).removeprefix(b"gitdir:").strip()
    return Path(os.path.realpath(dot_git.parent / os.fsdecode(pointer))) == git_dir
