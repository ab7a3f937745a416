"""git's own files, read without waiting: a pipe in the place of one would be waited for for ever.

`read_plain` is how this package reads them; `require_plain` looks at the ones that git opens first,
before git is started.
"""

import os
import stat
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


def read_plain(path: Path, limit: int, *, from_end: bool = False) -> bytes:
    """Return the beginning, or the end, of a plain file.

    Raises:
        OSError: there is none, or it is no plain file.
    """
    with os.fdopen(os.open(path, _FLAGS), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise OSError(f"{path.name} is no plain file")
        if from_end:
            file.seek(max(0, found.st_size - limit))
        return file.read(limit)


def require_plain(root: Path) -> None:
    """Refuse a repository in which a pipe, a socket or a device stands for one of git's files.

    Args:
        root: the top folder of a working tree; elsewhere nothing is looked at.

    Raises:
        GitError: names the file and the remedy.
    """
    _look(root, _TOP)
    try:
        own = git_dir_of(root)
        _look(own, _OWN)
        common = _common_dir(own)
        _look(common, _COMMON)
        head = read_plain(own / "HEAD", _MAX_POINTER_BYTES).decode("utf-8", "surrogateescape")
    except OSError:
        return  # git will say what is wrong
    if head.startswith(_BRANCH) and "\0" not in head:
        _look(common, (head.removeprefix("ref: ").rstrip("\n"),))


def git_dir_of(root: Path) -> Path:
    """Return the git directory that the `.git` of a folder is, or names as worktrees' do.

    Raises:
        OSError: there is no `.git`, or it may not be read.
    """
    dot_git = root / ".git"
    if stat.S_ISDIR(dot_git.stat().st_mode):
        return dot_git
    said = read_plain(dot_git, _MAX_POINTER_BYTES).removeprefix(b"gitdir:").strip()
    return root / os.fsdecode(said)


def _common_dir(own: Path) -> Path:
    try:
        said = read_plain(own / "commondir", _MAX_POINTER_BYTES)
    except FileNotFoundError:
        return own
    return own / os.fsdecode(said.strip())


def _look(folder: Path, names: tuple[str, ...]) -> None:
    for name in names:
        try:
            mode = (folder / name).stat().st_mode
        except (OSError, ValueError):
            continue
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            kind = "a pipe" if stat.S_ISFIFO(mode) else "a socket or a device"
            shown = name if name in _TOP else f".git/{name}"
            raise GitError(
                f"{shown} is {kind} and no plain file, so git can't be asked anything. "
                "Remove it, or put the file back that stood there."
            )
