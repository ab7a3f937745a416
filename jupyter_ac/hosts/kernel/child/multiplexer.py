"""Multiplexes many links over one child process: routes its lines, and handles its exit."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import AcError
from jupyter_ac.hosts.kernel.child.process import HostProcess
from jupyter_ac.transports.multiplexing import (
    Closed,
    Framed,
    close_line,
    frame_line,
    open_line,
    read_line,
)

logger = logging.getLogger(__name__)

LOST: Final = 1006
"""Close code of every link when the child has ended."""

_TAKEN: Final = 1002
_OVERLOADED: Final = 1013

QUEUE_BYTES: Final = 64 * 1024 * 1024
"""Limit of the data queued for a child that doesn't read; a sender above it is cut off."""


@dataclass(frozen=True, slots=True)
class Ends:
    """The callbacks of a link's owner, called on the child's thread; must not block."""

    on_frame: Callable[[str], None]
    on_close: Callable[[int, str], None]


class ChildMultiplexer:
    """The links of one kernel to one host. Belongs to one event loop.

    The process is started by the first link, and by the first one after it has ended.

    Args:
        arguments: command line of the process.
        environ: gives its environment.
    """

    def __init__(self, arguments: Sequence[str], environ: Callable[[], Mapping[str, str]]) -> None:
        self.process: HostProcess | None = None
        self._arguments = arguments
        self._environ = environ
        self._links: dict[str, Ends] = {}
        self._waiting: deque[str] = deque()
        self._life: asyncio.Task[None] | None = None
        self._lives: set[asyncio.Task[None]] = set()
        self._is_closed = False

    def open(self, link: str, ends: Ends, client: str, aside: str) -> None:
        """Open a link; a name that is open already is refused by a close."""
        if link in self._links:
            ends.on_close(_TAKEN, f"a link named {link} is open already")
            return
        self._links[link] = ends
        self._send(open_line(link, client, aside))

    def send(self, link: str, ends: Ends, frame: str) -> None:
        """Pass a frame on; dropped when the link is closed."""
        if self._links.get(link) is not ends:
            return
        if self.process is not None and self.process.queued_bytes > QUEUE_BYTES:
            del self._links[link]
            _tell(ends.on_close, _OVERLOADED, "jupyter ac stdio doesn't read; try again later")
            return
        self._send(frame_line(link, frame))

    def close(self, link: str, ends: Ends) -> None:
        """Close a link from this side; its owner is not called again."""
        if self._links.get(link) is ends:
            del self._links[link]
            self._send(close_line(link, 1000, ""))

    async def aclose(self) -> None:
        """Close all links and end the process; bounded."""
        self._is_closed = True
        if self._life is not None:
            self._life.cancel()
        if self._lives:
            await asyncio.wait(self._lives)

    def _send(self, line: str) -> None:
        if self.process is not None:
            self.process.send(line)
            return
        self._waiting.append(line)
        if self._life is None:
            self._life = asyncio.create_task(self._live(), name="kernel's child")
            self._lives.add(self._life)
            self._life.add_done_callback(self._lives.discard)

    async def _live(self) -> None:
        """One process from its start to its end."""
        process: HostProcess | None = None
        reason = ""
        try:
            process = await HostProcess.start(self._arguments, self._environ())
            self.process = process
            while self._waiting:
                process.send(self._waiting.popleft())
            while True:
                self._take(await process.receive())
        except AcError as error:
            reason = str(error)
        except asyncio.CancelledError:
            reason = "the kernel has closed its jupyter ac stdio"
            raise
        finally:
            # A link that is opened from now on gets a process of its own.
            lost, self._links = self._links, {}
            self.process = self._life = None
            self._waiting.clear()
            if process is not None:
                epitaph = await process.end()
                reason = reason if self._is_closed else epitaph
            for ends in lost.values():
                _tell(ends.on_close, LOST, reason)

    def _take(self, line: bytes) -> None:
        try:
            read = read_line(line)
        except AcError as error:
            logger.warning("jupyter ac stdio wrote what is no line of a link: %s", error)
            return
        if isinstance(read, Framed):
            if (ends := self._links.get(read.link)) is not None:
                _tell(ends.on_frame, read.frame.decode("utf-8", "replace"))
        elif isinstance(read, Closed) and (ends := self._links.pop(read.link, None)) is not None:
            _tell(ends.on_close, read.code, read.reason)


def _tell(callback: Callable[..., None], *args: object) -> None:
    """Call a link's owner; its failure is not the other links'."""
    try:
        callback(*args)
    except Exception:
        logger.exception("a link's owner failed")
