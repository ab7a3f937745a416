"""Finds the folder for a repository's state, and the journal mode that works there.

State belongs beside the repository, so that it moves with it and `git clean` doesn't delete it: in
`jupyter_ac/` inside the git directory that all worktrees share. Only if that can't be written
Jupyter's data directory is used. The folder's content is untrusted: links are not followed and
folders of other users are not used.
"""

import hashlib
import os
import sqlite3
import stat
import tempfile
from contextlib import closing, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from jupyter_core.paths import jupyter_data_dir

from jupyter_ac.errors import NotReady, TooLarge

FOLDER: Final = "jupyter_ac"

_LOCAL_FILE_SYSTEMS: Final = frozenset(
    {"apfs", "bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "hfs", "jfs"}
    | {"overlay", "ramfs", "reiserfs", "tmpfs", "ufs", "xfs", "zfs"}
)
_FULL: Final = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE})
_MOUNTS: Final = Path("/proc/self/mountinfo")


class JournalMode(StrEnum):
    """SQLite's journal mode, as named in its pragma."""

    WAL = "wal"
    TRUNCATE = "truncate"


@dataclass(frozen=True, slots=True)
class StateFolder:
    """An existing, writable folder for state.

    Attributes:
        directory: the folder, mode 0700; all links above it are resolved.
        notice: a sentence for the user if it isn't the usual folder, otherwise None.
    """

    directory: Path
    notice: str | None = None


def state_dir(common_dir: Path) -> Path:
    """Return `state_folder(common_dir).directory`."""
    return state_folder(common_dir).directory


def has_state(common_dir: Path) -> bool:
    """Return whether a repository has a folder for its state; creates none."""
    return any(place.exists() for place in _places(common_dir))


def _places(common_dir: Path) -> tuple[Path, Path]:
    """Return where the state of a repository is kept, and where if that can't be written."""
    real = os.path.realpath(common_dir)
    key = hashlib.sha256(os.fsencode(real)).hexdigest()[:24]
    return Path(real) / FOLDER, Path(os.path.realpath(Path(jupyter_data_dir()) / FOLDER)) / key


def state_folder(common_dir: Path) -> StateFolder:
    """Return the folder for the state of a repository; creates it if needed.

    Args:
        common_dir: the git directory that all worktrees of the repository share.

    Raises:
        NotReady: neither the git directory nor Jupyter's data directory can be written.
    """
    wanted, instead = _places(common_dir)
    refusal = _prepare(wanted)
    if refusal is None:
        return StateFolder(wanted, _unused_state(instead))
    if _prepare(instead) is not None:
        raise NotReady(
            "No folder for the history: neither the repository's git directory nor Jupyter's data "
            "directory can be written; make one of them writable."
        )
    return StateFolder(
        instead,
        f"The repository's git directory can't contain the history ({refusal}); it is stored in "
        "Jupyter's data directory instead, and earlier conversations there are not shown. Make "
        "`jupyter_ac` in the git directory a folder that you can write, and restart.",
    )


def _unused_state(instead: Path) -> str | None:
    """Return a notice about conversations from when the git directory wasn't writable."""
    if not any(instead.glob("*.sqlite")):
        return None
    return (
        "Conversations from when the repository's git directory couldn't be written are not shown: "
        f"they are in `{FOLDER}/{instead.name}` of Jupyter's data directory. To see them, move the "
        f"files from there to `{FOLDER}` in the git directory while no server runs; or delete them."
    )


def journal_mode(directory: Path) -> JournalMode:
    """Return the journal mode for databases in a folder: WAL if it is safe, otherwise TRUNCATE.

    WAL needs memory shared between processes, which network and shared-folder file systems lack or
    only claim to have: the file system must be a local one, and a test must succeed.

    Raises:
        TooLarge: the disk is full.
        OSError: no file can be created in the folder.
    """
    kind = _file_system(directory)
    if kind is not None and kind not in _LOCAL_FILE_SYSTEMS:
        return JournalMode.TRUNCATE
    with tempfile.TemporaryDirectory(prefix=".probe-", dir=directory) as folder:
        return _try_wal(Path(folder) / "probe.sqlite")


def is_local(directory: Path) -> bool:
    """Return whether only this machine can change a folder, as far as that can be determined."""
    kind = _file_system(directory)
    return kind is None or kind in _LOCAL_FILE_SYSTEMS


def _prepare(directory: Path) -> str | None:
    """Create or check a folder; return None, or in a few words why it isn't usable."""
    try:
        with suppress(FileExistsError):  # checked below
            directory.mkdir(mode=0o700, parents=True)
        found = directory.lstat()
        if not stat.S_ISDIR(found.st_mode):
            is_link = stat.S_ISLNK(found.st_mode)
            return f"its `jupyter_ac` is {'a link' if is_link else 'not a folder'}"
        if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
            return "its `jupyter_ac` belongs to another user"
        if found.st_mode & 0o077:
            directory.chmod(0o700)
        with tempfile.NamedTemporaryFile(dir=directory, prefix=".probe-"):
            pass
    except OSError as error:
        return (error.strerror or "it can't be written").lower()
    return None


def _try_wal(path: Path) -> JournalMode:
    """Write through one connection in WAL mode and read it through another."""
    try:
        with (
            closing(sqlite3.connect(path, isolation_level=None)) as writer,
            closing(sqlite3.connect(path, isolation_level=None)) as reader,
        ):
            (mode,) = writer.execute("PRAGMA journal_mode=WAL").fetchone()
            writer.execute("CREATE TABLE probe (x)")
            writer.execute("INSERT INTO probe VALUES (1)")
            if mode == "wal" and reader.execute("SELECT x FROM probe").fetchall() == [(1,)]:
                return JournalMode.WAL
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) in _FULL:  # not a problem of WAL
            raise TooLarge(
                "The disk is full: nothing can be written to the state folder; free some space."
            ) from error
    return JournalMode.TRUNCATE


def _file_system(directory: Path) -> str | None:
    """Return the type of a folder's file system; None if it can't be determined."""
    try:
        lines = _MOUNTS.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return None
    real = os.path.realpath(directory)
    best, kind = "", None
    for line in lines:
        before, _, after = line.partition(" - ")
        fields, rest = before.split(" "), after.split(" ")
        mount_point = fields[4:5]
        if mount_point:
            point = _unescape(mount_point[0])
            inside = real == point or real.startswith(point.rstrip("/") + "/")
            if inside and len(point) >= len(best):
                best, kind = point, rest[0]
    return kind


def _unescape(field: str) -> str:
    """Decode the kernel's octal escapes of white space and backslashes in a mount point."""
    for code, character in (("040", " "), ("011", "\t"), ("012", "\n"), ("134", "\\")):
        field = field.replace(f"\\{code}", character)
    return field
