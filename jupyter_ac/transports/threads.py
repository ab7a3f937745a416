"""asyncio transports for descriptors that an event loop can't watch: files and terminals.

A loop refuses regular files, and making a terminal non-blocking would change it for every other
program that uses it. So one thread reads and one writes, as if nobody waited for them.
"""

import asyncio
import os
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

_READ_BYTES: Final = 64 * 1024
_HIGH_WATER: Final = 64 * 1024


def _to_loop(loop: asyncio.AbstractEventLoop, call: Callable[..., object], *args: object) -> None:
    """Call on the loop's thread; after the loop's end there is nobody to call."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(call, *args)


class ThreadReader(asyncio.ReadTransport):
    """Feeds a protocol from a descriptor by a thread, which ends with the process at the latest.

    Args:
        fd: closed by the thread, when it comes back from reading it.
        protocol: gets the bytes; may ask for a pause.
    """

    def __init__(self, fd: int, protocol: asyncio.Protocol) -> None:
        super().__init__()
        self._fd = fd
        self._protocol = protocol
        self._loop = asyncio.get_running_loop()
        self._may_read = threading.Event()
        self._may_read.set()
        self._is_closing = False
        protocol.connection_made(self)
        threading.Thread(target=self._read, name="jupyter_ac-stdin", daemon=True).start()

    def is_closing(self) -> bool:
        """Whether it was closed."""
        return self._is_closing

    def is_reading(self) -> bool:
        """Whether reading is active."""
        return self._may_read.is_set() and not self._is_closing

    def pause_reading(self) -> None:
        """Pause reading."""
        self._may_read.clear()

    def resume_reading(self) -> None:
        """Resume reading."""
        self._may_read.set()

    def close(self) -> None:
        """Hand on nothing more."""
        self._is_closing = True
        self._may_read.set()

    def _read(self) -> None:
        data = b"first"
        while data and not self._is_closing:
            self._may_read.wait()
            try:
                data = os.read(self._fd, _READ_BYTES)
            except OSError:
                data = b""
            _to_loop(self._loop, self._take, data)
        os.close(self._fd)

    def _take(self, data: bytes) -> None:
        if self._is_closing:
            return
        if data:
            self._protocol.data_received(data)
        else:
            self._protocol.eof_received()


class ThreadWriter(asyncio.WriteTransport):
    """Writes to a descriptor by a thread.

    Args:
        fd: closed by the thread, when it has written everything.
        protocol: notified to pause while the queue is full, and of the end.
    """

    def __init__(self, fd: int, protocol: asyncio.BaseProtocol) -> None:
        super().__init__()
        self._fd = fd
        self._protocol = protocol
        self._loop = asyncio.get_running_loop()
        self._waiting: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._size = 0
        self._is_paused = False
        self._is_closing = False
        protocol.connection_made(self)
        threading.Thread(target=self._write, name="jupyter_ac-stdout", daemon=True).start()

    def is_closing(self) -> bool:
        """Whether it was closed or broke."""
        return self._is_closing

    def get_write_buffer_size(self) -> int:
        """Count the bytes that the thread has yet to write."""
        return self._size

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Hand bytes to the thread."""
        if self._is_closing or not data:
            return
        self._size += len(data)
        self._waiting.put(bytes(data))
        if self._size > _HIGH_WATER and not self._is_paused:
            self._is_paused = True
            self._protocol.pause_writing()

    def close(self) -> None:
        """Write what waits, then end."""
        if not self._is_closing:
            self._is_closing = True
            self._waiting.put(None)

    def abort(self) -> None:
        """End at once; what waits may or may not be written."""
        self.close()

    def _write(self) -> None:
        error: OSError | None = None
        while error is None and (data := self._waiting.get()) is not None:
            try:
                _write_all(self._fd, data)
            except OSError as broken:
                error = broken
            _to_loop(self._loop, self._written, len(data))
        os.close(self._fd)
        _to_loop(self._loop, self._end, error)

    def _written(self, size: int) -> None:
        self._size -= size
        if self._is_paused and self._size <= _HIGH_WATER:
            self._is_paused = False
            self._protocol.resume_writing()

    def _end(self, error: OSError | None) -> None:
        self._is_closing = True
        self._size = 0
        self._protocol.connection_lost(error)


def _write_all(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]
