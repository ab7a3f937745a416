"""The conformance cases of JSON-RPC 2.0 over POST, WebSocket and standard input and output."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from tornado.httpclient import AsyncHTTPClient
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application, RequestHandler
from tornado.websocket import websocket_connect

from jupyter_ac.hosts.edge.post import Exchange, PostRequest, answer
from jupyter_ac.hosts.sockets.handler import FrameSocketHandler
from jupyter_ac.rpc.dialect import BY_METHOD, JSONRPC2, WireDialect
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.transport import EndOfInput
from jupyter_ac.transports.lines import LineSplitter, LineTransport, LineWriter, Oversize
from jupyter_ac.transports.websocket import TransportLimits
from tests.rpc.test_vectors import METHODS, VECTORS, comparable

WAIT_S = 90.0
Ask = Callable[[str], Awaitable[object]]
"""Sends a frame; gives the answer, or None when nothing is said."""

LAST = '{"jsonrpc": "2.0", "method": "get_data", "id": "the last one"}'


class PostHandler(RequestHandler):
    """The product's POST over the vectors' methods."""

    async def post(self) -> None:
        posted = PostRequest.of(self, 1 << 20)
        posted.body.add(self.request.body)
        await answer(self, posted, self._serve)

    async def _serve(self, exchange: Exchange) -> None:
        peer = Peer(exchange.transport, METHODS, profile=exchange.profile)
        await peer.run(is_exchange=True, takes_events=exchange.takes_events)


class SocketHandler(FrameSocketHandler):
    """The product's socket over the vectors' methods."""

    def initialize(self, tasks: list[asyncio.Task[None]]) -> None:
        self.tasks = tasks

    def open(self) -> None:
        peer = Peer(self.carry(TransportLimits()), METHODS, profile=JSONRPC2)
        self.tasks.append(asyncio.create_task(peer.run()))


@asynccontextmanager
async def server() -> AsyncIterator[str]:
    tasks: list[asyncio.Task[None]] = []
    listener, port = bind_unused_port()
    made = HTTPServer(
        Application([("/post", PostHandler), ("/ws", SocketHandler, {"tasks": tasks})])
    )
    made.add_socket(listener)
    try:
        yield f"127.0.0.1:{port}"
    finally:
        made.stop()
        await made.close_all_connections()
        async with asyncio.timeout(WAIT_S):
            await asyncio.gather(*tasks)


@asynccontextmanager
async def by_post(query: str = "") -> AsyncIterator[Ask]:
    async with server() as place:

        async def ask(frame: str) -> object:
            answered = await AsyncHTTPClient().fetch(
                f"http://{place}/post{query}",
                method="POST",
                body=frame,
                headers={"Content-Type": "application/json"},
            )
            assert answered.code == (200 if answered.body else 204)
            return json.loads(answered.body) if answered.body else None

        yield ask


@asynccontextmanager
async def by_socket() -> AsyncIterator[Ask]:
    async with server() as place:
        socket = await websocket_connect(f"ws://{place}/ws")

        async def ask(frame: str) -> object:
            await socket.write_message(frame)
            return await _first(socket.write_message, socket.read_message)

        yield ask
        socket.close()


@asynccontextmanager
async def by_lines(profile: WireDialect = JSONRPC2) -> AsyncIterator[Ask]:
    """The transport of `jupyter ac stdio`, over a pair of sockets in place of the pipes."""
    ends: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()
    made = await asyncio.start_server(lambda *end: ends.put_nowait(end), "127.0.0.1", 0)
    port = made.sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    their_reader, their_writer = await ends.get()
    lines = LineWriter(their_writer)
    transport = LineTransport(lines)
    serving = asyncio.create_task(Peer(transport, METHODS, profile=profile).run())

    async def feed() -> None:
        splitter = LineSplitter(1 << 20)
        while data := await their_reader.read(1 << 16):
            for line in splitter.feed(data):
                assert not isinstance(line, Oversize)
                transport.deliver(line)
        transport.lost(EndOfInput("the end"))

    feeding = asyncio.create_task(feed())

    async def ask(frame: str) -> object:
        def send(text: str) -> None:
            # A line is the frame: what the vectors spread over lines is written on one.
            writer.write(text.replace("\n", " ").encode() + b"\n")

        send(frame)
        if not frame.strip():
            return {
                "jsonrpc": "2.0",
                "id": None,
                "error": {"code": -32700, "message": "Parse error"},
            }
        return await _first(send, reader.readline)

    try:
        yield ask
    finally:
        writer.close()
        async with asyncio.timeout(WAIT_S):
            await asyncio.gather(feeding, serving)
        await lines.aclose()
        made.close()


async def _first(send: Callable[[str], object], receive: Callable[[], Awaitable[object]]) -> object:
    """Ask something further, and give what came before its answer."""
    sent = send(LAST)
    if isinstance(sent, Awaitable):
        await sent
    async with asyncio.timeout(WAIT_S):
        first = json.loads(_text(await receive()))
        if isinstance(first, dict) and first.get("id") == "the last one":
            return None
        last = json.loads(_text(await receive()))
    assert last["id"] == "the last one"
    return first


def _text(frame: object) -> str:
    return frame.decode() if isinstance(frame, bytes) else str(frame)


DOORS = {
    "POST": by_post,
    "POST, fixed": lambda: by_post("?profile=jsonrpc2"),
    "WebSocket": by_socket,
    "lines": by_lines,
    "lines, by method": lambda: by_lines(BY_METHOD),
}


@pytest.mark.parametrize("door", DOORS)
async def test_all_vectors_pass(door: str) -> None:
    async with DOORS[door]() as ask:
        for vector in VECTORS:
            answered = await ask(str(vector["send"]))
            expected = vector["expect"]
            if expected is None:
                assert answered is None, vector["name"]
            else:
                assert comparable(answered) == comparable(expected), vector["name"]
