"""A small server with the edge of the real ones: POST with the real chain of checks, and a state.

What a real server does rarely is planned for one request each: a status, a lost answer.
"""

import asyncio
import json
from asyncio import Future
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application, RequestHandler

from jupyter_ac.hosts.edge.post import Exchange, PostRequest, answer
from jupyter_ac.rpc.dispatch import NO_GUARDS, CallGuards
from jupyter_ac.rpc.methods import Method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.target_states import TargetStates

WAIT_S = 90.0

LOSE_REQUEST = "the connection breaks before the call is carried out"
LOSE_ANSWER = "the connection breaks after it was"
LOSE_PART = "the second part of the text is left out"


@dataclass
class EdgeServer:
    """A running server.

    Attributes:
        methods: on the wire.
        guards: what is checked of each call.
        plans: for the next requests, in this order: a status with its headers, or one of the
            constants above; None for nothing.
        refusals: the statuses for the next requests for the state.
        sent: the messages that came.
        headers: of each request.
        state: what a stream of states begins with; None: with nothing.
        openings: how many streams of states were opened.
    """

    methods: Mapping[str, Method]
    guards: CallGuards = NO_GUARDS
    plans: deque[str | tuple[int, Mapping[str, str]] | None] = field(default_factory=deque)
    refusals: deque[int] = field(default_factory=deque)
    sent: list[dict[str, object]] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    state: Mapping[str, object] | None = None
    openings: int = 0
    port: int = 0
    streams: "list[_Events]" = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def targets(self) -> TargetStates:
        assert self.guards.targets is not None
        return self.guards.targets

    def tell(self, state: Mapping[str, object]) -> None:
        """Send a state to who follows, and to who comes."""
        self.state = state
        for stream in self.streams:
            stream.tell(state)

    def break_streams(self) -> None:
        """End the streams of states as a restart does."""
        for stream in self.streams:
            stream.ended.set()

    async def opened(self, count: int) -> None:
        """Wait until so many streams of states were opened."""
        async with asyncio.timeout(WAIT_S):
            while self.openings < count:
                self.changed.clear()
                await self.changed.wait()


class _Post(RequestHandler):
    def initialize(self, edge: EdgeServer) -> None:
        self.edge = edge

    async def post(self) -> None:
        edge = self.edge
        edge.sent.append(json.loads(self.request.body))
        edge.headers.append(dict(self.request.headers))
        plan = edge.plans.popleft() if edge.plans else None
        if isinstance(plan, tuple):
            self.set_status(plan[0])
            for name, value in plan[1].items():
                self.set_header(name, value)
            self.finish({"message": "as planned"})
            return
        if plan == LOSE_REQUEST:
            self.detach().close()
            return
        posted = PostRequest.of(self, 1 << 26)
        posted.body.add(self.request.body)
        self.plan = plan
        await answer(self, posted, self._serve)

    def write(self, chunk: str | bytes | dict[str, object]) -> None:
        if self.plan == LOSE_PART and isinstance(chunk, str) and '"sequence":2' in chunk:
            return
        super().write(chunk)

    def finish(self, chunk: str | bytes | dict[str, object] | None = None) -> "Future[None]":
        if self.plan != LOSE_ANSWER:
            return super().finish(chunk)
        self.detach().close()
        gone: Future[None] = Future()
        gone.set_result(None)
        return gone

    plan: object = None

    async def _serve(self, exchange: Exchange) -> None:
        peer = Peer(
            exchange.transport, self.edge.methods, profile=exchange.profile, guards=self.edge.guards
        )
        await peer.run(is_exchange=True, takes_events=exchange.takes_events)


class _Events(RequestHandler):
    def initialize(self, edge: EdgeServer) -> None:
        self.edge = edge
        self.ended = asyncio.Event()

    async def get(self) -> None:
        edge = self.edge
        edge.openings += 1
        edge.changed.set()
        edge.headers.append(dict(self.request.headers))
        if edge.refusals:
            self.set_status(edge.refusals.popleft())
            self.finish({"message": "as planned"})
            return
        self.set_header("Content-Type", "text/event-stream")
        self.write(": hello\n\n")
        await self.flush()
        edge.streams.append(self)
        if edge.state is not None:
            self.tell(edge.state)
        await self.ended.wait()
        edge.streams.remove(self)

    def tell(self, state: Mapping[str, object]) -> None:
        self.write(f"id: 1\ndata: {json.dumps(state)}\n\n")
        self.flush()

    def on_connection_close(self) -> None:
        self.ended.set()


@asynccontextmanager
async def edge_server(
    methods: Mapping[str, Method], guards: CallGuards = NO_GUARDS
) -> AsyncIterator[EdgeServer]:
    """Serve methods on a port of this machine for the time of a test."""
    listener, port = bind_unused_port()
    edge = EdgeServer(methods, guards, port=port)
    routes = [("/rpc", _Post, {"edge": edge}), ("/events", _Events, {"edge": edge})]
    server = HTTPServer(Application(routes))
    server.add_socket(listener)
    try:
        yield edge
    finally:
        edge.break_streams()
        server.stop()
        async with asyncio.timeout(WAIT_S):
            await server.close_all_connections()
