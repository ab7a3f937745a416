"""The links of one kernel to its host: starts the process for them, and handles its exit."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import AcError, ConnectionClosed, NotReady
from jupyter_ac.hosts.kernel.child.process import HostProcess
from jupyter_ac.transports.lines import OVERLOADED, LineLimits, LineTransport
from jupyter_ac.transports.link_lines import Opened
from jupyter_ac.transports.multiplexing import PROTOCOL_FAULT, Multiplexer

logger = logging.getLogger(__name__)

LOST: Final = 1006
"""Close code of every link when the child has ended."""

LIMITS: Final = LineLimits()
"""Bounds of each link; a sender whose frames the child doesn't read is cut off."""

_CLOSED: Final = "the kernel has closed its jupyter ac stdio"


@dataclass(frozen=True, slots=True)
class Ends:
    """The callbacks of a link's owner, called on the child's thread; must not block."""

    on_frame: Callable[[str], None]
    on_close: Callable[[int, str], None]


class Link:
    """A link whose frames and end go to callbacks; what is sent before it is open waits."""

    def __init__(self, ends: Ends) -> None:
        self._ends = ends
        self._waiting: list[str] = []
        self._room = LIMITS.outbox_bytes
        self._transport: LineTransport | None = None

    def send(self, frame: str) -> None:
        """Send a frame."""
        if self._transport is not None:
            self._transport.send(frame)
        else:
            self._room -= len(frame)
            if self._room >= 0:
                self._waiting.append(frame)

    async def serve(
        self, connect: Callable[[Opened], Awaitable[LineTransport]], opened: Opened
    ) -> None:
        """Open the link and call its owner until it ends; cancelling this closes it."""
        try:
            transport = self._transport = await connect(opened)
            if self._room < 0:
                raise ConnectionClosed("too much is waiting to be sent; reconnect", OVERLOADED)
            for frame in self._waiting:
                transport.send(frame)
            self._waiting.clear()
            while True:
                came = await transport.receive()
                text = came if isinstance(came, str) else came.decode("utf-8", "replace")
                _notify(self._ends.on_frame, text)
        except AcError as error:
            code = error.close_code if isinstance(error, ConnectionClosed) else PROTOCOL_FAULT
            _notify(self._ends.on_close, code, str(error))
        finally:
            if self._transport is not None:
                await self._transport.close()


class HostLinks:
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
        self._started: asyncio.Future[Multiplexer] | None = None
        self._process_task: asyncio.Task[None] | None = None
        self._process_tasks: set[asyncio.Task[None]] = set()
        self._owned: dict[Link, asyncio.Task[None]] = {}
        self._is_closed = False

    async def connect(self, opened: Opened) -> LineTransport:
        """Open a link for a peer at this end.

        Raises:
            LinkFault: a link of this name is open already.
            ConnectionClosed: the process can't be started, or has ended.
        """
        if self._started is None:
            self._started = asyncio.get_running_loop().create_future()
            self._process_task = asyncio.create_task(
                self._run_process(self._started), name="kernel's child"
            )
            self._process_tasks.add(self._process_task)
            self._process_task.add_done_callback(self._process_tasks.discard)
        # Shielded, because others may wait for the same process.
        return (await asyncio.shield(self._started)).open(opened)

    def open(self, link: Link, opened: Opened) -> None:
        """Open a link for an owner with callbacks, who hears of errors by `on_close`."""
        task = asyncio.create_task(link.serve(self.connect, opened), name=f"link {opened.link}")
        self._owned[link] = task
        task.add_done_callback(lambda _: self._owned.pop(link, None))

    def send(self, link: Link, frame: str) -> None:
        """Pass a frame on; dropped when the link is closed."""
        if link in self._owned:
            link.send(frame)

    def close(self, link: Link) -> None:
        """Close a link from this side; its owner is not called again."""
        if (task := self._owned.pop(link, None)) is not None:
            task.cancel()

    async def aclose(self) -> None:
        """Close all links and end the process; bounded."""
        self._is_closed = True
        if self._process_task is not None:
            self._process_task.cancel()
        if unfinished := {*self._process_tasks, *self._owned.values()}:
            await asyncio.wait(unfinished)

    async def _run_process(self, started: "asyncio.Future[Multiplexer]") -> None:
        """One process from its start to its end."""
        reason = _CLOSED
        try:
            process = self.process = await HostProcess.start(self._arguments, self._environ())
        except NotReady as error:
            reason = str(error)
            return
        finally:
            if self.process is None:
                self._started = self._process_task = None
                started.set_exception(ConnectionClosed(reason, LOST))
                started.exception()  # retrieved: those who waited may have gone
        multiplexer = Multiplexer(process.writer, LIMITS)
        started.set_result(multiplexer)
        try:
            async for line in process.lines(LIMITS.frame_bytes):
                await multiplexer.take(line)
        finally:
            # A link that is opened from now on gets a process of its own.
            self.process = self._started = self._process_task = None
            exit_reason = await process.end()
            await multiplexer.aclose(LOST, _CLOSED if self._is_closed else exit_reason)


def _notify(callback: Callable[..., None], *args: object) -> None:
    """Call a link's owner; its failure is not the other links'."""
    try:
        callback(*args)
    except Exception:
        logger.exception("a link's owner failed")
