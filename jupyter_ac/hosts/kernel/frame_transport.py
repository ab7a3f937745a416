"""A peer's frames over whatever a kernel's handlers carry: they only queue, a thread serves."""

from collections.abc import Callable
from typing import Final

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.hosts.kernel.child.host import LoopThread
from jupyter_ac.transports.inbox import Inbox

_WAITING_FRAMES: Final = 1000
_WAITING_CHARS: Final = 16 << 20
_OVERLOADED: Final = 1013


def _nothing_waits() -> int:
    return 0


class FrameTransport:
    """Carries a peer's frames; its methods but `put` and `end` belong to the peer's thread.

    Args:
        thread: where the peer runs.
        send: sends a frame to the page.
        closed: called once when this side ends the connection, with a code and a reason.
        waiting: returns how much the page has yet to be sent.
    """

    def __init__(
        self,
        thread: LoopThread,
        send: Callable[[str], object],
        closed: Callable[[int, str], object],
        waiting: Callable[[], int] = _nothing_waits,
    ) -> None:
        self._thread = thread
        self._send = send
        self._closed = closed
        self._waiting = waiting
        self._inbox = Inbox(_WAITING_FRAMES, _WAITING_CHARS)
        self._is_closed = False

    @property
    def queued_bytes(self) -> int:
        """What waits for the page to read."""
        return self._waiting()

    def put(self, frame: str) -> None:
        """Take in a frame from the page; from any thread."""
        self._thread.call(self._take, frame)

    def end(self) -> None:
        """Note that the page has closed the connection; from any thread."""
        self._thread.call(self._end)

    async def receive(self) -> str | bytes:
        """Wait for the next frame."""
        return await self._inbox.get()

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        """Send a frame to the page."""
        del newest_key
        if not self._is_closed:
            self._send(frame)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close the connection."""
        if not self._is_closed:
            self._end(code, reason)
            self._closed(code, reason)

    def _take(self, frame: str) -> None:
        if self._is_closed:
            return
        if not self._inbox.has_room:  # a page waits for its answers; this one does not
            self._end(_OVERLOADED, "too many calls are waiting")
            self._closed(_OVERLOADED, "Too many calls are waiting.")
        self._inbox.put(frame)

    def _end(self, code: int = 1001, reason: str = "the page has closed the connection") -> None:
        self._is_closed = True
        self._inbox.end(ConnectionClosed(reason or "the connection is closed", code), drop=True)
