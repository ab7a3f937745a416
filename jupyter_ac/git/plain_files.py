"""Prevents named pipes and other special files from blocking this process or git.

`read_regular` reads git's own files, `require_regular` checks those that git opens first, before it
is started. git also opens `.gitignore` and `.gitattributes` in every folder that it reads, and
waits for ever if one is a pipe. So when a command takes unusually long, the folders are searched,
once and with a time limit.
"""

import os
import stat
import time
from collections import deque
from pathlib import Path
from typing import Final

from jupyter_ac.errors import GitError

_FLAGS: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
_MAX_POINTER_BYTES: Final = 8192
_OWN: Final = ("HEAD", "index", "config.worktree", "info/sparse-checkout")
_COMMON: Final = (
    *("config", "packed-refs", "shallow", "info/exclude", "info/attributes"),
    *("objects/info/alternates", "objects/info/commit-graph", "info/grafts"),
)
_TOP: Final = (".git", ".gitignore", ".gitattributes", ".gitmodules")
_BRANCH: Final = "ref: refs/"


def read_regular(path: Path, limit: int, *, from_end: bool = False) -> bytes:
    """Read the beginning, or the end, of a regular file.

    Raises:
        OSError: it is missing, or is no regular file.
    """
    with os.fdopen(os.open(path, _FLAGS), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise OSError(f"{path.name} is not a regular file")
        if from_end:
            file.seek(max(0, found.st_size - limit))
        return file.read(limit)


def require_regular(root: Path) -> None:
    """Refuse a repository in which one of git's files is a pipe, a socket or a device.

    Args:
        root: top folder of a working tree; for other folders nothing is checked.

    Raises:
        GitError: names the file and the remedy.
    """
    _check(root, _TOP)
    try:
        own = git_dir_of(root)
        _check(own, _OWN)
        common = _common_dir(own)
        _check(common, _COMMON)
        head = read_regular(own / "HEAD", _MAX_POINTER_BYTES).decode("utf-8", "surrogateescape")
    except OSError:
        return  # git will report the problem
    if head.startswith(_BRANCH) and "\0" not in head:
        _check(common, (head.removeprefix("ref: ").rstrip("\n"),))


def git_dir_of(root: Path) -> Path:
    """Return the git directory of a folder: its `.git`, or the one that a `.git` file names.

    Raises:
        OSError: there is no `.git`, or it may not be read.
    """
    dot_git = root / ".git"
    if stat.S_ISDIR(dot_git.stat().st_mode):
        return dot_git
    target = read_regular(dot_git, _MAX_POINTER_BYTES).removeprefix(b"gitdir:").strip()
    return root / os.fsdecode(target)


def _common_dir(own: Path) -> Path:
    try:
        target = read_regular(own / "commondir", _MAX_POINTER_BYTES)
    except FileNotFoundError:
        return own
    return own / os.fsdecode(target.strip())


def _check(folder: Path, names: tuple[str, ...]) -> None:
    for name in names:
        try:
            mode = (folder / name).stat().st_mode
        except (OSError, ValueError):
            continue
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            kind = "a pipe" if stat.S_ISFIFO(mode) else "a socket or a device"
            shown = name if name in _TOP else f".git/{name}"
            raise GitError(
                f"{shown} is {kind} and not a regular file, so git would wait for it for ever. "
                "Remove it, or restore the original file."
            )


def is_folder(place: Path) -> bool:
    """Return whether there is a folder, and not a link to one."""
    return stat.S_ISDIR(_mode(place))


def is_link(place: Path) -> bool:
    """Return whether there is a symbolic link."""
    return stat.S_ISLNK(_mode(place))


def _mode(place: Path) -> int:
    try:
        return os.lstat(place).st_mode
    except (OSError, ValueError):
        return 0


_NAMES: Final = (".gitignore", ".gitattributes")
_WRITE_FLAGS: Final = os.O_WRONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
_LONGEST_S: Final = 3.0


def find_blocking_pipe(root: Path) -> str:
    """Return the path of a pipe in a working tree that a process is reading; "" for none.

    Args:
        root: top of the tree; for other folders nothing is searched.
    """
    if not os.path.lexists(root / ".git"):
        return ""
    end = time.monotonic() + _LONGEST_S
    folders = deque([""])
    while folders and time.monotonic() < end:
        folder = folders.popleft()
        try:
            with os.scandir(root / folder) as entries:
                found = list(entries)
        except OSError:
            continue
        for entry in found:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_dir(follow_symlinks=False) and entry.name != ".git":
                folders.append(path)
            elif entry.name in _NAMES and _is_waited_for(entry.path):
                return path
    return ""


def _is_waited_for(place: str) -> bool:
    """Return whether a pipe has a reader, including one that waits for the writer."""
    try:
        if not stat.S_ISFIFO(os.lstat(place).st_mode):
            return False
        os.close(os.open(place, _WRITE_FLAGS))
    except OSError:  # nobody reads
        return False
    return True
