"""The user's own signing key: random bytes in a file that only the user can read.

What a program of this user has written carries a signature made with it; what came with a
repository can't. So the key is never read from a folder that lies inside the repository.
"""

import errno
import os
import secrets
import stat
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jupyter_core.paths import jupyter_data_dir

FILE: Final = "history.key"
KEY_BYTES: Final = 32

_FOLDER: Final = "jupyter_ac"
_READ_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WRITE_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_ATTEMPTS: Final = 3
_NO_HARD_LINKS: Final = frozenset({errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK})


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key, and what the user should know of it.

    Attributes:
        key: the bytes.
        notice: a sentence when it lasts only as long as this process; else None.
    """

    key: bytes
    notice: str | None = None


class _UnusableKeyError(Exception):
    """What stands in the key's place is no key of this user."""


def signing_key(config_dir: Path, outside: Sequence[Path] = ()) -> SigningKey:
    """Return the user's key; made on first use.

    It stands in the configuration directory, else in Jupyter's data directory. Where neither can
    hold it, a key of this process is returned with a notice.

    Args:
        config_dir: the user's configuration directory.
        outside: folders of a repository; a key that lies in one of them may have come with it. One
            that holds the home directory is the user's own.
    """
    closed = [folder for folder in outside if not _home().is_relative_to(folder)]
    for folder in (config_dir, Path(jupyter_data_dir()) / _FOLDER):
        if any(Path(os.path.realpath(folder)).is_relative_to(each) for each in closed):
            continue
        with suppress(OSError, _UnusableKeyError):
            return SigningKey(_kept(folder))
    return SigningKey(
        secrets.token_bytes(KEY_BYTES),
        "There is no folder for the key that marks conversations as yours, so they have to be "
        "trusted again after a restart; make the configuration folder writable, or name one "
        "outside of the repository in JUPYTER_AC_CONFIG_DIR.",
    )


def _home() -> Path:
    return Path(os.path.realpath(Path("~").expanduser()))


def _kept(folder: Path) -> bytes:
    """Read the key of a folder, or make it there; one that can't be used is replaced.

    Raises:
        OSError: the folder can't be read or written.
        _UnusableKeyError: others keep putting something else in its place.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    place = folder / FILE
    for _ in range(_ATTEMPTS):
        try:
            return _read(place)
        except FileNotFoundError:
            _make(place)
        except _UnusableKeyError:
            place.replace(place.with_name(f"{FILE}.unusable"))
    return _read(place)


def _read(place: Path) -> bytes:
    """Read a key.

    Raises:
        FileNotFoundError: there is none.
        _UnusableKeyError: it is a link, another user's, writable by others, or no key.
    """
    try:
        descriptor = os.open(place, _READ_FLAGS)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _UnusableKeyError from error
        raise
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_mode & 0o022 or not _is_own(found):
            raise _UnusableKeyError
        if found.st_mode & 0o077:
            os.fchmod(file.fileno(), 0o600)
        key = file.read(KEY_BYTES + 1)
    if len(key) != KEY_BYTES:
        raise _UnusableKeyError
    return key


def _is_own(found: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or found.st_uid == os.geteuid()


def _make(place: Path) -> None:
    """Make a new key; one that another process has just made stays."""
    draft = place.with_name(f".{FILE}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(draft, _WRITE_FLAGS, 0o600), "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, place)  # unlike a rename it never takes another one's place
        except FileExistsError:
            return
        except OSError as error:
            if error.errno not in _NO_HARD_LINKS:
                raise
            draft.rename(place)
    finally:
        draft.unlink(missing_ok=True)
