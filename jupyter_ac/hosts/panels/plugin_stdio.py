"""A plugin's process: its host is at the other end of standard input and output."""

import asyncio
import os
import select
import threading
from typing import Final

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.rpc.transport import EndOfInput
from jupyter_ac.transports.lines import (
    LineLimits,
    LineSplitter,
    LineTransport,
    LineWriter,
    Oversize,
)
from jupyter_ac.transports.streams import Streams

END_S: Final = 2.0
"""For the plugin to end after its host has gone."""


class StdioPipe:
    """The pipe to the host.

    Args:
        streams: standard input and output.

    Attributes:
        transport: carries the frames.
    """

    def __init__(self, streams: Streams) -> None:
        self._streams = streams
        self._writer = LineWriter(streams.writer)
        self._limits = LineLimits()
        self.transport = LineTransport(self._writer, self._limits)
        self._reading = asyncio.create_task(self._read(), name="standard input")

    async def aclose(self) -> None:
        """Write what is left, and close both."""
        self._streams.close_input()
        self._reading.cancel()
        await asyncio.wait({self._reading})
        await self._writer.aclose()

    async def _read(self) -> None:
        splitter = LineSplitter(self._limits.frame_bytes)
        async for line in self._streams.lines(splitter):
            if isinstance(line, Oversize):
                self.transport.lost(ConnectionClosed("a message of the host is too long", 1009))
                return
            waits = self.transport.deliver(line)
            if waits is not None:
                await waits
        self.transport.lost(EndOfInput("standard input has ended"))


def end_with_host(read_fd: int) -> None:
    """End this process soon after its input was closed, also when the plugin's code never rests.

    Args:
        read_fd: standard input.
    """
    watched = os.dup(read_fd)
    threading.Thread(target=_watch, args=(watched,), name="host watch", daemon=True).start()


def _watch(read_fd: int) -> None:
    watch = select.poll()
    watch.register(read_fd, 0)  # a closed pipe is reported in any case
    watch.poll()
    threading.Event().wait(END_S)
    os._exit(0)
