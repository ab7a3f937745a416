"""An in-memory pair of transports, for tests and embedding."""

import asyncio

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.rpc.codec import utf8_bytes
from jupyter_ac.rpc.outbox import Outbox, as_text
from jupyter_ac.rpc.transport import Transport


class DirectTransport:
    """One end of a pair; frames sent here are received at the other end, in order."""

    def __init__(self) -> None:
        self._other: DirectTransport | None = None
        self._inbox = Outbox()
        self._waiting: asyncio.Future[None] | None = None
        self._ended: ConnectionClosed | None = None

    def join(self, other: "DirectTransport") -> None:
        """Set the other end."""
        self._other = other

    async def receive(self) -> str | bytes:
        """Wait for the next frame; frames sent before a close are still delivered."""
        while not len(self._inbox):
            if self._ended is not None:
                raise self._ended
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
        return await as_text(self._inbox.pop())

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        """Deliver a frame to the other end."""
        if self._ended is None and self._other is not None:
            self._other.deliver(frame, newest_key)

    def deliver(self, frame: str, newest_key: str | None = None) -> None:
        """Receive a frame from the other end."""
        if self._ended is None:
            self._inbox.push(frame, utf8_bytes(frame), newest_key)
            self._wake()

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close both directions."""
        self.end(code, reason)
        if self._other is not None:
            self._other.end(code, reason)

    def end(self, code: int, reason: str) -> None:
        """Mark the connection as closed."""
        if self._ended is None:
            self._ended = ConnectionClosed(reason or "the connection is closed", code)
            self._wake()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


def direct_pair() -> tuple[Transport, Transport]:
    """Return two connected transports."""
    one, two = DirectTransport(), DirectTransport()
    one.join(two)
    two.join(one)
    return one, two
