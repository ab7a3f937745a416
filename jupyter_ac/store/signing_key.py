"""The user's signing key: random bytes in a file that only the user can read.

Data written by the user's programs is signed with it; data that came with a repository is not. So
the key is never read from a folder inside the repository.
"""

import errno
import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout
from jupyter_core.paths import jupyter_data_dir

from jupyter_ac.os_errors import explained_os_error

FILE: Final = "history.key"
KEY_BYTES: Final = 32

_FOLDER: Final = "jupyter_ac"
_READ_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WRITE_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LOCK_TIMEOUT_S: Final = 5.0
_NO_HARD_LINKS: Final = frozenset({errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK})


_FAILING: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO, errno.ESTALE})
"""Errors that say nothing about the key and may be temporary."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key with a notice for the user.

    Attributes:
        key: the bytes.
        notice: a sentence if it isn't the previously used key, or is valid only for this process;
            otherwise None.
    """

    key: bytes
    notice: str | None = None


class _UnusableKeyError(Exception):
    """The file is not a key of this user."""


def signing_key(config_dir: Path, outside: Sequence[Path] = ()) -> SigningKey:
    """Return the user's key; created on first use.

    It is in the configuration directory, or in Jupyter's data directory: an existing key in either
    is used before a new one is created. An invalid file is set aside with a notice. If neither
    folder can contain one, a temporary key of this process is returned with a notice.

    Args:
        config_dir: the user's configuration directory.
        outside: folders of a repository; a key inside one of them may have come with it. A folder
            that contains the home directory belongs to the user.

    Raises:
        AcError: the disk fails, or too many files are open: with another key the user's own
            conversations would be treated as foreign.
    """
    closed = [folder for folder in outside if not _home_folder().is_relative_to(folder)]
    places = [
        folder / FILE
        for folder in (config_dir, Path(jupyter_data_dir()) / _FOLDER)
        if not any(Path(os.path.realpath(folder)).is_relative_to(each) for each in closed)
    ]
    lost: list[str] = []
    for use in (_read, _create):
        for place in places:
            try:
                return SigningKey(use(place), " ".join(lost) or None)
            except (OSError, _UnusableKeyError) as error:
                if isinstance(error, OSError) and error.errno in _FAILING:
                    raise explained_os_error(error, FILE) from error
                if use is _read:
                    lost += _notice_about(place, error)
    lost.append(
        "There is no folder for the key that marks conversations as yours, so you must "
        "trust them again after a restart; make the configuration folder writable, or set one "
        "outside of the repository in JUPYTER_AC_CONFIG_DIR."
    )
    return SigningKey(secrets.token_bytes(KEY_BYTES), " ".join(lost))


def _home_folder() -> Path:
    return Path(os.path.realpath(Path("~").expanduser()))


def _notice_about(place: Path, error: Exception) -> Iterator[str]:
    """Yield a notice about an unusable key, if there was one; an invalid file is set aside."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return
    what = f"{FILE}, the key that marks conversations as yours, "
    again = "another one is used and you must trust conversations again"
    if isinstance(error, OSError):
        reason = (error.strerror or "it can't be opened").lower()
        yield f"{what}can't be read ({reason}), so {again}; make it readable and restart."
        return
    aside = f"{FILE}.unusable-{secrets.token_hex(4)}"
    try:
        place.rename(place.with_name(aside))
    except OSError:
        aside = ""
    yield (
        f"{what}is a link, another user's, writable by others, or not a key, so {again}"
        + (f"; it was set aside as {aside}." if aside else "; remove it.")
    )


def _read(place: Path) -> bytes:
    """Read a key.

    Raises:
        FileNotFoundError: it doesn't exist.
        OSError: it can't be read.
        _UnusableKeyError: it is a link, another user's, writable by others, or not a key.
    """
    with os.fdopen(_opened(place), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_mode & 0o022 or not _is_own(found):
            raise _UnusableKeyError
        if found.st_mode & 0o077:
            os.fchmod(file.fileno(), 0o600)
        key = file.read(KEY_BYTES + 1)
    if len(key) != KEY_BYTES:
        raise _UnusableKeyError
    return key


def _opened(place: Path) -> int:
    """Open a possible key file; the owner's read permission is added if missing."""
    found = place.lstat()
    if not stat.S_ISREG(found.st_mode):
        raise _UnusableKeyError
    if _is_own(found) and not found.st_mode & stat.S_IRUSR:
        place.chmod(0o600)
    try:
        return os.open(place, _READ_FLAGS)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _UnusableKeyError from error
        raise


def _is_own(found: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or found.st_uid == os.geteuid()


def _create(place: Path) -> bytes:
    """Create a new key; if another process was faster its key is returned.

    Raises:
        OSError: the folder can't be written.
        _UnusableKeyError: others keep writing something else to its path.
    """
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = place.with_name(f".{FILE}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(temporary, _WRITE_FLAGS, 0o600), "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        _move_into_place(temporary, place)
    finally:
        temporary.unlink(missing_ok=True)
    return _read(place)


def _move_into_place(temporary: Path, place: Path) -> None:
    """Rename a new key to its final name, unless another process was faster."""
    try:
        os.link(temporary, place)  # unlike a rename it never replaces a file
    except FileExistsError:
        return
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        lock = FileLock(place.with_name(f"{FILE}.lock"), timeout=_LOCK_TIMEOUT_S)
        with suppress(Timeout, NotImplementedError):  # the latter: a file system without locks
            lock.acquire()
        try:
            if not os.path.lexists(place):
                temporary.rename(place)
        finally:
            lock.release()
