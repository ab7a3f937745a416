"""Peers connected in memory, and an end for sending raw frames."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from jupyter_ac.rpc.dialect import JRPC_OO, JSONRPC2, WireDialect
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.dispatch import NO_GUARDS, CallGuards
from jupyter_ac.rpc.methods import Access, Method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.transport import Transport

WAIT_S = 90.0


def table(**handlers: object) -> dict[str, Method]:
    """Put plain functions on the wire as `T.<name>`."""
    found = {}
    for name, handler in handlers.items():
        assert callable(handler)
        found[f"T.{name}"] = Method.of(f"T.{name}", handler, Access.READ)
    return found


class Wire:
    """The other end of a peer, by hand."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    def send(self, message: object) -> None:
        self.transport.send(message if isinstance(message, str) else json.dumps(message))

    async def receive(self) -> object:
        async with asyncio.timeout(WAIT_S):
            frame = await self.transport.receive()
        value: object = json.loads(frame)
        return value

    async def ask(self, message: object) -> object:
        self.send(message)
        return await self.receive()

    async def is_silent(self) -> bool:
        """Whether nothing has come by the time that a later question is answered."""
        self.send({"jsonrpc": "2.0", "method": "T.nothing.of.this.name", "id": "silence"})
        answer = await self.receive()
        return isinstance(answer, dict) and answer.get("id") == "silence"


@asynccontextmanager
async def running(*peers: Peer) -> AsyncIterator[None]:
    """Run peers, and see them end."""
    tasks = [asyncio.create_task(peer.run()) for peer in peers]
    try:
        yield
    finally:
        for peer in peers:
            await peer.close()
        async with asyncio.timeout(WAIT_S):
            await asyncio.gather(*tasks)


@asynccontextmanager
async def wired(
    methods: Mapping[str, Method] | None = None,
    *,
    profile: WireDialect = JRPC_OO,
    guards: CallGuards = NO_GUARDS,
    timeout_s: float = WAIT_S,
) -> AsyncIterator[tuple[Peer, Wire]]:
    """Give a running peer and its other end by hand; the first frame is taken off already."""
    ours, theirs = direct_pair()
    peer = Peer(ours, methods or {}, profile=profile, guards=guards, timeout_s=timeout_s)
    wire = Wire(theirs)
    async with running(peer):
        if profile is not JSONRPC2:
            await wire.receive()
        yield peer, wire


@asynccontextmanager
async def joined(
    methods: Mapping[str, Method] | None = None,
    *,
    profile: WireDialect = JRPC_OO,
    timeout_s: float = WAIT_S,
) -> AsyncIterator[tuple[Peer, Peer]]:
    """Give two running peers; the first one serves the methods."""
    one, two = direct_pair()
    server = Peer(one, methods or {}, profile=profile, timeout_s=timeout_s)
    client = Peer(two, {}, profile=profile, timeout_s=timeout_s)
    async with running(server, client):
        yield server, client
