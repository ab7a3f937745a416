"""Leases: which process makes an answer or shows a session, and whether that process is alive.

A person's panels continue the session that another process of theirs shows, and start a new one if
there is none. `hold` and `is_held` run inside one transaction.
"""

import os
import secrets
import socket
import sqlite3
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from jupyter_ac.chat.records import now_ms
from jupyter_ac.ids import Identity

SILENT_MS: Final = 15_000
"""An answer whose process hasn't said a word for so long is taken to be lost."""

_MOST_SEEN: Final = 1000


class Heartbeats:
    """The times of the last heartbeats of other processes, by this process's clock.

    Args:
        clock: monotonic, in milliseconds.
    """

    def __init__(self, clock: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000) -> None:
        self._clock = clock
        self._seen: dict[tuple[str, int], int] = {}

    def silent_ms(self, signature: str, alive_ms: int) -> int:
        """Return for how long this is the last that a process has said, as far as was watched.

        Args:
            signature: that process as it signed.
            alive_ms: what it said last.
        """
        if len(self._seen) >= _MOST_SEEN:
            self._seen.clear()
        now = self._clock()
        return now - self._seen.setdefault((signature, alive_ms), now)


@dataclass(frozen=True, slots=True)
class Owner:
    """One process, as it signs its turns.

    Attributes:
        host: name of the machine.
        pid: number of the process; another one may get it later, in a container at every start.
        nonce: distinguishes it from those.
        heartbeats: when the last heartbeat of each other process was first read, by our own clock.
    """

    host: str = field(default_factory=socket.gethostname)
    pid: int = field(default_factory=os.getpid)
    nonce: str = field(default_factory=lambda: secrets.token_hex(4))
    heartbeats: Heartbeats = field(default_factory=Heartbeats, compare=False)

    def __str__(self) -> str:
        return f"{self.host}/{self.pid}/{self.nonce}"

    def is_lost(self, signature: str, alive_ms: int, now_ms: int) -> bool:
        """Say whether a running turn of another process can't be running any more.

        Args:
            signature: that process as it signed.
            alive_ms: when it last said that it is alive, by its clock, which may be wrong.
            now_ms: by ours.
        """
        if signature == str(self):
            return False
        silent_ms = max(now_ms - alive_ms, self.heartbeats.silent_ms(signature, alive_ms))
        return silent_ms > SILENT_MS or self.is_gone(signature, silent_ms, SILENT_MS)

    def is_gone(self, signature: str, silent_ms: int, patience_ms: int) -> bool:
        """Say whether a process has ended; one that may say nothing for long, such as an idle host.

        Args:
            signature: that process as it signed.
            silent_ms: time since it last said that it is alive.
            patience_ms: how long one that can't be looked at may say nothing.
        """
        if signature == str(self):
            return False
        host, pid, _ = (*signature.split("/"), "", "", "")[:3]
        if host != self.host or not (pid.isascii() and pid.isdigit()):
            return silent_ms > patience_ms
        return int(pid) == self.pid or not _is_alive(int(pid))


def _is_alive(pid: int) -> bool:
    if sys.platform == "win32":  # there, asking would end the process
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return not _is_zombie(pid)


def _is_zombie(pid: int) -> bool:
    """Say whether a process has ended and only waits for its parent to notice."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:  # not this kind of system
        return False
    return text.rpartition(")")[2].split()[:1] in (["Z"], ["X"])


LEASE_MS: Final = 900_000
"""The lease of a process on another machine, which can't be checked; then it counts as dead."""


def hold(
    db: sqlite3.Connection, owner: Owner, person: tuple[Identity, str], session_id: str
) -> None:
    """Note that this process has a session on its screens, and is alive.

    Args:
        db: inside a transaction.
        owner: this process.
        person: whose panels, and the name of the worktree.
        session_id: which session.
    """
    db.execute(
        "INSERT OR REPLACE INTO holders (owner, identity, worktree, session_id, alive_ms)"
        " VALUES (?, ?, ?, ?, ?)",
        (str(owner), *person, session_id, now_ms()),
    )


def is_held(db: sqlite3.Connection, owner: Owner, session_id: str) -> bool:
    """Say whether another living process has a session on its screens."""
    _forget_lost(db, owner)
    found = db.execute(
        "SELECT 1 FROM holders WHERE session_id = ? AND owner <> ?", (session_id, str(owner))
    )
    return found.fetchone() is not None


def _forget_lost(db: sqlite3.Connection, owner: Owner) -> None:
    now = now_ms()
    for signature, alive_ms in db.execute("SELECT owner, alive_ms FROM holders").fetchall():
        silent_ms = now - alive_ms if isinstance(alive_ms, int) else LEASE_MS + 1
        # A clock that is ahead by more than that is wrong, and nobody's who could be asked.
        if silent_ms < -LEASE_MS or owner.is_gone(str(signature), silent_ms, LEASE_MS):
            db.execute("DELETE FROM holders WHERE owner = ?", (signature,))
