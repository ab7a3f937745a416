"""Reads the output of a command from a pipe while the command runs.

A hook may leave a process behind that holds the command's outputs open. So reading ends with the
command's process and not with the end of the pipe: the command's own output is in the pipe then.
"""

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Final

_CHUNK_BYTES: Final = 256 * 1024
_MAX_LEFT_BYTES: Final = 4 * 1024 * 1024
"""More than a pipe can hold; a process that still writes could go on for ever."""


class PipeReader(asyncio.Protocol):
    """Reads one output of a command.

    Args:
        limit: bytes to buffer; without `on_data`.
        on_data: gets each chunk instead, until it returns False; nothing is buffered.

    Attributes:
        truncated: True if there was more output than wanted.
    """

    def __init__(self, limit: int, on_data: Callable[[bytes], bool] | None = None) -> None:
        self.truncated = False
        self._left = limit
        self._on_data = on_data or self._buffer
        self._chunks: list[bytes] = []
        self._on_limit: Callable[[], None] | None = None
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

    def call_at_limit(self, stop: Callable[[], None]) -> None:
        """Set a callback for reaching the limit; called at once if it is already reached."""
        self._on_limit = stop
        if self.truncated:
            stop()

    def data_received(self, data: bytes) -> None:
        """Process a chunk."""
        if not self.truncated and not self._on_data(data):
            self.truncated = True
            if self._on_limit is not None:
                self._on_limit()

    def connection_lost(self, _: Exception | None) -> None:
        """Handle that all writers have closed the pipe."""
        self._reader = None

    def finish(self) -> bytes:
        """Return the buffered output after the command has ended.

        Other processes that still hold the pipe may go on writing; this is ignored.
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
        self._on_limit = None
        self._on_data = _ignore
        return b"".join(self._chunks)

    def close(self) -> None:
        """Stop reading."""
        self._reader = None
        if self._transport is not None:
            self._transport.close()

    def _buffer(self, data: bytes) -> bool:
        self._chunks.append(data[: self._left])
        fits = len(data) <= self._left
        self._left = max(0, self._left - len(data))
        return fits


def _ignore(_: bytes) -> bool:
    return True
