"""npm's kkrpc in a process of Node, connected to a transport of ours by a WebSocket."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application

from jupyter_ac.hosts.sockets.handler import FrameSocketHandler
from jupyter_ac.transports.websocket import TransportLimits, WebSocketTransport
from tests.support.jrpc_client import node_modules
from tests.support.json_lines import WAIT_S, Event, LineProcess, start


@dataclass
class KkrpcEnd:
    """The end in Node, and the transport of ours that leads there.

    Attributes:
        process: takes commands; see `kkrpc_peer.mjs`.
        transport: carries kkrpc's frames.
        events: what it has said, in order.
    """

    process: LineProcess
    transport: WebSocketTransport
    events: list[Event] = field(default_factory=list)

    async def call(self, method: str, *args: object) -> object:
        """Call a method of ours from there."""
        return await self.process.command({"cmd": "call", "method": method, "args": args})

    async def expose(self, what: str) -> None:
        """Choose what we can call there."""
        await self.process.command({"cmd": "expose", "as": what})


class _Socket(FrameSocketHandler):
    def initialize(self, opened: "asyncio.Future[WebSocketTransport]") -> None:
        self.opened = opened

    def open(self) -> None:
        self.opened.set_result(self.carry(TransportLimits()))


@asynccontextmanager
async def kkrpc_process(
    url: str, version: str, on_event: Callable[[Event], None]
) -> AsyncIterator[LineProcess]:
    """Run kkrpc as the client of a WebSocket for the time of a test."""
    modules = node_modules()
    assert (modules / "kkrpc").is_dir(), f"no kkrpc in {modules}; run npm ci"
    script = Path(__file__).with_name("kkrpc_peer.mjs")
    process = LineProcess(await start("node", str(script), str(modules), url, version), on_event)
    try:
        yield process
    finally:
        await process.aclose()


@asynccontextmanager
async def kkrpc_end(version: str = "superjson") -> AsyncIterator[KkrpcEnd]:
    """Run kkrpc, connected to a transport, for the time of a test."""
    opened: asyncio.Future[WebSocketTransport] = asyncio.get_running_loop().create_future()
    listener, port = bind_unused_port()
    server = HTTPServer(Application([("/", _Socket, {"opened": opened})]))
    server.add_socket(listener)
    events: list[Event] = []
    try:
        async with kkrpc_process(f"ws://127.0.0.1:{port}/", version, events.append) as process:
            async with asyncio.timeout(WAIT_S):
                transport = await opened
            yield KkrpcEnd(process, transport, events)
    finally:
        server.stop()
        async with asyncio.timeout(WAIT_S):
            await server.close_all_connections()
