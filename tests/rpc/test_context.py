"""The caller of a method."""

import asyncio

import pytest

from jupyter_ac.errors import NotReady
from jupyter_ac.ids import ClientId, Identity
from jupyter_ac.rpc.context import Caller, Remote, current_caller
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.peer import Peer
from tests.rpc.pairs import running, table


async def test_every_method_knows_its_own_caller() -> None:
    def plain() -> list[str]:
        caller = current_caller()
        return [caller.identity, caller.client]

    async def waiting() -> list[str]:
        await asyncio.sleep(0)
        return plain()

    methods = table(plain=plain, waiting=waiting)
    clients: list[Peer] = []
    servers: list[Peer] = []
    for name in ("ann", "bob"):
        one, two = direct_pair()
        remote = Remote(Identity(name), ClientId(f"page of {name}"))
        servers.append(Peer(one, methods, remote=remote))
        clients.append(Peer(two, {}))
    async with running(*servers, *clients):
        for method in ("T.plain", "T.waiting"):
            answers = await asyncio.gather(*(client.call(method) for client in clients))
            assert answers == [["ann", "page of ann"], ["bob", "page of bob"]]


async def test_a_method_can_answer_its_own_caller_alone() -> None:
    async def ask_back() -> object:
        return await current_caller().peer.call("T.name")

    one, two = direct_pair()
    server = Peer(one, table(ask_back=ask_back))
    client = Peer(two, table(name=lambda: "me"))
    async with running(server, client):
        assert await client.call("T.ask_back") == "me"


async def test_tasks_of_a_call_still_know_its_caller() -> None:
    async def later() -> str:
        return current_caller().identity

    async def spawn() -> str:
        return await asyncio.create_task(later())

    one, two = direct_pair()
    client = Peer(two, {})
    async with running(Peer(one, table(spawn=spawn)), client):
        assert await client.call("T.spawn") == "local"


def test_outside_a_call_there_is_no_caller() -> None:
    with pytest.raises(NotReady, match="no caller"):
        current_caller()


async def test_the_caller_is_gone_when_the_connection_has_ended() -> None:
    one, _ = direct_pair()
    peer = Peer(one, {})
    await peer.close()
    await peer.run()
    with pytest.raises(NotReady):
        current_caller()
    assert Caller(Identity("a"), ClientId("b"), peer).peer is peer
