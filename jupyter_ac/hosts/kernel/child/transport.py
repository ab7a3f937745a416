"""A link as the transport of a peer in this process."""

import asyncio
from collections import deque
from typing import Protocol

from jupyter_ac.errors import ConnectionClosed


class Sender(Protocol):
    """The part of a link that is needed here."""

    def send(self, frame: str) -> None:
        """Send a frame."""

    def close(self) -> None:
        """Close the link."""


class LinkTransport:
    """A `Transport` over a link. Belongs to the child's loop.

    Attributes:
        link: set before the first use.
    """

    link: Sender

    def __init__(self) -> None:
        self._frames: deque[str] = deque()
        self._arrived = asyncio.Event()
        self._ended: ConnectionClosed | None = None

    def put(self, frame: str) -> None:
        """Take a frame in."""
        self._frames.append(frame)
        self._arrived.set()

    def lost(self, code: int, reason: str) -> None:
        """The other side has closed the link."""
        self._ended = ConnectionClosed(reason, code)
        self._arrived.set()

    async def receive(self) -> str:
        """Wait for the next frame.

        Raises:
            ConnectionClosed: the link is closed and every frame before was given.
        """
        while not self._frames:
            if self._ended is not None:
                raise self._ended
            self._arrived.clear()
            await self._arrived.wait()
        return self._frames.popleft()

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        """Send a frame."""
        del newest_key  # there is no queue here in which an event could give way
        self.link.send(frame)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close the link."""
        if self._ended is None:
            self.lost(code, reason or "the connection is closed")
            self.link.close()
