"""The transport of one exchange: one frame of the other side, and the frames that answer it."""

import asyncio
from collections.abc import Callable

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.rpc.transport import EndOfInput, Take


class ExchangeTransport:
    """Carries the body of a POST to a peer, and what the peer sends to a callback.

    Args:
        frame: of the other side.
        emit: called for each frame, in order; never raises.
    """

    def __init__(self, frame: bytes, emit: Callable[[str], None]) -> None:
        self._frame: bytes | None = frame
        self._emit = emit
        self._last: asyncio.Task[None] | None = None
        self._ended: ConnectionClosed | None = None

    async def receive(self) -> bytes:
        """Return the frame, then end; running calls are still answered.

        Raises:
            EndOfInput: there is nothing more.
            ConnectionClosed: the other side has left.
        """
        if self._ended is not None:
            raise self._ended
        if self._frame is None:
            raise EndOfInput("the request has ended")
        frame, self._frame = self._frame, None
        return frame

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        """Pass a frame on, behind those that are being encoded."""
        del newest_key
        if self._last is None:
            self._pass_on(frame)
        else:
            self._follow(lambda: frame)

    def push_to(self, take: Take | None) -> None:
        """Do nothing: there is only one frame."""

    def send_encoding(
        self, spell: Callable[[], str], size_bytes: int, *, at_once: bool = True
    ) -> None:
        """Pass on a frame that a worker thread encodes."""
        del size_bytes, at_once
        self._follow(spell)

    async def flushed(self) -> None:
        """Wait until all frames have been passed on."""
        while self._last is not None:
            await asyncio.wait({self._last})

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """End the exchange, behind the answers that are being encoded."""
        try:
            await self.flushed()
        finally:
            if self._ended is None:
                self._ended = ConnectionClosed(reason or "the exchange has ended", code)

    def _pass_on(self, frame: str) -> None:
        if self._ended is None:
            self._emit(frame)

    def _follow(self, spell: Callable[[], str]) -> None:
        task = asyncio.create_task(self._encode(spell, self._last), name="encoding an answer")
        self._last = task
        task.add_done_callback(self._encoded)

    async def _encode(self, spell: Callable[[], str], before: asyncio.Task[None] | None) -> None:
        frame = await asyncio.to_thread(spell)
        if before is not None:
            await asyncio.wait({before})
        self._pass_on(frame)

    def _encoded(self, task: asyncio.Task[None]) -> None:
        if self._last is task:
            self._last = None
