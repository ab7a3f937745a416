"""The interface between a peer and the transport of its frames."""

from collections.abc import Callable
from typing import Protocol, TypeAlias, runtime_checkable

from jupyter_ac.errors import ConnectionClosed

Take: TypeAlias = Callable[[str | bytes], bool]
"""Handles a frame; returns whether it made work for the event loop."""


class EndOfInput(ConnectionClosed):
    """The other side sends no more frames, but still reads: running calls are answered."""


class Transport(Protocol):
    """Carries whole frames, in order, in both directions."""

    async def receive(self) -> str | bytes:
        """Wait for the next frame.

        Raises:
            EndOfInput: no further frame will arrive, but frames can still be sent.
            ConnectionClosed: the connection has ended, and all earlier frames were returned.
        """

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        """Enqueue a frame; never blocks, and silently drops it after the end.

        Args:
            frame: one JSON value without a line break.
            newest_key: a queued frame with the same key is replaced by this one.
        """

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close the connection; idempotent.

        Args:
            code: a WebSocket close code or its nearest equivalent.
            reason: one sentence for the user.
        """


@runtime_checkable
class FastTransport(Transport, Protocol):
    """Optional methods of a transport for speed."""

    def push_to(self, take: Take | None) -> None:
        """Pass frames to a callback as soon as they arrive, while `receive` is waiting.

        This saves an iteration of the event loop per frame. None: all frames are returned by
        `receive`.
        """

    def send_encoding(
        self, spell: Callable[[], str], size_bytes: int, *, at_once: bool = True
    ) -> None:
        """Enqueue a frame that is not encoded yet; its position in the order is fixed now.

        Args:
            spell: returns the frame; called once, in a worker thread; never raises.
            size_bytes: assumed size for the queue's limit until it is encoded.
            at_once: start encoding now, and then count its actual size; otherwise encode it when it
                is sent.
        """
