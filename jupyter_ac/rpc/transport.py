"""The port between a peer and whatever carries its frames."""

from collections.abc import Callable
from typing import Protocol, TypeAlias, runtime_checkable

from jupyter_ac.errors import ConnectionClosed

Take: TypeAlias = Callable[[str | bytes], bool]
"""Takes a frame; says whether it set something in motion that the loop has yet to run."""


class EndOfInput(ConnectionClosed):
    """The other side sends nothing more, but it still reads: calls in flight are answered."""


class Transport(Protocol):
    """Carries whole frames, in order, both ways."""

    async def receive(self) -> str | bytes:
        """Wait for the next frame.

        Raises:
            EndOfInput: no frame will come, but frames can still be sent.
            ConnectionClosed: the connection has ended and every frame before its end was given.
        """

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        """Enqueue a frame; never blocks, and drops it silently after the end.

        Args:
            frame: one JSON value without a line break.
            newest_key: a frame that is still queued under the same key is replaced by this one.
        """

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """End the connection; later calls do nothing.

        Args:
            code: a WebSocket close code or its nearest equivalent.
            reason: one sentence for the user.
        """


@runtime_checkable
class FastTransport(Transport, Protocol):
    """What a transport may add for the sake of speed; a peer does without as well."""

    def push_to(self, take: Take | None) -> None:
        """Hand frames to `take` the moment they arrive, as long as `receive` waits for one.

        Saves a turn of the loop for each frame. None: every frame waits for `receive` again.
        """

    def send_encoding(
        self, spell: Callable[[], str], size_bytes: int, *, at_once: bool = True
    ) -> None:
        """Enqueue a frame that does not exist yet; its place in the order is taken at once.

        Args:
            spell: gives the frame; called once, in a worker thread; never raises.
            size_bytes: what it counts against the queue's bound until it is spelt.
            at_once: it is spelt from now on, and counts with its true size then; else when its turn
                comes.
        """
