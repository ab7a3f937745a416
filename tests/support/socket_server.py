"""A minimal Tornado server of peers, to test the peer and its transport on a real socket."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application

from jupyter_ac.hosts.sockets.handler import FrameSocketHandler
from jupyter_ac.hosts.sockets.heartbeat import HeartbeatTiming
from jupyter_ac.rpc.methods import Method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.transports.websocket import TransportLimits

WAIT_S = 90.0


@dataclass
class Floor:
    """A running server.

    Attributes:
        url: of its socket.
        peers: every connection so far, in order.
    """

    methods: Mapping[str, Method]
    limits: TransportLimits = field(default_factory=TransportLimits)
    timeout_s: float = WAIT_S
    pace: HeartbeatTiming = field(default_factory=HeartbeatTiming)
    url: str = ""
    peers: list[Peer] = field(default_factory=list)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2].strip("/"))

    async def peer(self, number: int = 0) -> Peer:
        """Wait for a connection and its handshake."""
        async with asyncio.timeout(WAIT_S):
            while len(self.peers) <= number:
                await asyncio.sleep(0.005)
            await self.peers[number].handshaken()
        return self.peers[number]


class Socket(FrameSocketHandler):
    """One connection."""

    def initialize(self, floor: Floor) -> None:
        self.floor = floor

    def open(self) -> None:
        transport = self.carry(self.floor.limits)
        self.watch(self.floor.pace)
        peer = Peer(transport, self.floor.methods, timeout_s=self.floor.timeout_s)
        self.floor.tasks.append(asyncio.create_task(peer.run()))
        self.floor.peers.append(peer)


@asynccontextmanager
async def serving(
    methods: Mapping[str, Method],
    *,
    limits: TransportLimits | None = None,
    timeout_s: float = WAIT_S,
    pace: HeartbeatTiming | None = None,
) -> AsyncIterator[Floor]:
    """Serve methods on a port of this machine for the time of a test."""
    listener, port = bind_unused_port()
    url = f"ws://127.0.0.1:{port}/"
    floor = Floor(methods, limits or TransportLimits(), timeout_s, pace or HeartbeatTiming(), url)
    application = Application([("/", Socket, {"floor": floor})], websocket_max_message_size=1 << 28)
    server = HTTPServer(application)
    server.add_socket(listener)
    try:
        yield floor
    finally:
        server.stop()
        for peer in floor.peers:
            await peer.close()
        async with asyncio.timeout(WAIT_S):
            await asyncio.gather(*floor.tasks)
            await server.close_all_connections()
