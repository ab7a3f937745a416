"""A pair of descriptors as asyncio streams: pipes, files and terminals."""

import asyncio
import os
import stat
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from jupyter_ac.transports.lines import LineSplitter, Oversize
from jupyter_ac.transports.threads import ThreadReader, ThreadWriter

_FLOW_BYTES: Final = 1024 * 1024
_READ_BYTES: Final = 256 * 1024
_LOG_FD: Final = 2


@dataclass(frozen=True, slots=True)
class Streams:
    """Both directions.

    Attributes:
        reader: bytes as they come; frames are cut elsewhere.
        writer: to be closed by who has them.
        watch: ends when nobody reads what is written any more.
        source: feeds the reader.
    """

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    watch: asyncio.StreamReader
    source: asyncio.BaseTransport

    async def read(self, at_most: int) -> bytes:
        """Wait for bytes; none when no more will come."""
        try:
            return await self.reader.read(at_most)
        except OSError:
            return b""

    async def lines(self, splitter: LineSplitter) -> AsyncIterator[bytes | Oversize]:
        """Read whole lines; what comes after the last one stays in the splitter."""
        while data := await self.read(_READ_BYTES):
            for line in splitter.feed(data):
                yield line

    def close_input(self) -> None:
        """Read nothing more."""
        self.source.close()

    async def output_ended(self) -> None:
        """Wait until the output is closed at its other end.

        Raises:
            OSError: it can't be written, as on a full disk.
        """
        with suppress(ConnectionError):
            await self.watch.read()


async def open_streams(read_fd: int, write_fd: int) -> Streams:
    """Join two descriptors; what a loop can watch by the loop, the rest by threads."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=_FLOW_BYTES)
    incoming = asyncio.StreamReaderProtocol(reader)
    source: asyncio.BaseTransport
    # Before anything is read: a thread closes its descriptor at the end, which may be soon.
    watches_input = _may_watch(read_fd, write_fd)
    watches_output = _may_watch(write_fd, read_fd, _LOG_FD)
    if watches_input:
        source, _ = await loop.connect_read_pipe(
            lambda: incoming, os.fdopen(read_fd, "rb", buffering=0)
        )
    else:
        source = ThreadReader(read_fd, incoming)
    # A reader's protocol, because the bare flow-control one can't wait for the end.
    watch = asyncio.StreamReader()
    outgoing = asyncio.StreamReaderProtocol(watch)
    transport: asyncio.WriteTransport
    if watches_output:
        transport, _ = await loop.connect_write_pipe(
            lambda: outgoing, os.fdopen(write_fd, "wb", buffering=0)
        )
    else:
        transport = ThreadWriter(write_fd, outgoing)
    return Streams(reader, asyncio.StreamWriter(transport, outgoing, None, loop), watch, source)


def _may_watch(fd: int, *others: int) -> bool:
    """Tell whether a loop may have a descriptor, which becomes non-blocking for all who share it.

    A socket that is input and output at once isn't for it either: what comes in it takes for the
    end of what goes out.
    """
    mode = os.fstat(fd).st_mode
    shared = any(os.path.sameopenfile(fd, other) for other in others)
    return (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)) and not shared
