"""The stand-alone server's token, stored for later runs on the same port.

A page that is open reconnects by itself when the server is started again, so the token of a port
stays the same for a day after its last server. It lies in Jupyter's runtime folder, for its owner
only. What lies there and could be another user's work is not used.
"""

import os
import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from jupyter_core.paths import jupyter_runtime_dir

KEEP_S: Final = 24 * 3600.0

_TOKEN: Final = re.compile(rb"[0-9a-f]{48}")
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class TokenFile:
    """The file with one port's token. Every failure of it costs no more than a new token.

    Args:
        port: whose token.
        folder: where it lies; Jupyter's runtime folder when None.
    """

    def __init__(self, port: int, folder: Path | None = None) -> None:
        self._place = (folder or Path(jupyter_runtime_dir())) / f"jupyter-ac-{port}.token"

    def read(self, now_s: float) -> str:
        """Return the token of the port's last server; "" when there is none to be trusted."""
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            descriptor = os.open(self._place, flags)
        except OSError:
            return ""
        with os.fdopen(descriptor, "rb") as file:
            facts = os.fstat(descriptor)
            is_ours = stat.S_ISREG(facts.st_mode) and facts.st_uid == os.geteuid()
            if not is_ours or facts.st_mode & _OTHERS or now_s - facts.st_mtime > KEEP_S:
                return ""
            content = file.read(64).strip()
        return content.decode() if _TOKEN.fullmatch(content) else ""

    def write(self, token: str) -> None:
        """Write the token; at the start and at the end, so that the day counts from the end."""
        with suppress(OSError):
            self._place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft = self._place.with_suffix(f".{os.getpid()}")
            draft.unlink(missing_ok=True)
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(token.encode())
            draft.replace(self._place)


def new_token() -> str:
    """Make a token that can't be guessed."""
    return secrets.token_hex(24)
