"""Multiplexes many connections over one pair of pipes: opens, closes, routes the lines.

A link whose methods don't keep up gets a moment; then it is closed with 1013, so that it delays
the others once and not for good.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final

from jupyter_ac.errors import AcError, ConnectionClosed
from jupyter_ac.hosts.sockets.codes import FAILED, LOGGED, close_code
from jupyter_ac.rpc.transport import Transport
from jupyter_ac.transports.lines import OVERLOADED, LineLimits, LineTransport, LineWriter
from jupyter_ac.transports.multiplexing import (
    Closed,
    Framed,
    LinkFault,
    Opened,
    close_line,
    read_line,
)
from jupyter_ac.transports.multiplexing import link_of as link_of_start
from jupyter_ac.transports.splitter import Oversize

logger = logging.getLogger(__name__)

GOING_AWAY: Final = 1001
PROTOCOL_FAULT: Final = 1002
TOO_LARGE: Final = 1009
MAX_LINKS: Final = 256
ROOM_S: Final = 2.0

_REMEMBERED: Final = 1024
_END_S: Final = 10.0

Serve = Callable[[Transport, Opened], Awaitable[None]]


class StdioMultiplexer:
    """Hands each line to its link and serves each link in a task of its own.

    Args:
        writer: where all links write.
        limits: the bounds of each link.
        serve: serves a connection until it ends; an `AcError` closes the link with its sentence.
    """

    def __init__(self, writer: LineWriter, limits: LineLimits, serve: Serve) -> None:
        self._writer = writer
        self._limits = limits
        self._serve = serve
        self._links: dict[str, LineTransport] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        # Lines sent before the other side was notified of an end are no protocol error.
        self._ended: OrderedDict[str, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._links)

    async def take(self, line: bytes | Oversize) -> None:
        """Handle one line; waits when its link has no room, but not for long."""
        if isinstance(line, Oversize):
            self._drop_oversize(link_of_start(line.start))
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
                self._open(read)
            case Closed():
                self._close(read)

    async def aclose(self) -> None:
        """End all links after the other side has disconnected, within a time limit."""
        for transport in list(self._links.values()):
            transport.lost(ConnectionClosed("the other process closed its pipe", GOING_AWAY))
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
        try:
            await asyncio.wait_for(asyncio.shield(waits), ROOM_S)
        except TimeoutError:
            transport.cut(OVERLOADED, "too many frames are waiting; reconnect and send fewer")

    def _open(self, opened: Opened) -> None:
        name = opened.link
        if name in self._links:
            self._links[name].cut(PROTOCOL_FAULT, "the link was opened a second time")
            self._forget(name, self._links[name])
            return
        if len(self._links) >= MAX_LINKS:
            self._writer.write(close_line(name, OVERLOADED, f"more than {MAX_LINKS} links"))
            return
        transport = LineTransport(self._writer, self._limits, name)
        self._links[name] = transport
        self._ended.pop(name, None)
        task = asyncio.create_task(self._serve_link(transport, opened), name=f"link {name}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve_link(self, transport: LineTransport, opened: Opened) -> None:
        try:
            await self._serve(transport, opened)
            await transport.close(GOING_AWAY, "The workspace has closed.")
        except AcError as error:
            await transport.close(close_code(error), str(error))
        except Exception:
            logger.exception("a link failed")
            await transport.close(FAILED, LOGGED)
        finally:
            self._forget(opened.link, transport)

    def _close(self, closed: Closed) -> None:
        transport = self._links.get(closed.link)
        if transport is not None:
            transport.lost(ConnectionClosed(closed.reason or "the link is closed", closed.code))
            self._forget(closed.link, transport)

    def _drop_oversize(self, link: str) -> None:
        megabytes = self._limits.frame_bytes / (1 << 20)
        self._refuse(link, TOO_LARGE, f"a message may have at most {megabytes:g} MiB")

    def _refuse(self, link: str, code: int, reason: str) -> None:
        """End a link that broke the rules; a line that names none can only be logged."""
        transport = self._links.get(link)
        if transport is not None:
            transport.cut(code, reason)
            self._forget(link, transport)
        elif link:
            self._writer.write(close_line(link, code, reason))
        else:
            logger.warning("a line was ignored: %s", reason)

    def _forget(self, name: str, transport: LineTransport) -> None:
        if self._links.get(name) is not transport:
            return
        del self._links[name]
        self._ended[name] = None
        while len(self._ended) > _REMEMBERED:
            self._ended.popitem(last=False)
