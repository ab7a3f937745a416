"""A queue of frames bounded in bytes, in which an event gives way to a newer one of its key."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True, eq=False)
class QueuedFrame:
    """A frame that waits, or the way to spell it."""

    frame: str | Callable[[], str]
    size_bytes: int
    newest_key: str | None


class Outbox:
    """Frames that wait for a slow receiver, in order.

    Args:
        on_pop: called when one was taken.

    Attributes:
        size_bytes: what is queued; characters for text, a guess for frames not spelt yet.
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
        """Append a frame, or put it in the place of the queued one of the same key."""
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

    def pop(self) -> str | Callable[[], str]:
        """Take the oldest frame.

        Raises:
            IndexError: nothing is queued.
        """
        queued = self._frames.popleft()
        self.size_bytes -= queued.size_bytes
        if queued.newest_key is not None:
            del self._newest[queued.newest_key]
        self._on_pop()
        return queued.frame

    def clear(self) -> None:
        """Drop everything."""
        self._frames.clear()
        self._newest.clear()
        self.size_bytes = 0
