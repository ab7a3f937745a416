"""A transport over a pair of pipes: one JSON value per line."""

import asyncio
import contextlib
import os
from typing import Final

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.rpc.codec import utf8_bytes
from jupyter_ac.rpc.outbox import Outbox, as_text

LINE_LIMIT: Final = 64 * 1024 * 1024
"""Bytes in a line at most; a longer one ends the connection."""

_HIGH_WATER: Final = 256 * 1024
_CLOSE_S: Final = 1.0


class PipeTransport:
    """A `Transport` over two byte streams; used by both ends.

    Args:
        reader: its `limit` is that of a line; `LINE_LIMIT` for workers.
        writer: where frames go; closed with the transport.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._waiting = Outbox()
        self._pump: asyncio.Task[None] | None = None
        self._closed: ConnectionClosed | None = None

    @property
    def queued_bytes(self) -> int:
        """Bytes that wait for the other process to read."""
        return self._waiting.size_bytes

    async def receive(self) -> bytes:
        """Wait for the next line that isn't blank.

        Raises:
            ConnectionClosed: end of file, a line over the limit, or closed from this side.
        """
        while self._closed is None:
            try:
                line = await self._reader.readline()
            except ValueError as error:
                raise ConnectionClosed("it wrote too long a line", 1009) from error
            except ConnectionError as error:
                raise ConnectionClosed("the other process is gone") from error
            if not line.endswith(b"\n"):
                raise ConnectionClosed("the other process closed its pipe")
            if not line.isspace():
                return line
        raise self._closed

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        """Enqueue a frame; after the end it is dropped."""
        if self._closed is not None or self._writer.is_closing():
            return
        if self._pump is None and self._has_room():
            self._write(frame)
            return
        self._waiting.push(frame, utf8_bytes(frame), newest_key)
        if self._pump is None:
            self._pump = asyncio.get_running_loop().create_task(self._drain())

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Write what is queued as far as that goes within a second, and close."""
        if self._closed is not None:
            return
        self._closed = ConnectionClosed(reason or "the connection is closed", code)
        pump, self._pump = self._pump, None
        if pump is not None:
            await asyncio.wait({pump}, timeout=_CLOSE_S)
            pump.cancel()
        self._writer.close()
        # Not `asyncio.timeout`: before Python 3.11.3 it doesn't work in a cancelled task.
        closing = asyncio.ensure_future(self._writer.wait_closed())
        await asyncio.wait({closing}, timeout=_CLOSE_S)
        if not closing.done():
            # The other side doesn't read.
            closing.cancel()
            self._writer.transport.abort()
        elif not isinstance(closing.exception(), OSError):  # else it broke: nothing to abort
            closing.result()

    def _has_room(self) -> bool:
        return self._writer.transport.get_write_buffer_size() < _HIGH_WATER

    def _write(self, frame: str) -> None:
        # A lone surrogate, which a page may send, must not end this; the reader refuses it.
        self._writer.write(frame.encode("utf-8", "surrogatepass") + b"\n")

    async def _drain(self) -> None:
        try:
            with contextlib.suppress(OSError):
                while len(self._waiting):
                    await self._writer.drain()
                    self._write(await as_text(self._waiting.pop()))
        finally:
            self._waiting.clear()
            self._pump = None


def claim_pipes() -> tuple[int, int]:
    """Take standard input and output for frames, and return them.

    From then on the process reads nothing there, and what it prints, or a library or a child of it,
    goes to standard error.

    Raises:
        OSError: the process was started without one of the three.
    """
    read_fd, write_fd = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return read_fd, write_fd


async def open_pipes(read_fd: int, write_fd: int) -> PipeTransport:
    """Join two file descriptors, which become this process's end of the connection."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LINE_LIMIT)
    await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(read_fd, "rb", buffering=0)
    )
    # A reader's protocol, because the bare flow-control one can't wait for the end.
    protocol = asyncio.StreamReaderProtocol(asyncio.StreamReader())
    transport, _ = await loop.connect_write_pipe(
        lambda: protocol, os.fdopen(write_fd, "wb", buffering=0)
    )
    return PipeTransport(reader, asyncio.StreamWriter(transport, protocol, None, loop))
