"""Which failed calls a client sends again, and how long it waits before.

Only what may pass by itself is tried again: a busy host, a limit of calls, a lost connection, a
call that the host stopped because nothing came of it. What took the client too long isn't: the host
stops it when the client leaves, and it would take as long again.

The pauses grow exponentially, with full jitter: each is a random part of the longest one, so that
clients that failed together don't come back together.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import SystemRandom
from typing import Final

from jupyter_ac.errors import AcError, Busy, ConnectionClosed, RemoteError

FIRST_S: Final = 0.5
LONGEST_S: Final = 8.0
TRIES: Final = 3

MAX_ORDERED_S: Final = 60.0
"""A server that asks for a longer pause is not asked again."""

_CODES: Final = frozenset({"TIMEOUT", "RATE_LIMITED", -32001, -32002})
_TYPES: Final = frozenset(
    [
        "busy",
        "not_ready",
        "provider_rate_limit",
        "provider_unavailable",
        "rate_limit",
        "rate_limited",
        "timeout",
    ]
)
_STALE: Final = "STALE_EPOCH"
_ACTING: Final = re.compile(
    r"(?:Browser\.)?(?:js|cdp|navigate|reload|back|forward|click|type_text|handle_dialog|set_fetch_rules"
    r"|fetch[._]\w+)"
)
"""Methods that act in a page: what was meant for one page must not happen in another one."""


@dataclass(frozen=True, slots=True)
class Pauses:
    """The clock and the dice of a client.

    Attributes:
        sleep: waits for seconds.
        random: returns a number from 0 to 1.
    """

    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    random: Callable[[], float] = SystemRandom().random

    def length_s(self, tried: int, ordered_s: float = 0.0) -> float:
        """Return how long to wait.

        Args:
            tried: how often it was tried again already.
            ordered_s: the least that the server asks for.
        """
        longest_s = min(LONGEST_S, FIRST_S * 2.0 ** min(tried, 10))
        return ordered_s + self.random() * longest_s


def may_pass(error: AcError) -> bool:
    """Return whether a call that failed in this way may succeed when it is sent again."""
    if isinstance(error, RemoteError):
        is_known = error.remote_code in _CODES or error.remote_type.lower() in _TYPES
        return is_known and ordered_pause_s(error) <= MAX_ORDERED_S
    if isinstance(error, Busy):
        return ordered_pause_s(error) <= MAX_ORDERED_S
    return isinstance(error, ConnectionClosed)


def ordered_pause_s(error: AcError) -> float:
    """Return the pause that a server asks for in `retry_after_ms` or `retry_after`; 0 if none."""
    data = error.data if isinstance(error, RemoteError) else error.details
    if not isinstance(data, dict):
        return 0.0
    for name, unit_s in (("retry_after_ms", 0.001), ("retry_after", 1.0)):
        given = data.get(name)
        if isinstance(given, int | float) and not isinstance(given, bool) and given > 0:
            return given * unit_s
    return 0.0


def acts(method: str) -> bool:
    """Return whether a method acts in a page, so that it isn't sent again for another one."""
    return _ACTING.fullmatch(method) is not None


def is_stale(error: AcError) -> bool:
    """Return whether a call was refused because it was made for an earlier connection."""
    if not isinstance(error, RemoteError):
        return False
    return error.remote_code == _STALE or error.remote_type.upper() == _STALE
