"""Calls, and objects that are added, from other threads than the connection's."""

import asyncio
import threading

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.jrpc_oo.event_loop import OwnerLoop
from tests.jrpc_oo.objects import WAIT_S, Page, Probe, client_of, connected, only, serving, until


async def test_what_is_done_elsewhere_is_done_at_home() -> None:
    home = OwnerLoop()
    seen: list[int] = []
    assert not home.is_elsewhere()
    home.do(lambda: seen.append(threading.get_ident()))
    assert await asyncio.to_thread(home.is_elsewhere)
    await asyncio.to_thread(home.do, lambda: seen.append(threading.get_ident()))
    await until(lambda: len(seen) == 2)
    assert set(seen) == {threading.get_ident()}


def test_a_loop_that_is_closed_is_nobody_s_home() -> None:
    async def here() -> OwnerLoop:
        return OwnerLoop()

    assert not asyncio.run(here()).is_elsewhere()


async def test_another_loop_may_call() -> None:
    async def from_elsewhere() -> list[object]:
        (end,) = server.remotes.values()
        return [
            only(await server.call["Page.event"](1)),
            await server.server["Page.event"](2),
            await end.rpcs["Page.event"](3),
            await client.server["Probe.add"](1, 2),
        ]

    async def fails() -> None:
        await client.server["Probe.fails"]()

    async with serving(Probe()) as server:
        client = client_of(server, Page())
        async with connected(client), asyncio.timeout(WAIT_S):
            assert await asyncio.to_thread(asyncio.run, from_elsewhere()) == [True, True, True, 3]
            with pytest.raises(RemoteError, match="this is why"):
                await asyncio.to_thread(asyncio.run, fails())


async def test_a_plain_method_may_add_an_object() -> None:
    class Late:
        def hello(self) -> str:
            return "late"

    class Adding:
        def add_more(self) -> None:
            server.add_class(Late())

    async with serving(Adding()) as server:
        client = client_of(server)
        async with connected(client), asyncio.timeout(WAIT_S):
            await client.server["Adding.add_more"]()
            await until(lambda: "Late.hello" in client.server)
            assert await client.server["Late.hello"]() == "late"
