"""Multiplexes many connections over one pair of pipes; the same at both ends.

Either end may open links. What comes for a link goes to its transport, which is bounded: a link
whose reader doesn't keep up gets a moment, then it is closed with 1013, so that it delays the
others once and not for good. A link that breaks a rule is closed, the others are not.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Final, TypeAlias

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.transports.lines import OVERLOADED, LineLimits, LineTransport, LineWriter, Oversize
from jupyter_ac.transports.link_lines import (
    Closed,
    Framed,
    LinkFault,
    Opened,
    close_line,
    link_of,
    open_line,
    read_line,
)

logger = logging.getLogger(__name__)

GOING_AWAY: Final = 1001
PROTOCOL_FAULT: Final = 1002
TOO_LARGE: Final = 1009
MAX_LINKS: Final = 256
ROOM_S: Final = 2.0

_REMEMBERED: Final = 1024
_END_S: Final = 10.0

Accept: TypeAlias = Callable[[LineTransport, Opened], Coroutine[object, object, None]]
"""Serves a link that the other side has opened, closes it, and raises nothing."""


class Multiplexer:
    """Routes lines to links, for one end of a pair of pipes.

    Args:
        writer: where all links write.
        limits: the bounds of each link.
        accept: called in a task of its own for each link that the other side opens; None: it must
            open none.
    """

    def __init__(
        self, writer: LineWriter, limits: LineLimits, accept: Accept | None = None
    ) -> None:
        self._writer = writer
        self._limits = limits
        self._accept = accept
        self._links: dict[str, LineTransport] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        # Lines sent before the other side was notified of an end are no protocol error.
        self._ended: OrderedDict[str, LineTransport] = OrderedDict()
        self._lost: ConnectionClosed | None = None

    def __len__(self) -> int:
        return len(self._links)

    def open(self, opened: Opened) -> LineTransport:
        """Open a link from this side.

        Raises:
            LinkFault: a link of this name is open, or its end is not written yet.
            ConnectionClosed: the other side has disconnected.
        """
        if self._lost is not None:
            raise self._lost
        name = opened.link
        earlier = self._ended.get(name)
        if name in self._links or (earlier is not None and earlier.queued_bytes):
            raise LinkFault(f"a link named {name} is open already", name)
        self._writer.write(open_line(name, opened.client, opened.aside))
        return self._add(name)

    async def take(self, line: bytes | Oversize) -> None:
        """Handle a line that came; waits when its link has no room, but not for long."""
        if isinstance(line, Oversize):
            megabytes = self._limits.frame_bytes / (1 << 20)
            reason = f"a message may have at most {megabytes:g} MiB"
            self._refuse(link_of(line.start), TOO_LARGE, reason)
            return
        try:
            read = read_line(line)
        except LinkFault as fault:
            self._refuse(fault.link, PROTOCOL_FAULT, str(fault))
            return
        match read:
            case Framed():
                await self._deliver(read)
            case Opened():
                self._opened(read)
            case Closed() if (transport := self._links.get(read.link)) is not None:
                transport.lost(ConnectionClosed(read.reason or "the link is closed", read.code))

    async def aclose(
        self, code: int = GOING_AWAY, reason: str = "the other process closed its pipe"
    ) -> None:
        """End all links after the other side has disconnected, within a time limit."""
        self._lost = ConnectionClosed(reason, code)
        for transport in list(self._links.values()):
            transport.lost(ConnectionClosed(reason, code))
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=_END_S)
            for task in late:
                task.cancel()

    async def _deliver(self, framed: Framed) -> None:
        transport = self._links.get(framed.link)
        if transport is None:
            if framed.link not in self._ended:
                self._refuse(framed.link, PROTOCOL_FAULT, "the link is not open")
            return
        waits = transport.deliver(framed.frame)
        if waits is None:
            return
        done, _ = await asyncio.wait({asyncio.ensure_future(waits)}, timeout=ROOM_S)
        if not done:
            transport.cut(OVERLOADED, "too many frames are waiting; reconnect and send fewer")

    def _opened(self, opened: Opened) -> None:
        name = opened.link
        if self._accept is None:
            self._refuse(name, PROTOCOL_FAULT, "links are opened by the other side only")
        elif name in self._links:
            self._refuse(name, PROTOCOL_FAULT, "the link was opened a second time")
        elif len(self._links) >= MAX_LINKS:
            self._refuse(name, OVERLOADED, f"more than {MAX_LINKS} links")
        else:
            task = asyncio.create_task(self._accept(self._add(name), opened), name=f"link {name}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _refuse(self, link: str, code: int, reason: str) -> None:
        """End a link that broke the rules; a line that names none can only be logged."""
        transport = self._links.get(link)
        if transport is not None:
            transport.cut(code, reason)
        elif link:
            self._writer.write(close_line(link, code, reason))
        else:
            logger.warning("a line was ignored that is no line of a link: %s", reason)

    def _add(self, name: str) -> LineTransport:
        transport = LineTransport(
            self._writer, self._limits, name, lambda: self._forget(name, transport)
        )
        self._links[name] = transport
        self._ended.pop(name, None)
        return transport

    def _forget(self, name: str, transport: LineTransport) -> None:
        if self._links.get(name) is not transport:
            return
        del self._links[name]
        self._ended[name] = transport
        while len(self._ended) > _REMEMBERED:
            self._ended.popitem(last=False)
