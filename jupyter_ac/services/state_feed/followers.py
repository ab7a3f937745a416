"""Wakes many followers in turn, without holding up the event loop for all of them at once."""

import asyncio
from collections.abc import Callable
from typing import Final

WOKEN_IN_A_ROW: Final = 32
"""Followers woken before other work gets its turn: a millisecond or two of writing to sockets."""

Wake = Callable[[], None]


class Followers:
    """Functions to be called after a change. Belongs to one event loop.

    Each is called at least once after the last `wake`; several changes may be told by one call. Who
    still waits for an earlier change keeps its place, so that frequent changes starve nobody.
    """

    def __init__(self) -> None:
        self._all: dict[Wake, None] = {}
        self._waiting: dict[Wake, None] = {}
        self._is_due = False

    def __len__(self) -> int:
        return len(self._all)

    def add(self, wake: Wake) -> None:
        """Call a function after each change from now on; it must return at once, and not raise."""
        self._all[wake] = None

    def discard(self, wake: Wake) -> None:
        """Call it no more; an unknown one is ignored."""
        self._all.pop(wake, None)
        self._waiting.pop(wake, None)

    def wake(self) -> None:
        """Call all of them soon."""
        self._waiting |= self._all
        self._continue_soon()

    def wake_at_once(self) -> None:
        """Call all of them before this returns."""
        self._waiting.clear()
        for wake in list(self._all):
            wake()

    def _continue_soon(self) -> None:
        if self._waiting and not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._wake_some)

    def _wake_some(self) -> None:
        self._is_due = False
        for _ in range(min(WOKEN_IN_A_ROW, len(self._waiting))):
            if not self._waiting:
                return
            wake = next(iter(self._waiting))
            del self._waiting[wake]
            wake()
        self._continue_soon()
