"""Exposed test objects, and a way to run a client for a while."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress

from jupyter_ac.errors import Busy
from jupyter_ac.jrpc_oo import JRPCClient, JRPCServer
from tests.support.exposed import Exposed

WAIT_S = 90.0


class Probe(Exposed):
    """A bit of everything."""

    started: asyncio.Event

    async def refuses(self) -> None:
        raise Busy("another one is running", {"request_id": "r"})

    async def never(self) -> None:
        self.started.set()
        await asyncio.Event().wait()

    def _private(self) -> str:
        return "private"


class Page:
    """What a client serves."""

    def __init__(self) -> None:
        self.seen: list[object] = []

    async def event(self, *args: object) -> bool:
        self.seen.append(args)
        return True

    async def void(self) -> None:
        return None

    async def fails(self) -> None:
        raise ValueError("the page is broken")

    async def never(self) -> None:
        self.seen.append("never")
        await asyncio.Event().wait()


@asynccontextmanager
async def serving(
    *objects: object,
    remote_timeout: float = 60,
    ssl_context: ssl.SSLContext | None = None,
    token: str | None = None,
) -> AsyncIterator[JRPCServer]:
    """Run a server on a free port."""
    server = JRPCServer(0, remote_timeout, ssl_context=ssl_context, token=token)
    for each in objects:
        server.add_class(each)
    await server.start()
    try:
        yield server
    finally:
        async with asyncio.timeout(WAIT_S):
            await server.stop()


@asynccontextmanager
async def connected(client: JRPCClient) -> AsyncIterator["asyncio.Task[None]"]:
    """Run a client; gives the task of its `connect`, when it has shaken hands."""
    connection = asyncio.create_task(client.connect())
    try:
        await until(lambda: connection.done() or _is_ready(client))
        if connection.done():
            connection.result()
        yield connection
    finally:
        async with asyncio.timeout(WAIT_S):
            await client.disconnect()
            with suppress(Exception):
                await connection


def _is_ready(client: JRPCClient) -> bool:
    return client.connected and all(end.handshake.done() for end in client.remotes.values())


def uri_of(server: JRPCServer, rest: str = "") -> str:
    """Give the address of a server."""
    return f"ws://127.0.0.1:{server.port}{rest}"


def client_of(server: JRPCServer, *objects: object, remote_timeout: float = 60) -> JRPCClient:
    """Make a client for a server."""
    client = JRPCClient(uri_of(server), remote_timeout)
    for each in objects:
        client.add_class(each)
    return client


async def until(condition: Callable[[], object], wait_s: float = WAIT_S) -> None:
    """Wait for something that nothing tells of."""
    async with asyncio.timeout(wait_s):
        while not condition():
            await asyncio.sleep(0.002)


def only(values: Mapping[str, object]) -> object:
    """Give the value of the one remote."""
    (value,) = values.values()
    return value
