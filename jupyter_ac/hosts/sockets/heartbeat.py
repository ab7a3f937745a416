"""Detects dead connections by pings; an idle connection stays open.

A cut tunnel or a stopped process leaves a socket half open, without data and without an error.
tornado's own pings accept only the pong as a sign of life, and that waits behind a long frame and
behind all that a full inbox has not read yet. Here every frame is a sign of life, and time in which
we don't read ourselves doesn't count.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

PING_S: Final = 30.0
SILENCE_S: Final = 120.0
"""Longer than a frame of 8 MiB takes through a slow tunnel: only whole frames are detected."""


@dataclass(frozen=True, slots=True)
class HeartbeatTiming:
    """The intervals and time limits of a heartbeat.

    Attributes:
        ping_s: seconds between two pings.
        silence_s: time limit without any frame.
    """

    ping_s: float = PING_S
    silence_s: float = SILENCE_S


class Heartbeat:
    """Sends pings until it is stopped, or until no frame arrives within the time limit.

    Attributes:
        is_silent: the owner sets it to False for each received frame.

    Args:
        ping: sends a ping.
        is_held: returns whether we ourselves don't read at the moment.
        give_up: closes the connection.
        pace: the intervals and time limits.
    """

    def __init__(
        self,
        ping: Callable[[], None],
        is_held: Callable[[], bool],
        give_up: Callable[[], None],
        pace: HeartbeatTiming,
    ) -> None:
        self.is_silent = False
        self._ping = ping
        self._is_held = is_held
        self._give_up = give_up
        self._pace = pace
        self._loop = asyncio.get_running_loop()
        self._heard_at = self._loop.time()
        self._next = self._loop.call_later(pace.ping_s, self._beat)

    def stop(self) -> None:
        """Stop sending pings."""
        self._next.cancel()

    def _beat(self) -> None:
        now = self._loop.time()
        if not self.is_silent or self._is_held():
            self._heard_at = now
        elif now - self._heard_at >= self._pace.silence_s:
            self._give_up()
            return
        self.is_silent = True
        self._next = self._loop.call_later(self._pace.ping_s, self._beat)
        self._ping()
