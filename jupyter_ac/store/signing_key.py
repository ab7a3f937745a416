"""The user's own signing key: random bytes in a file that only the user can read.

What a program of this user has written carries a signature made with it; what came with a
repository can't. So the key is never read from a folder that lies inside the repository.
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
"""What says nothing about the key, and may be over in a moment."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key, and what the user should know of it.

    Attributes:
        key: the bytes.
        notice: a sentence when it isn't the one that was used before, or lasts only as long as
            this process; else None.
    """

    key: bytes
    notice: str | None = None


class _UnusableKeyError(Exception):
    """What stands in the key's place is no key of this user."""


def signing_key(config_dir: Path, outside: Sequence[Path] = ()) -> SigningKey:
    """Return the user's key; made on first use.

    It stands in the configuration directory, else in Jupyter's data directory: one that is there
    is used before another is made. What is no key is set aside, and said. Where neither folder can
    hold one, a key of this process is returned with a notice.

    Args:
        config_dir: the user's configuration directory.
        outside: folders of a repository; a key that lies in one of them may have come with it. One
            that holds the home directory is the user's own.

    Raises:
        AcError: the disk fails, or too many files are open: to go on with another key would take
            the user's own conversations for somebody else's.
    """
    closed = [folder for folder in outside if not _home().is_relative_to(folder)]
    places = [
        folder / FILE
        for folder in (config_dir, Path(jupyter_data_dir()) / _FOLDER)
        if not any(Path(os.path.realpath(folder)).is_relative_to(each) for each in closed)
    ]
    lost: list[str] = []
    for use in (_read, _make):
        for place in places:
            try:
                return SigningKey(use(place), " ".join(lost) or None)
            except (OSError, _UnusableKeyError) as error:
                if isinstance(error, OSError) and error.errno in _FAILING:
                    raise explained_os_error(error, FILE) from error
                if use is _read:
                    lost += _lost(place, error)
    lost.append(
        "There is no folder for the key that marks conversations as yours, so they have to be "
        "trusted again after a restart; make the configuration folder writable, or name one "
        "outside of the repository in JUPYTER_AC_CONFIG_DIR."
    )
    return SigningKey(secrets.token_bytes(KEY_BYTES), " ".join(lost))


def _home() -> Path:
    return Path(os.path.realpath(Path("~").expanduser()))


def _lost(place: Path, error: Exception) -> Iterator[str]:
    """Say that a key can't be used, if there was one; what is no key of the user's is set aside."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return
    what = f"{FILE}, the key that marks conversations as yours, "
    again = "another one is used and conversations have to be trusted again"
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
        f"{what}is a link, another user's, writable by others, or no key, so {again}"
        + (f"; it was set aside as {aside}." if aside else "; remove it.")
    )


def _read(place: Path) -> bytes:
    """Read a key.

    Raises:
        FileNotFoundError: there is none.
        OSError: it can't be read.
        _UnusableKeyError: it is a link, another user's, writable by others, or no key.
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
    """Open a file that may be a key; one of the user's that they may not read is let be read."""
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


def _make(place: Path) -> bytes:
    """Make a new key; one that another process has just made is returned.

    Raises:
        OSError: the folder can't be written.
        _UnusableKeyError: others keep putting something else in its place.
    """
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = place.with_name(f".{FILE}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(draft, _WRITE_FLAGS, 0o600), "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        _settle(draft, place)
    finally:
        draft.unlink(missing_ok=True)
    return _read(place)


def _settle(draft: Path, place: Path) -> None:
    """Give a new key its name, unless another process was first."""
    try:
        os.link(draft, place)  # unlike a rename it never takes another one's place
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
                draft.rename(place)
        finally:
            lock.release()
