"""What a command writes, taken as it comes.

A hook may leave a program running that holds the command's outputs open. So the end of the process
ends the reading, not the end of the pipe: what the command wrote itself is in the pipe by then.
"""

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Final

_CHUNK_BYTES: Final = 256 * 1024
_MAX_LEFT_BYTES: Final = 4 * 1024 * 1024
"""More than a pipe holds; whoever still writes could go on for ever."""


class PipeReader(asyncio.Protocol):
    """One output of a command.

    Args:
        limit: bytes to keep; without `take`.
        take: gets each piece instead, until it returns False; nothing is kept.

    Attributes:
        truncated: True when there was more than wanted.
    """

    def __init__(self, limit: int, take: Callable[[bytes], bool] | None = None) -> None:
        self.truncated = False
        self._room = limit
        self._take = take or self._keep
        self._kept: list[bytes] = []
        self._when_full: Callable[[], None] | None = None
        self._reader: int | None = None
        self._transport: asyncio.BaseTransport | None = None

    async def open(self) -> int:
        """Return the descriptor that the command writes to; the caller closes it."""
        self._reader, writer = os.pipe()
        loop = asyncio.get_running_loop()
        reader = os.fdopen(self._reader, "rb", 0)
        try:
            self._transport, _ = await loop.connect_read_pipe(lambda: self, reader)
        except BaseException:
            os.close(writer)
            raise
        return writer

    def when_full(self, stop: Callable[[], None]) -> None:
        """Have something done once when there is more than wanted, at once if there was already."""
        self._when_full = stop
        if self.truncated:
            stop()

    def data_received(self, data: bytes) -> None:
        """Take what is wanted."""
        if not self.truncated and not self._take(data):
            self.truncated = True
            if self._when_full is not None:
                self._when_full()

    def connection_lost(self, _: Exception | None) -> None:
        """Note that everybody has closed the pipe."""
        self._reader = None

    def finish(self) -> bytes:
        """Return what was kept; the command has ended.

        Whoever holds the pipe still may write on, and is not listened to.
        """
        left = _MAX_LEFT_BYTES
        with suppress(BlockingIOError):
            while self._reader is not None and left > 0:
                data = os.read(self._reader, _CHUNK_BYTES)
                left -= len(data)
                if data:
                    self.data_received(data)
                else:
                    self.close()
        self._when_full = None
        self._take = _ignore
        return b"".join(self._kept)

    def close(self) -> None:
        """Take nothing more."""
        self._reader = None
        if self._transport is not None:
            self._transport.close()

    def _keep(self, data: bytes) -> bool:
        self._kept.append(data[: self._room])
        fits = len(data) <= self._room
        self._room = max(0, self._room - len(data))
        return fits


def _ignore(_: bytes) -> bool:
    return True
