"""Standard input and output as the SDK's server reads and writes them, with bounded lines."""

from collections.abc import AsyncIterator
from typing import Final

from jupyter_ac.errors import TooLarge
from jupyter_ac.transports.lines import LineSplitter, Oversize
from jupyter_ac.transports.streams import Streams

MAX_LINE: Final = 16 * 1024 * 1024
"""Bytes of a message."""


class InputLines:
    """The lines that come, decoded; bytes that are no UTF-8 become U+FFFD.

    Args:
        streams: of which the input is read.
    """

    def __init__(self, streams: Streams) -> None:
        self._streams = streams

    async def __aiter__(self) -> AsyncIterator[str]:
        """Return line after line, until the input ends.

        Raises:
            TooLarge: a line is longer than `MAX_LINE`.
        """
        async for line in self._streams.lines(LineSplitter(MAX_LINE)):
            if isinstance(line, Oversize):
                raise TooLarge(f"A message may have at most {MAX_LINE >> 20} MiB.")
            if line.strip():
                yield line.decode(errors="replace")


class OutputLines:
    """Takes the lines that go.

    Args:
        streams: to which the output is written.
    """

    def __init__(self, streams: Streams) -> None:
        self._streams = streams

    async def write(self, text: str) -> None:
        """Write whole lines; waits while the reader is behind.

        Raises:
            OSError: nobody reads any more.
        """
        self._streams.writer.write(text.encode(errors="replace"))

    async def flush(self) -> None:
        """Wait while the reader is behind.

        Raises:
            OSError: nobody reads any more.
        """
        await self._streams.writer.drain()
