"""The proof that two processes see the same files.

A path is no identity: a kernel in a container and a server outside may both know
`/home/me/project`. The kernel leaves a random word in the repository's state folder and the server
must find it there. A copy of the folder carries only the words that were there when it was made, so
each kernel adds one of its own, and those of other kernels stay good.
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
from jupyter_ac.store.place_checks import require_plain_folder

FILE: Final = "nonce"
KEPT: Final = 64
"""How many kernels' words are kept, newest first."""

_WORD: Final = re.compile(r"^[0-9a-f]{32}$")
_MAX_BYTES: Final = 64 * 1024
_LOCK_TIMEOUT_S: Final = 2.0


def write_nonce(state_dir: Path) -> str:
    """Add a new word, 32 hex digits, to the state folder and return it.

    Raises:
        OSError: the folder can't be written.
        RefusedPath: it was replaced by a link.
    """
    require_plain_folder(state_dir)
    nonce = secrets.token_hex(16)
    lock = FileLock(state_dir / f"{FILE}.lock")
    with suppress(Timeout, NotImplementedError):  # the latter: a file system without locks
        lock.acquire(timeout=_LOCK_TIMEOUT_S)
    try:
        _replace(state_dir / FILE, [nonce, *_words(state_dir)][:KEPT])
    finally:
        lock.release()
    return nonce


def knows_nonce(state_dir: Path, nonce: str) -> bool:
    """Tell whether a word from outside stands in the state folder."""
    asked = nonce.encode("utf-8", "replace")
    return any(hmac.compare_digest(word.encode(), asked) for word in _words(state_dir))


def _words(state_dir: Path) -> list[str]:
    """Return the words, newest first; whatever else the file holds is passed over."""
    try:
        require_plain_folder(state_dir)
        descriptor = os.open(state_dir / FILE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            text = file.read(_MAX_BYTES).decode("ascii", "replace")
    except (OSError, RefusedPath):
        return []
    return [line.strip() for line in text.splitlines() if _WORD.match(line.strip())]


def _replace(path: Path, lines: list[str]) -> None:
    """Write the file whole or not at all, readable by its owner only."""
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(temporary, flags, 0o600), "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
