"""A queue of frames limited in bytes; a newer event replaces a queued one with the same key."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from jupyter_ac.rpc.codec import utf8_bytes

Frame: TypeAlias = "str | Callable[[], str] | asyncio.Future[str]"
"""A frame, a function that encodes it, or a future of a thread that encodes it."""


@dataclass(slots=True, eq=False)
class QueuedFrame:
    """A queued frame."""

    frame: Frame
    size_bytes: int
    newest_key: str | None
    is_waiting: bool = True


class Outbox:
    """Frames waiting for a slow receiver, in order.

    Args:
        on_pop: callback after a frame was removed.

    Attributes:
        size_bytes: total size; a lower bound for frames that are not encoded yet.
    """

    def __init__(self, on_pop: Callable[[], None] = lambda: None) -> None:
        self.size_bytes = 0
        self._on_pop = on_pop
        self._frames: deque[QueuedFrame] = deque()
        self._newest: dict[str, QueuedFrame] = {}

    def __len__(self) -> int:
        return len(self._frames)

    def push(
        self, frame: str | Callable[[], str], size_bytes: int, newest_key: str | None = None
    ) -> None:
        """Append a frame, or replace the queued one with the same key.

        Args:
            frame: the frame, or a function that encodes it when needed.
            size_bytes: its size.
            newest_key: key of its event.
        """
        queued = self._newest.get(newest_key) if newest_key is not None else None
        if queued is not None:
            self.size_bytes += size_bytes - queued.size_bytes
            queued.frame, queued.size_bytes = frame, size_bytes
            return
        queued = QueuedFrame(frame, size_bytes, newest_key)
        self._frames.append(queued)
        self.size_bytes += size_bytes
        if newest_key is not None:
            self._newest[newest_key] = queued

    def push_spelling(
        self, spell: Callable[[], str], size_bytes: int, counted: Callable[[], None]
    ) -> None:
        """Append a frame that a worker thread is encoding.

        Args:
            spell: returns the frame; never raises.
            size_bytes: assumed size until the actual one is known.
            counted: callback when the actual size is known, if it is still queued.
        """
        spelling = asyncio.get_running_loop().run_in_executor(None, spell)
        queued = QueuedFrame(spelling, size_bytes, None)
        self._frames.append(queued)
        self.size_bytes += size_bytes

        def count(done: "asyncio.Future[str]") -> None:
            if done.cancelled() or not queued.is_waiting:
                return
            queued.frame = done.result()
            true_bytes = utf8_bytes(queued.frame)
            self.size_bytes += true_bytes - queued.size_bytes
            queued.size_bytes = true_bytes
            counted()

        spelling.add_done_callback(count)

    def pop(self) -> Frame:
        """Remove and return the oldest frame.

        Raises:
            IndexError: the queue is empty.
        """
        queued = self._frames.popleft()
        queued.is_waiting = False
        self.size_bytes -= queued.size_bytes
        if queued.newest_key is not None:
            del self._newest[queued.newest_key]
        self._on_pop()
        return queued.frame

    def clear(self) -> None:
        """Remove all frames."""
        for queued in self._frames:
            queued.is_waiting = False
        self._frames.clear()
        self._newest.clear()
        self.size_bytes = 0


async def as_text(frame: Frame) -> str:
    """Return a removed frame as text; waits for the thread that encodes it."""
    if isinstance(frame, str):
        return frame
    return await (frame if isinstance(frame, asyncio.Future) else asyncio.to_thread(frame))
