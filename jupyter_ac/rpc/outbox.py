"""A queue of frames bounded in bytes, in which an event gives way to a newer one of its key."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from jupyter_ac.rpc.codec import utf8_bytes

Frame: TypeAlias = "str | Callable[[], str] | asyncio.Future[str]"
"""A frame, the way to spell it, or one that a worker thread is spelling."""


@dataclass(slots=True, eq=False)
class QueuedFrame:
    """A frame that waits."""

    frame: Frame
    size_bytes: int
    newest_key: str | None
    is_waiting: bool = True


class Outbox:
    """Frames that wait for a slow receiver, in order.

    Args:
        on_pop: called when one was taken.

    Attributes:
        size_bytes: what is queued; what they have at least for frames that are not spelt yet.
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
        """Append a frame, or put it in the place of the queued one of the same key.

        Args:
            frame: the frame, or the way to spell it when its turn comes.
            size_bytes: what it counts.
            newest_key: of its event.
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
        """Append a frame that a worker thread spells from now on.

        Args:
            spell: gives the frame; never raises.
            size_bytes: what it counts until its true size is known.
            counted: called when it counts with that, if it still waits then.
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
        """Take the oldest frame.

        Raises:
            IndexError: nothing is queued.
        """
        queued = self._frames.popleft()
        queued.is_waiting = False
        self.size_bytes -= queued.size_bytes
        if queued.newest_key is not None:
            del self._newest[queued.newest_key]
        self._on_pop()
        return queued.frame

    def clear(self) -> None:
        """Drop everything."""
        for queued in self._frames:
            queued.is_waiting = False
        self._frames.clear()
        self._newest.clear()
        self.size_bytes = 0


async def spelt(frame: Frame) -> str:
    """Return a frame that was taken; waits for the thread that spells it."""
    if isinstance(frame, str):
        return frame
    return await (frame if isinstance(frame, asyncio.Future) else asyncio.to_thread(frame))
