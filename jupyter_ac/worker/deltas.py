"""Joins small increments of text, so that a fast stream costs few messages."""

import asyncio
from collections.abc import Callable
from typing import Final

PAUSE_S: Final = 0.01
"""Minimum time between two messages of one stream."""

FULL: Final = 4096
"""So many characters are sent without waiting for that time."""

MAX_PIECE: Final = 4096
"""Maximum characters of a message: between two messages the host can do other work."""


class DeltaBuffer:
    """Forwards increments: the first immediately, later ones joined, all of them in order.

    Args:
        send: gets the joined increments.
    """

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send
        self._parts: list[str] = []
        self._size = 0
        self._pause: asyncio.TimerHandle | None = None

    def add(self, text: str) -> None:
        """Add an increment."""
        self._parts.append(text)
        self._size += len(text)
        if self._pause is None or self._size >= FULL:
            self._flush_and_pause()

    def flush(self) -> None:
        """Send the rest; must be called at the end, also after an error."""
        if self._pause is not None:
            self._pause.cancel()
            self._pause = None
        if self._parts:
            text = "".join(self._parts)
            self._parts.clear()
            self._size = 0
            for at in range(0, len(text), MAX_PIECE):
                self._send(text[at : at + MAX_PIECE])

    def _flush_and_pause(self) -> None:
        self.flush()
        self._pause = asyncio.get_running_loop().call_later(PAUSE_S, self._pause_over)

    def _pause_over(self) -> None:
        self._pause = None
        if self._parts:
            self._flush_and_pause()
