"""Calls to one and to all remotes, over peers connected in memory."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from jupyter_ac.errors import CallError, ConnectionClosed, MethodNotFound, RemoteError, TimedOut
from jupyter_ac.jrpc_oo.remotes import Answers, Functions, OwnerLoop, RemoteEnd, Remotes
from jupyter_ac.rpc.codec import SerialisationError
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.methods import Method
from jupyter_ac.rpc.peer import Peer
from tests.jrpc_oo.objects import WAIT_S, Page, Probe, client_of, connected, only, serving, until
from tests.rpc.pairs import running, table

SILENT: dict[str, Method] = {}


def removed() -> ConnectionClosed:
    return ConnectionClosed("connect first")


@asynccontextmanager
async def together(
    *tables: dict[str, Method], timeout_s: float = 5, shake: bool = True
) -> AsyncIterator[tuple[Remotes, list[Peer]]]:
    """Join remotes that serve these tables; an empty one never says anything."""
    remotes = Remotes(None)
    ours: list[Peer] = []
    theirs: list[Peer] = []
    for number, methods in enumerate(tables):
        one, two = direct_pair()
        peer = Peer(one, {}, timeout_s=timeout_s)
        ours.append(peer)
        if methods:
            theirs.append(Peer(two, methods))
        greeting = asyncio.create_task(greet(peer))
        remotes.add(RemoteEnd(f"r{number}", peer, greeting))
    async with running(*ours, *theirs):
        if shake:
            talking = [peer for peer, methods in zip(ours, tables, strict=True) if methods]
            await asyncio.gather(*(peer.handshaken() for peer in talking))
        yield remotes, theirs


async def greet(peer: Peer) -> None:
    try:
        await peer.handshaken()
    except (TimedOut, ConnectionClosed):
        return


def value(number: int) -> dict[str, Method]:
    return table(value=lambda: number)


def fails(text: str = "broken") -> dict[str, Method]:
    def value() -> None:
        raise CallError(text)

    return table(value=value)


async def test_every_remote_that_has_the_name_is_called() -> None:
    async with together(value(1), value(2), table(other=lambda: 3)) as (remotes, _):
        answers = await remotes.call["T.value"]()
        assert answers == {"r0": 1, "r1": 2}
        assert answers.errors == {}
        assert await remotes.call["T.other"]() == {"r2": 3}
        assert set(remotes.call) == {"T.value", "T.other"}


async def test_one_remote_that_fails_spoils_nothing_for_the_others() -> None:
    async with together(value(1), fails(), value(3)) as (remotes, _):
        answers = await remotes.call["T.value"]()
        assert answers == {"r0": 1, "r2": 3}
        assert set(answers.errors) == {"r1"}
        error = answers.errors["r1"]
        assert isinstance(error, RemoteError)
        assert str(error) == "broken"


async def test_when_all_fail_the_first_error_is_raised() -> None:
    async with together(fails("first"), fails("second")) as (remotes, _):
        with pytest.raises(RemoteError, match="first"):
            await remotes.call["T.value"]()
    async with together(fails("alone")) as (remotes, _):
        with pytest.raises(RemoteError, match="alone"):
            await remotes.call["T.value"]()


async def test_a_silent_remote_is_waited_for_no_longer_than_its_timeout() -> None:
    async def never() -> None:
        await asyncio.Event().wait()

    async with together(value(1), table(value=never), timeout_s=0.1) as (remotes, _):
        answers = await remotes.call["T.value"]()
        assert answers == {"r0": 1}
        assert isinstance(answers.errors["r1"], TimedOut)


async def test_a_remote_that_leaves_in_the_middle_ends_its_call_at_once() -> None:
    started = asyncio.Event()

    async def never() -> None:
        started.set()
        await asyncio.Event().wait()

    async with together(value(1), table(value=never), timeout_s=60) as (remotes, theirs):
        calling = asyncio.create_task(remotes.call["T.value"]())
        await started.wait()
        await theirs[1].close()
        async with asyncio.timeout(30):
            answers = await calling
        assert answers == {"r0": 1}
        assert isinstance(answers.errors["r1"], ConnectionClosed)
        assert await remotes.call["T.value"]() == {"r0": 1}


async def test_nobody_connected_is_an_empty_answer_for_a_server_and_an_error_for_a_client() -> None:
    assert await Remotes(None).call["T.value"]() == {}
    assert not Remotes(None).call
    with pytest.raises(ConnectionClosed, match="connect first"):
        await Remotes(removed).call["T.value"]()
    with pytest.raises(ConnectionClosed, match="connect first"):
        await Remotes(removed).server["T.value"]()
    with pytest.raises(ConnectionClosed, match="nobody is connected"):
        await Remotes(None).server["T.value"]()


async def test_a_name_that_no_remote_has_is_named_in_the_error() -> None:
    async with together(value(1)) as (remotes, _):
        for functions in (remotes.call, remotes.server):
            with pytest.raises(MethodNotFound, match=r"T\.typo"):
                await functions["T.typo"]()


async def test_fault_12_of_two_remotes_the_right_name_is_told_and_one_alone_works_again() -> None:
    async with together(value(1), value(2)) as (remotes, theirs):
        with pytest.raises(CallError, match=r"2 remotes offer T\.value"):
            await remotes.server["T.value"]()
        assert await remotes.by_uuid["r1"].rpcs["T.value"]() == 2
        await theirs[0].close()
        await asyncio.sleep(0)
        async with asyncio.timeout(30):
            while not remotes.by_uuid["r0"].peer.closed:
                await asyncio.sleep(0)
        assert await remotes.server["T.value"]() == 2
        assert list(remotes.server) == ["T.value"]


async def test_fault_16_a_call_right_after_the_connection_waits_for_the_handshake() -> None:
    async with together(value(1), shake=False) as (remotes, _):
        assert list(remotes.call) == []
        assert only(await remotes.call["T.value"]()) == 1
    async with together(value(1), shake=False) as (remotes, _):
        assert await remotes.server["T.value"]() == 1


async def test_a_remote_that_never_shakes_hands_holds_up_no_call_to_others() -> None:
    async with together(SILENT, value(1), timeout_s=60) as (remotes, _), asyncio.timeout(30):
        assert await remotes.call["T.value"]() == {"r1": 1}
        assert await remotes.server["T.value"]() == 1


async def test_a_remote_that_never_shakes_hands_is_waited_for_once() -> None:
    async with together(SILENT, timeout_s=0.05) as (remotes, _), asyncio.timeout(30):
        assert await remotes.call["T.value"]() == {}
        assert remotes.by_uuid["r0"].handshake.done()
        assert await remotes.call["T.value"]() == {}
        with pytest.raises(MethodNotFound):
            await remotes.server["T.value"]()


async def test_a_mistake_in_the_arguments_is_raised() -> None:
    async with together(value(1), value(2)) as (remotes, _):
        with pytest.raises(SerialisationError, match="cannot be sent as JSON"):
            await remotes.call["T.value"]({1, 2})


async def test_a_remote_that_was_removed_is_not_called() -> None:
    async with together(value(1)) as (remotes, _):
        function = remotes.server["T.value"]
        remotes.remove("r0")
        with pytest.raises(ConnectionClosed):
            await function()
        assert list(remotes.by_uuid) == []


async def test_what_is_done_elsewhere_is_done_at_home() -> None:
    home = OwnerLoop()
    observed: list[int] = []
    assert not home.is_elsewhere()
    home.call(lambda: observed.append(threading.get_ident()))
    assert await asyncio.to_thread(home.is_elsewhere)
    await asyncio.to_thread(home.call, lambda: observed.append(threading.get_ident()))
    await until(lambda: len(observed) == 2)
    assert set(observed) == {threading.get_ident()}


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


async def run(name: str, *args: object) -> object:
    return [name, *args]


def functions(*names: str) -> Functions[object]:
    return Functions(lambda: names, run)


async def test_a_name_gives_a_function() -> None:
    assert await functions("C.m")["C.m"](1, "x") == ["C.m", 1, "x"]


async def test_a_name_that_nobody_offers_gives_one_too_but_is_not_found() -> None:
    found = functions("C.m")
    assert await found["C.later"]() == ["C.later"]
    assert "C.later" not in found
    assert found.get("C.later") is None
    assert found.get("C.later", 5) == 5
    assert found.get("C.m") is not None


def test_the_names_are_those_of_now() -> None:
    names = ["C.m"]
    found: Functions[object] = Functions(lambda: names, run)
    assert (list(found), len(found), bool(found)) == (["C.m"], 1, True)
    assert "C.m" in found
    names.clear()
    assert (list(found), len(found), bool(found)) == ([], 0, False)


def test_the_handshakes_own_call_is_refused() -> None:
    with pytest.raises(MethodNotFound, match=r"system\.listComponents"):
        functions()["system.listComponents"]


def test_answers_are_a_dictionary_and_know_who_failed() -> None:
    answers = Answers()
    answers["uuid"] = 1
    assert answers == {"uuid": 1}
    assert answers.errors == {}
