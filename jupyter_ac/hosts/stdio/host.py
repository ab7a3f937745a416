"""Serves one folder's repository over this process's standard input and output.

Nothing but frames goes to standard output. Everything ends, the worker processes included, when
standard input does, when nobody reads standard output any more, and at SIGTERM.
"""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AcError, ConnectionClosed, TimedOut, TooLarge
from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.assembly import HostOptions, LocalHost, allow_everything, local_host
from jupyter_ac.hosts.sockets.codes import FAILED, LOGGED, close_code
from jupyter_ac.ids import ClientId
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.dialect import BY_METHOD, JRPC_OO
from jupyter_ac.rpc.transport import EndOfInput
from jupyter_ac.transports.lines import (
    LineLimits,
    LineSplitter,
    LineTransport,
    LineWriter,
    Oversize,
)
from jupyter_ac.transports.link_lines import Opened
from jupyter_ac.transports.multiplexing import GOING_AWAY, Multiplexer
from jupyter_ac.transports.streams import Streams

logger = logging.getLogger(__name__)

DEFAULT_MESSAGE_MB: Final = 64

_ALONE: Final = LineLimits(inbox_frames=1 << 17, outbox_bytes=512 << 20, pause_bytes=4 << 20)
"""Who writes all calls first and reads the answers then has them all answered."""


@dataclass(frozen=True, slots=True)
class StdioOptions:
    """The command-line options of the host.

    Attributes:
        folder: in the repository that is served.
        links: whether many connections share the pipes.
        jrpc_oo: the dialect of a single connection; links always speak jrpc-oo.
        host: what all hosts understand.
    """

    folder: Path
    links: bool = False
    jrpc_oo: bool = False
    host: HostOptions = field(default_factory=HostOptions)


async def serve(options: StdioOptions, streams: Streams) -> None:
    """Serve until the input ends or the output breaks.

    Raises:
        AcError: the folder can't be served. With links, each link gets the error instead, unless
            it is in the administrator's settings.
    """
    writer = LineWriter(streams.writer)
    try:
        async with local_host(os.environ, options.host) as host:
            megabytes = host.admin.max_message_mb or DEFAULT_MESSAGE_MB
            usual = LineLimits() if options.links else _ALONE
            pipes = _Pipes(streams, writer, replace(usual, frame_bytes=megabytes << 20))
            serving = _serve_links if options.links else _serve_one
            await _unless_broken(serving(options, pipes, host), streams)
        if not options.links and not await writer.finish():
            raise TimedOut("Nobody reads standard output; what was left to write is lost.")
    finally:
        streams.close_input()
        await writer.aclose()


@dataclass(frozen=True, slots=True)
class _Pipes:
    """Both directions, cut into lines."""

    streams: Streams
    writer: LineWriter
    limits: LineLimits

    async def lines(self) -> AsyncIterator[bytes | Oversize]:
        splitter = LineSplitter(self.limits.frame_bytes)
        async for line in self.streams.lines(splitter):
            yield line
        # Who writes by hand may leave out the last line's end.
        if (rest := splitter.rest()) is not None:
            yield rest


async def _serve_one(options: StdioOptions, pipes: _Pipes, host: LocalHost) -> None:
    """Serve the one connection that the pipes are."""
    profile = JRPC_OO if options.jrpc_oo else BY_METHOD
    repository = await discover(options.folder)
    transport = LineTransport(pipes.writer, pipes.limits)
    reading = asyncio.create_task(_read_one(pipes, transport), name="standard input")
    try:
        async with host.registry.use(repository) as workspace:
            await workspace.serve(transport, Remote(host.identity), allow_everything, profile)
    finally:
        if not reading.done():
            reading.cancel()
        await asyncio.wait({reading})
    if transport.was_cut:
        raise TooLarge("The answers that wait to be read are too many; ask for less at a time.")
    if not reading.cancelled():
        await reading


async def _read_one(pipes: _Pipes, transport: LineTransport) -> None:
    async for line in pipes.lines():
        if isinstance(line, Oversize):
            said = f"A message may have at most {pipes.limits.frame_bytes >> 20} MiB."
            transport.lost(ConnectionClosed(said))
            raise TooLarge(said)
        waits = transport.deliver(line)
        if waits is not None:
            await waits
    transport.lost(EndOfInput("standard input has ended"))


async def _serve_links(options: StdioOptions, pipes: _Pipes, host: LocalHost) -> None:
    """Serve the connections that share the pipes; all of them are of one person."""

    async def serve_link(transport: LineTransport, opened: Opened) -> None:
        await closing(transport, serve_workspace(transport, opened))

    async def serve_workspace(transport: LineTransport, opened: Opened) -> None:
        remote = Remote(host.identity, ClientId(opened.client), opened.aside)
        # Looked for each time: the folder may have become a repository meanwhile.
        repository = await discover(options.folder)
        async with host.registry.use(repository) as workspace:
            await workspace.serve(transport, remote, allow_everything)

    multiplexer = Multiplexer(pipes.writer, pipes.limits, serve_link)
    try:
        async for line in pipes.lines():
            await multiplexer.take(line)
    finally:
        await multiplexer.aclose()


async def closing(transport: LineTransport, serving: Coroutine[object, object, None]) -> None:
    """Serve a link to its end, and close it with the reason."""
    try:
        await serving
        await transport.close(GOING_AWAY, "The workspace has closed.")
    except AcError as error:
        await transport.close(close_code(error), str(error))
    except Exception:
        logger.exception("a link failed")
        await transport.close(FAILED, LOGGED)


async def _unless_broken(work: Coroutine[object, object, None], streams: Streams) -> None:
    """Do the work to its end, or until nobody reads the output any more.

    Raises:
        OSError: the output can't be written, as on a full disk.
    """
    working = asyncio.ensure_future(work)
    watching = asyncio.ensure_future(streams.output_ended())
    try:
        await asyncio.wait({working, watching}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        unfinished = [task for task in (working, watching) if task.cancel()]
        if unfinished:
            await asyncio.wait(unfinished)
    if not watching.cancelled():
        await watching
    if not working.cancelled():
        await working
