"""Proves that two processes see the same files, by a random nonce in the state folder.

A path is not sufficient: a kernel in a container and a server outside may both know
`/home/me/project`. The kernel writes a nonce into the repository's state folder and the server must
find it there. A copy of the folder contains only the nonces from before the copy, so each kernel
adds its own, and those of other kernels stay valid.
"""

import hmac
import os
import re
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from jupyter_ac.errors import RefusedPath
from jupyter_ac.store.path_checks import require_real_folder

FILE: Final = "nonce"
MAX_NONCES: Final = 64
"""Number of stored nonces, newest first."""

_WORD: Final = re.compile(r"^[0-9a-f]{32}$")
_MAX_BYTES: Final = 64 * 1024
_LOCK_TIMEOUT_S: Final = 2.0


def write_nonce(state_dir: Path) -> str:
    """Add a new nonce, 32 hex digits, to the state folder and return it.

    Raises:
        OSError: the folder can't be written.
        RefusedPath: it was replaced by a link.
    """
    require_real_folder(state_dir)
    nonce = secrets.token_hex(16)
    lock = FileLock(state_dir / f"{FILE}.lock")
    with suppress(Timeout, NotImplementedError):  # the latter: a file system without locks
        lock.acquire(timeout=_LOCK_TIMEOUT_S)
    try:
        _replace(state_dir / FILE, [nonce, *_read_nonces(state_dir)][:MAX_NONCES])
    finally:
        lock.release()
    return nonce


def knows_nonce(state_dir: Path, nonce: str) -> bool:
    """Return whether a nonce from outside is in the state folder."""
    asked = nonce.encode("utf-8", "replace")
    return any(hmac.compare_digest(word.encode(), asked) for word in _read_nonces(state_dir))


def _read_nonces(state_dir: Path) -> list[str]:
    """Return the nonces, newest first; other contents of the file are ignored."""
    try:
        require_real_folder(state_dir)
        descriptor = os.open(state_dir / FILE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            text = file.read(_MAX_BYTES).decode("ascii", "replace")
    except (OSError, RefusedPath):
        return []
    return [line.strip() for line in text.splitlines() if _WORD.match(line.strip())]


def _replace(path: Path, lines: list[str]) -> None:
    """Write the file atomically, readable only by its owner."""
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(temporary, flags, 0o600), "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
