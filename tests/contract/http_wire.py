"""HTTP as a wire that can fail: a proxy on TCP, with the product's own client before it.

A request of HTTP has a connection, and may have one of its own, so what fails is the connection.
"""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

from jupyter_ac.http_client import HttpClient, Pauses
from tests.contract.wires import Faults

PIECE: Final = 1024
"""Small, so that what happens to a piece often happens within a request or an answer."""

GOLDEN: Final = 0.6180339887498949
"""Its multiples fall evenly into the unit interval: no small share is left out for long."""


@dataclass(eq=False)
class _Connection:
    """Both ways of one connection, which fail together."""

    near: asyncio.StreamWriter
    far: asyncio.StreamWriter
    is_silent: bool = False

    def abort(self) -> None:
        self.near.transport.abort()
        self.far.transport.abort()


@dataclass
class HttpWire:
    """A port that leads to a server's, for any number of connections.

    Pieces are late. One that is lost silences its connection for good, as TCP sends nothing beyond
    a gap: neither side learns of it, nor of the other's end. One at which the connection breaks
    arrives in part or not at all, and then both sides learn of it.

    Attributes:
        target: the server's port.
        faults: of each connection.
        port: on 127.0.0.1, while it is open.
        lost: connections that went silent.
        broken: connections that broke.
    """

    target: int
    faults: Faults
    port: int = 0
    lost: int = 0
    broken: int = 0
    _open: set[_Connection] = field(default_factory=set)
    _carrying: "set[asyncio.Task[None]]" = field(default_factory=set)

    def __post_init__(self) -> None:
        self._fate = self.faults.seed / 10
        self._random = random.Random(self.faults.seed)

    def cut(self) -> None:
        """Break all connections that are open now."""
        for connection in self._open:
            self._break(connection)

    def client(self, token: str, timeout_s: float) -> HttpClient:
        """Make the product's client, whose pauses are short."""
        pauses = Pauses(random=lambda: self._random.random() * 0.05)
        url = f"http://127.0.0.1:{self.port}/"
        return HttpClient(url, token, timeout_s=timeout_s, pauses=pauses)

    def accept(self, reader: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        """Carry one connection, in a task of its own."""
        task = asyncio.create_task(self._carry(reader, near))
        self._carrying.add(task)
        task.add_done_callback(self._carrying.discard)

    async def aclose(self) -> None:
        """End all connections."""
        for task in self._carrying:
            task.cancel()
        await asyncio.gather(*self._carrying, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        """Carry until both sides have ended it, or it breaks."""
        try:
            answers, far = await asyncio.open_connection("127.0.0.1", self.target)
        except BaseException:
            near.close()
            raise
        connection = _Connection(near, far)
        self._open.add(connection)
        try:
            async with asyncio.TaskGroup() as ways:
                ways.create_task(self._pass(reader, far, connection))
                ways.create_task(self._pass(answers, near, connection))
        finally:
            self._open.discard(connection)
            connection.abort()

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, connection: _Connection
    ) -> None:
        with suppress(ConnectionError):
            while piece := await reader.read(PIECE):
                await asyncio.sleep(self._random.uniform(0, self.faults.delay_s))
                self._fate = (self._fate + GOLDEN) % 1.0
                fate = self._fate - self.faults.drop
                if fate < 0 and not connection.is_silent:
                    connection.is_silent = True
                    self.lost += 1
                if connection.is_silent:
                    continue
                if fate < self.faults.cut:
                    writer.write(piece[: self._random.randrange(len(piece))])
                    await writer.drain()
                    self._break(connection)
                    return
                writer.write(piece)
                await writer.drain()
        if connection.is_silent:
            await asyncio.Event().wait()
        with suppress(OSError):
            writer.write_eof()

    def _break(self, connection: _Connection) -> None:
        self.broken += 1
        connection.abort()


@asynccontextmanager
async def http_wire(target: int, faults: Faults) -> AsyncIterator[HttpWire]:
    """Lead to a server's port during the block."""
    wire = HttpWire(target, faults)
    server = await asyncio.start_server(wire.accept, "127.0.0.1", 0)
    wire.port = server.sockets[0].getsockname()[1]
    try:
        yield wire
    finally:
        server.close()
        await wire.aclose()
