"""Bounds how often work is done that many changes ask for: once a frame."""

import asyncio
from collections.abc import Callable
from typing import Final

FRAME_S: Final = 1 / 60
"""Between two frames."""


class FramePacer:
    """Does work at the end of the loop's iteration that asks for it, then once a frame at most.

    Args:
        work: is done once, however often it was asked for meanwhile; may ask again.
    """

    def __init__(self, work: Callable[[], object]) -> None:
        self._work = work
        self._handle: asyncio.Handle | None = None
        self._next_s = float("-inf")

    def ask(self, loop: asyncio.AbstractEventLoop) -> None:
        """Have the work done on a loop, as soon as it may be."""
        if self._handle is not None:
            return
        if self._next_s <= loop.time():
            self._handle = loop.call_soon(self._do)
        else:
            self._handle = loop.call_at(self._next_s, self._do)

    def note_frame(self, loop: asyncio.AbstractEventLoop) -> None:
        """Note that a frame was made now; the next one is due a frame later."""
        self._next_s = loop.time() + FRAME_S

    def cancel(self) -> None:
        """Forget what was asked for: it has been done, or is not needed any more."""
        handle, self._handle = self._handle, None
        if handle is not None:
            handle.cancel()

    def _do(self) -> None:
        self._handle = None
        self._work()
