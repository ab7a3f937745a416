"""The faults found in jrpc-oo's own Python peer, each shown to be absent here.

The numbers are those of the list in `docs/decisions/0002-rpc-core.md`. Faults 1 (binding), 14
(compression) and 15 (packaging) concern hosts and packaging.
"""

import asyncio
import json
import logging

import pytest

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.methods import Access, Method
from jupyter_ac.rpc.peer import Peer
from tests.rpc.pairs import WAIT_S, Wire, joined, running, table, wired


def message(**members: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", **members}


async def answer_next(wire: Wire, **members: object) -> None:
    call = await wire.receive()
    assert isinstance(call, dict)
    wire.send(message(id=call["id"], **members))


async def test_fault_2_a_void_answer_does_not_hang() -> None:
    async with wired() as (peer, wire):
        waiting = asyncio.create_task(peer.call("AcApp.streamChunk", "r", "text"))
        await answer_next(wire)
        async with asyncio.timeout(30):
            assert await waiting is None


async def test_fault_2_one_silent_client_stalls_no_broadcast() -> None:
    answering, silent = direct_pair(), direct_pair()
    peers = [Peer(answering[0], {}), Peer(silent[0], {})]
    client = Peer(answering[1], table(event=lambda text: text))
    async with running(*peers, client), asyncio.timeout(30):
        for peer in reversed(peers):
            peer.notify("T.event", "to all")
        assert await peers[0].call("T.event", "x") == "x"


async def test_fault_3_an_exception_without_text_is_an_error() -> None:
    def fails() -> None:
        raise RuntimeError

    async with wired(table(fails=fails)) as (_, wire):
        answer = await wire.ask(message(method="T.fails", id=1))
        assert isinstance(answer, dict)
        assert "result" not in answer
        assert answer["error"]["code"] == -32603


async def test_fault_3_nan_does_not_break_the_frame() -> None:
    async with wired(table(f=lambda: [float("nan")])) as (_, wire):
        assert await wire.ask(message(method="T.f", id=1)) == message(id=1, result=[None])


async def test_fault_3_the_kind_of_an_error_is_kept() -> None:
    async with wired(table(f=lambda a: a)) as (_, wire):
        answer = await wire.ask(message(method="T.f", id=1))
        assert isinstance(answer, dict)
        assert answer["error"]["data"] == {"type": "invalid_params", "path": "$"}


async def test_fault_4_arrays_are_answered() -> None:
    async with wired(table(f=lambda: 1)) as (_, wire):
        wire.send([message(method="T.f", id=1), message(method="T.f", id=2)])
        answers = [await wire.receive(), await wire.receive()]
        assert answers == [message(id=1, result=1), message(id=2, result=1)]


@pytest.mark.parametrize("call_id", [0, "", -1, "3", 1.5])
async def test_fault_4_any_id_is_answered_and_keeps_its_type(call_id: str | float) -> None:
    async with wired(table(f=lambda: 1)) as (_, wire):
        answer = await wire.ask(message(method="T.f", id=call_id))
        assert isinstance(answer, dict)
        assert (answer["id"], type(answer["id"])) == (call_id, type(call_id))


async def test_fault_4_a_request_with_a_result_member_runs() -> None:
    async with wired(table(f=lambda: 1)) as (_, wire):
        assert await wire.ask(message(method="T.f", id=1, result=9)) == message(id=1, result=1)


@pytest.mark.parametrize(
    ("params", "expected"),
    [([1, 2], [1, 2]), ({"args": [1, 2]}, [1, 2]), (None, []), ({}, []), ("absent", [])],
)
async def test_fault_5_params_are_arguments(params: object, expected: object) -> None:
    members = {} if params == "absent" else {"params": params}
    async with wired(table(f=lambda *args: list(args))) as (_, wire):
        answer = await wire.ask(message(method="T.f", id=1, **members))
        assert answer == message(id=1, result=expected)


async def test_fault_5_text_is_no_list_of_arguments() -> None:
    async with wired(table(f=lambda *args: list(args))) as (_, wire):
        answer = await wire.ask(message(method="T.f", id=1, params={"args": "zz"}))
        assert isinstance(answer, dict)
        assert answer["error"]["code"] == -32602


async def test_fault_6_a_frame_that_is_not_utf_8_is_answered_and_closes_nothing() -> None:
    ours, theirs = direct_pair()
    peer = Peer(ours, table(f=lambda: 1))
    wire = Wire(theirs)
    async with running(peer):
        await wire.receive()
        # Frames of this pair are text; the bytes are handed over where a socket would.
        peer._take(b'{"jsonrpc":"2.0","method":"\xff"}')
        answer = await wire.receive()
        assert isinstance(answer, dict)
        assert answer["error"]["code"] == -32700
        assert await wire.ask(message(method="T.f", id=1)) == message(id=1, result=1)


async def test_fault_7_methods_that_wait_do_not_block_each_other() -> None:
    all_there = asyncio.Barrier(5)

    async def waits() -> None:
        await all_there.wait()

    async with joined(table(waits=waits)) as (_, client), asyncio.timeout(30):
        await asyncio.gather(*(client.call("T.waits") for _ in range(5)))


async def test_fault_8_calls_leave_no_task_and_no_timer() -> None:
    async with wired() as (peer, wire):
        tasks = len(asyncio.all_tasks())
        for _ in range(50):
            waiting = asyncio.create_task(peer.call("A.b", timeout_s=60))
            await answer_next(wire, result=1)
            await waiting
        assert len(asyncio.all_tasks()) == tasks
        assert len(peer._pending) == 0


async def test_fault_9_tasks_are_held_by_their_connection() -> None:
    async def waits() -> int:
        await asyncio.sleep(0.01)
        return 1

    async with joined(table(waits=waits)) as (server, client):
        call = asyncio.create_task(client.call("T.waits"))
        async with asyncio.timeout(WAIT_S):
            while not server.calls._tasks:
                await asyncio.sleep(0)
            assert await call == 1
        assert not server.calls._tasks


async def test_fault_10_open_calls_end_with_the_connection() -> None:
    async with wired() as (peer, wire):
        waiting = asyncio.create_task(peer.call("A.b", timeout_s=60))
        await wire.receive()
        await wire.transport.close()
        async with asyncio.timeout(30):
            with pytest.raises(ConnectionClosed):
                await waiting


@pytest.mark.parametrize("code", [1000, 1001, 1006, 1013])
async def test_fault_11_every_close_is_noticed(code: int) -> None:
    async with wired() as (peer, wire):
        await wire.transport.close(code)
        async with asyncio.timeout(WAIT_S):
            while not peer.closed:
                await asyncio.sleep(0)
        with pytest.raises(ConnectionClosed) as caught:
            await peer.call("A.b")
        assert caught.value.close_code == code


async def test_fault_12_an_error_names_the_method_that_was_called() -> None:
    async with wired(table(one=lambda: 1, two=lambda: 2)) as (_, wire):
        answer = await wire.ask(message(method="T.three", id=1))
        assert isinstance(answer, dict)
        assert answer["error"]["code"] == -32601
        assert "T.three" in answer["error"]["message"]


async def test_fault_13_nothing_is_printed(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    def fails() -> None:
        raise RuntimeError("logged")

    with caplog.at_level(logging.ERROR):
        async with wired(table(fails=fails)) as (_, wire):
            await wire.ask(message(method="T.fails", id=1))
            await wire.ask("nonsense")
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "")
    assert "logged" in caplog.text


async def test_fault_16_the_names_can_be_waited_for() -> None:
    async with wired() as (peer, wire):
        waiting = asyncio.create_task(peer.handshaken())
        wire.send(message(method="system.listComponents", params={"A.b": True}, id=1))
        async with asyncio.timeout(WAIT_S):
            assert await waiting == {"A.b"}


async def test_our_list_request_carries_our_map_so_that_it_wipes_nothing() -> None:
    ours, theirs = direct_pair()
    wire = Wire(theirs)
    async with running(Peer(ours, table(f=lambda: 1))):
        first = await wire.receive()
        assert first == message(
            method="system.listComponents",
            params={"system.listComponents": True, "T.f": True},
            id=1,
        )


async def test_a_request_before_the_handshake_is_served() -> None:
    async with wired(table(f=lambda: 1)) as (peer, wire):
        assert await wire.ask(message(method="T.f", id=1)) == message(id=1, result=1)
        assert peer.remote_methods == frozenset()


async def test_a_result_that_is_not_json_is_an_error_and_not_silence() -> None:
    async with wired(table(f=object)) as (_, wire):
        answer = await wire.ask(message(method="T.f", id=1))
        assert isinstance(answer, dict)
        assert answer["error"]["data"] == {"type": "internal"}


async def test_a_success_never_has_an_error_member() -> None:
    async with wired(table(f=lambda: None)) as (_, wire):
        assert await wire.ask(message(method="T.f", id=1)) == message(id=1, result=None)


async def test_surplus_arguments_are_dropped() -> None:
    async with wired(table(f=lambda a, b=2: [a, b])) as (_, wire):
        answer = await wire.ask(message(method="T.f", id=1, params={"args": [1, 5, 6, 7]}))
        assert answer == message(id=1, result=[1, 5])


async def test_a_null_id_is_a_notification() -> None:
    ran = asyncio.Event()
    async with wired(table(f=ran.set)) as (_, wire):
        wire.send(message(method="T.f", id=None))
        assert await wire.is_silent()
        assert ran.is_set()


@pytest.mark.parametrize("name", ["T._private", "T.__init__", "_T"])
async def test_private_names_are_refused_when_they_are_called(name: str) -> None:
    methods = {name: Method.of(name, lambda: 1, Access.READ)}
    async with wired(methods) as (_, wire):
        answer = await wire.ask(message(method=name, id=1))
        assert isinstance(answer, dict)
        assert answer["error"]["code"] == -32601


async def test_a_frame_null_and_deep_frames_are_refused_and_the_connection_lives() -> None:
    async with wired(table(f=lambda: 1)) as (_, wire):
        for frame in ("null", "", "[" * 10_000 + "]" * 10_000, "\ufeff", '{"a":' * 10_000):
            answer = await wire.ask(frame)
            assert isinstance(answer, dict)
            assert answer["id"] is None
            assert answer["error"]["code"] in {-32700, -32600}
        assert await wire.ask(json.dumps(message(method="T.f", id=1))) == message(id=1, result=1)
