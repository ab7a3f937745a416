"""The four ways by which a call with a stream reaches a peer, each with the real transport.

What comes back is read as JSON, so that the tests see what is on the wire.
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field

import httpx
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application
from tornado.websocket import websocket_connect

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.hosts.edge.post import profile_of
from jupyter_ac.hosts.sockets.handler import FrameSocketHandler
from jupyter_ac.http_client.server_events import EventParser
from jupyter_ac.rpc.dialect import JRPC_OO, PLANNER
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.dispatch import CallGuards
from jupyter_ac.rpc.methods import Method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.transport import EndOfInput
from jupyter_ac.transports.lines import (
    LineLimits,
    LineSplitter,
    LineTransport,
    LineWriter,
    Oversize,
)
from jupyter_ac.transports.streams import open_streams
from jupyter_ac.transports.websocket import TransportLimits
from tests.rpc.pairs import running
from tests.support.edge_server import edge_server

WAIT_S = 90.0

Json = dict[str, object]
Methods = Mapping[str, Method]


@dataclass
class Tap:
    """The client's end of a door.

    Attributes:
        send: sends a message.
        came: what comes, in order.
    """

    send: Callable[[object], None]
    came: "asyncio.Queue[Json]" = field(default_factory=asyncio.Queue)

    def take(self, frame: str | bytes) -> None:
        value = json.loads(frame)
        for message in value if isinstance(value, list) else [value]:
            self.came.put_nowait(message)

    async def receive(self) -> Json:
        async with asyncio.timeout(WAIT_S):
            return await self.came.get()

    async def until(self, name: str) -> Json:
        """Skip what comes before the next notification of that name, and give its params."""
        while (message := await self.receive()).get("method") != name:
            pass
        params = message["params"]
        assert isinstance(params, dict)
        return params

    async def until_answered(self) -> tuple[list[Json], Json]:
        """Everything up to the answer of the only call, and the answer."""
        seen = []
        while "method" in (message := await self.receive()):
            seen.append(message)
        return seen, message


Door = Callable[[Methods, CallGuards], AbstractAsyncContextManager[Tap]]


@asynccontextmanager
async def memory(methods: Methods, guards: CallGuards) -> AsyncIterator[Tap]:
    """Two ends in this process."""
    near, far = direct_pair()
    tap = Tap(lambda message: near.send(json.dumps(message)))

    async def read() -> None:
        with suppress(ConnectionClosed):
            while True:
                tap.take(await near.receive())

    reading = asyncio.create_task(read())
    async with running(Peer(far, methods, profile=PLANNER, guards=guards)):
        yield tap
    await reading


@asynccontextmanager
async def lines(methods: Methods, guards: CallGuards) -> AsyncIterator[Tap]:
    """Lines on two pipes, as on standard input and output."""
    their_input, our_output = os.pipe()
    our_input, their_output = os.pipe()
    theirs = await open_streams(their_input, their_output)
    ours = await open_streams(our_input, our_output)
    writer = LineWriter(theirs.writer)
    transport = LineTransport(writer, LineLimits())
    tap = Tap(lambda message: ours.writer.write(json.dumps(message).encode() + b"\n"))

    async def hear() -> None:
        async for line in theirs.lines(LineSplitter(1 << 20)):
            assert not isinstance(line, Oversize)
            waits = transport.deliver(line)
            if waits is not None:
                await waits
        transport.lost(EndOfInput())

    async def read() -> None:
        async for line in ours.lines(LineSplitter(1 << 20)):
            assert not isinstance(line, Oversize)
            tap.take(line)

    tasks = {asyncio.create_task(hear()), asyncio.create_task(read())}
    try:
        async with running(Peer(transport, methods, profile=PLANNER, guards=guards)):
            yield tap
            ours.writer.close()
    finally:
        await writer.aclose()
        await asyncio.wait(tasks, timeout=WAIT_S)
        for streams in (ours, theirs):
            streams.close_input()


class _Socket(FrameSocketHandler):
    def initialize(self, methods: Methods, guards: CallGuards, tasks: set[object]) -> None:
        self.methods, self.guards, self.tasks = methods, guards, tasks

    def open(self, *_args: str, **_kwargs: str) -> None:
        profile = profile_of(self.get_query_argument("profile", ""), JRPC_OO)
        transport = self.carry(TransportLimits())
        peer = Peer(transport, self.methods, profile=profile, guards=self.guards)
        self.tasks.add(asyncio.create_task(peer.run()))


@asynccontextmanager
async def socket(methods: Methods, guards: CallGuards) -> AsyncIterator[Tap]:
    """A WebSocket with seed 004's profile."""
    listener, port = bind_unused_port()
    tasks: set[asyncio.Task[None]] = set()
    given = {"methods": methods, "guards": guards, "tasks": tasks}
    server = HTTPServer(Application([("/rpc", _Socket, given)]))
    server.add_socket(listener)
    connection = await websocket_connect(f"ws://127.0.0.1:{port}/rpc?profile=planner")
    tap = Tap(lambda message: _ignore(connection.write_message(json.dumps(message))))

    async def read() -> None:
        while (frame := await connection.read_message()) is not None:
            tap.take(frame)

    reading = asyncio.create_task(read())
    try:
        yield tap
    finally:
        connection.close()
        server.stop()
        async with asyncio.timeout(WAIT_S):
            await asyncio.gather(reading, *tasks)
            await server.close_all_connections()


def _ignore(_sent: object) -> None:
    pass


@asynccontextmanager
async def post(methods: Methods, guards: CallGuards) -> AsyncIterator[Tap]:
    """A POST for each message, answered by a stream of events."""
    tasks: set[asyncio.Task[None]] = set()
    async with edge_server(methods, guards) as edge, httpx.AsyncClient(timeout=WAIT_S) as session:
        address = f"{edge.url}rpc?profile=planner"

        async def ask(message: object) -> None:
            parser = EventParser()
            headers = {"Accept": "text/event-stream", "Content-Type": "application/json"}
            body = json.dumps(message)
            async with session.stream("POST", address, content=body, headers=headers) as answer:
                assert answer.status_code == 200
                async for chunk in answer.aiter_bytes():
                    for data in parser.feed(chunk):
                        tap.take(data)

        tap = Tap(lambda message: tasks.add(asyncio.create_task(ask(message))))
        try:
            yield tap
        finally:
            await asyncio.gather(*tasks)


DOORS: dict[str, Door] = {"memory": memory, "lines": lines, "socket": socket, "post": post}
