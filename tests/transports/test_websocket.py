"""A WebSocket as a transport: order, bounds, ends; by a socket made by hand and by Tornado's."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager

import pytest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.transports.websocket import TransportLimits, WebSocketTransport
from tests.rpc.pairs import running, table
from tests.support.socket_server import serving

WAIT_S = 90.0


class Socket:
    """A socket that may be congested."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.closed: list[tuple[int, str]] = []
        self.congested: asyncio.Future[None] | None = None

    def send_text(self, text: str) -> Awaitable[None] | None:
        if self.closed:
            raise ConnectionClosed
        self.sent.append(text)
        return self.congested

    def close(self, code: int, reason: str) -> None:
        self.closed.append((code, reason))

    def congest(self) -> None:
        self.congested = asyncio.get_running_loop().create_future()

    def relieve(self) -> None:
        assert self.congested is not None
        waits, self.congested = self.congested, None
        waits.set_result(None)


class SlowSocket(Socket):
    """A socket whose way to send is a coroutine function."""

    async def send_text(self, text: str) -> None:
        await asyncio.sleep(0)
        self.sent.append(text)


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def until(condition: object) -> None:
    assert callable(condition)
    async with asyncio.timeout(WAIT_S):
        while not condition():
            await asyncio.sleep(0.002)


async def test_delivered_frames_are_received_in_order() -> None:
    transport = WebSocketTransport(Socket())
    waiting = asyncio.create_task(transport.receive())
    await settle()
    for frame in ("a", b"b", "c"):
        transport.deliver(frame)
    async with asyncio.timeout(WAIT_S):
        assert [await waiting, await transport.receive(), await transport.receive()] == [
            "a",
            b"b",
            "c",
        ]


async def test_a_full_inbox_makes_the_socket_wait() -> None:
    transport = WebSocketTransport(Socket(), TransportLimits(inbox_frames=2))
    room = []
    for frame in ("a", "b"):
        transport.deliver(frame)
        room.append(transport.has_room)
    assert room == [True, False]
    waiting = asyncio.create_task(transport.wait_room())
    await settle()
    assert not waiting.done()
    await transport.receive()
    async with asyncio.timeout(WAIT_S):
        await waiting


async def test_the_inbox_is_bounded_in_bytes_too() -> None:
    transport = WebSocketTransport(Socket(), TransportLimits(inbox_bytes=10))
    transport.deliver("x" * 10)
    assert not transport.has_room
    await transport.receive()
    assert transport.has_room


async def test_a_peer_that_waits_gets_a_frame_at_once_and_its_work_goes_first() -> None:
    async def quick() -> int:
        return 1

    async def wait() -> int:
        await asyncio.sleep(0)
        return 1

    socket = Socket()
    transport = WebSocketTransport(socket)
    peer = Peer(transport, table(plain=lambda: 1, quick=quick, wait=wait))
    async with running(peer):
        await settle()
        call = '{"jsonrpc":"2.0","method":"T.%s","id":"%s"}'
        for name in ("plain", "quick"):
            assert transport.deliver(call % (name, name)) is None
            assert f'"id":"{name}"' in socket.sent[-1]
        turn = transport.deliver(call % ("wait", "b"))
        assert turn is not None
        await turn
        await settle()
        assert '"id":"b"' in socket.sent[-1]


async def test_the_end_of_the_connection_frees_who_waits_for_room() -> None:
    transport = WebSocketTransport(Socket(), TransportLimits(inbox_frames=1))
    transport.deliver("a")
    waiting = asyncio.create_task(transport.wait_room())
    await settle()
    assert (transport.has_room, waiting.done()) == (False, False)
    transport.lost()
    async with asyncio.timeout(WAIT_S):
        await waiting
    assert transport.has_room


@pytest.mark.parametrize("frame", ["x" * 101, "ż" * 51, b"x" * 101])
async def test_a_frame_over_the_limit_closes_with_1009(frame: str | bytes) -> None:
    socket = Socket()
    transport = WebSocketTransport(socket, TransportLimits(frame_bytes=100))
    transport.deliver(frame)
    assert [code for code, _ in socket.closed] == [1009]
    with pytest.raises(ConnectionClosed, match="MiB") as caught:
        await transport.receive()
    assert caught.value.close_code == 1009


@pytest.mark.parametrize("frame", ["x" * 100, "ż" * 50])
async def test_a_frame_of_exactly_the_limit_passes(frame: str) -> None:
    transport = WebSocketTransport(Socket(), TransportLimits(frame_bytes=100))
    transport.deliver(frame)
    assert await transport.receive() == frame


async def test_frames_go_straight_to_a_socket_that_takes_them() -> None:
    socket = Socket()
    transport = WebSocketTransport(socket)
    tasks = len(asyncio.all_tasks())
    transport.send("a")
    transport.send("b")
    assert socket.sent == ["a", "b"]
    assert len(asyncio.all_tasks()) == tasks


async def test_frames_wait_in_order_while_the_socket_is_congested() -> None:
    socket = Socket()
    transport = WebSocketTransport(socket)
    socket.congest()
    for number in range(100):
        transport.send(str(number))
    await settle()
    assert socket.sent == ["0"]
    socket.relieve()
    await until(lambda: len(socket.sent) == 100)
    assert socket.sent == [str(number) for number in range(100)]
    transport.send("after")
    assert socket.sent[-1] == "after"


async def test_a_coroutine_function_as_the_way_to_send_keeps_order() -> None:
    socket = SlowSocket()
    transport = WebSocketTransport(socket)
    for number in range(50):
        transport.send(str(number))
    await transport.close()
    assert socket.sent == [str(number) for number in range(50)]


async def test_the_newest_event_wins_behind_a_congested_socket() -> None:
    socket = Socket()
    transport = WebSocketTransport(socket)
    socket.congest()
    transport.send("first")
    for number in range(1_000):
        transport.send(f"chunk {number}", newest_key="chunk")
    transport.send("complete")
    await settle()
    socket.relieve()
    await until(lambda: len(socket.sent) == 3)
    assert socket.sent == ["first", "chunk 999", "complete"]


async def test_a_queue_full_of_answers_closes_with_1013_and_ends_everything() -> None:
    socket = Socket()
    transport = WebSocketTransport(socket, TransportLimits(outbox_bytes=1_000))
    socket.congest()
    tasks = len(asyncio.all_tasks())
    for _ in range(20):
        transport.send("x" * 100)
    assert [code for code, _ in socket.closed] == [1013]
    with pytest.raises(ConnectionClosed) as caught:
        await transport.receive()
    assert caught.value.close_code == 1013
    await until(lambda: len(asyncio.all_tasks()) == tasks)


async def test_a_receiver_that_has_stopped_reading_is_cut_off_after_a_while() -> None:
    socket = Socket()
    socket.congest()
    transport = WebSocketTransport(socket, TransportLimits(outbox_s=0.02))
    transport.send("a")
    transport.send("b")
    async with asyncio.timeout(WAIT_S):
        with pytest.raises(ConnectionClosed) as caught:
            await transport.receive()
    assert caught.value.close_code == 1013
    assert socket.sent == ["a"]
    assert [code for code, _ in socket.closed] == [1013]


async def test_events_of_one_key_never_fill_the_queue() -> None:
    socket = Socket()
    transport = WebSocketTransport(socket, TransportLimits(outbox_bytes=1_000))
    socket.congest()
    for _ in range(100):
        transport.send("x" * 400, newest_key="chunk")
    assert socket.closed == []
    transport.lost()


async def test_a_large_frame_is_spelt_in_another_thread_and_keeps_its_place() -> None:
    threads: list[int] = []

    def spell() -> str:
        threads.append(threading.get_ident())
        return "large"

    socket = Socket()
    transport = WebSocketTransport(socket)
    transport.send("before")
    transport.send_encoding(spell, 2_000_000)
    transport.send("after")
    await until(lambda: len(socket.sent) == 3)
    assert socket.sent == ["before", "large", "after"]
    assert threads != [threading.get_ident()]


async def test_large_frames_count_before_they_are_spelt() -> None:
    socket = Socket()
    transport = WebSocketTransport(socket, TransportLimits(outbox_bytes=1_000))
    socket.congest()
    transport.send("first")
    transport.send_encoding(lambda: "never", 600, at_once=False)
    assert socket.closed == []
    transport.send_encoding(lambda: "never", 600)
    assert [code for code, _ in socket.closed] == [1013]
    transport.send_encoding(lambda: "never", 1)
    await settle()
    assert "never" not in socket.sent


async def test_large_frames_count_with_their_true_size_when_they_are_spelt() -> None:
    socket = Socket()
    transport = WebSocketTransport(socket, TransportLimits(outbox_bytes=1_000))
    socket.congest()
    transport.send("first")
    transport.send_encoding(lambda: "é" * 300, 1)
    transport.send_encoding(lambda: "é" * 300, 1)
    assert socket.closed == []
    await until(lambda: bool(socket.closed))
    assert [code for code, _ in socket.closed] == [1013]


async def test_one_large_frame_alone_is_no_queue() -> None:
    socket = Socket()
    transport = WebSocketTransport(socket, TransportLimits(outbox_bytes=1_000))
    socket.congest()
    transport.send("first")
    transport.send_encoding(lambda: "x" * 5_000, 5_000)
    await settle()
    assert socket.closed == []
    socket.relieve()
    await until(lambda: len(socket.sent) == 2)
    assert len(socket.sent[1]) == 5_000


async def test_closing_sends_what_is_queued_first() -> None:
    socket = Socket()
    transport = WebSocketTransport(socket)
    socket.congest()
    transport.send("a")
    transport.send("b")
    closing = asyncio.create_task(transport.close(4409, "not the same files"))
    await settle()
    assert socket.closed == []
    socket.relieve()
    async with asyncio.timeout(WAIT_S):
        await closing
    assert (socket.sent, socket.closed) == (["a", "b"], [(4409, "not the same files")])


async def test_closing_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jupyter_ac.transports.websocket._FLUSH_S", 0.01)
    socket = Socket()
    transport = WebSocketTransport(socket)
    socket.congest()
    transport.send("a")
    async with asyncio.timeout(WAIT_S):
        await transport.close()
    assert socket.closed == [(1000, "")]


async def test_a_reason_is_cut_to_what_a_close_frame_holds() -> None:
    socket = Socket()
    await WebSocketTransport(socket).close(4403, "ż" * 100)
    assert len(socket.closed[0][1].encode()) <= 123
    assert socket.closed[0][1] == "ż" * 61


async def test_frames_before_the_loss_are_still_given() -> None:
    socket = Socket()
    transport = WebSocketTransport(socket)
    transport.deliver("last")
    transport.lost(1001, "going away")
    transport.lost(1006)
    transport.deliver("too late")
    transport.send("too late")
    assert await transport.receive() == "last"
    with pytest.raises(ConnectionClosed, match="going away") as caught:
        await transport.receive()
    assert caught.value.close_code == 1001
    await transport.close()
    assert (socket.sent, socket.closed) == ([], [])


@pytest.mark.parametrize("congested", [False, True])
async def test_a_socket_that_refuses_a_frame_ends_the_connection(congested: bool) -> None:
    socket = Socket()
    transport = WebSocketTransport(socket)
    if congested:
        socket.congest()
        transport.send("a")
        transport.send("b")
        await settle()
        assert socket.congested is not None
        socket.congested.set_exception(OSError("broken pipe"))
        await settle()
    else:
        socket.closed.append((1000, "closed behind our back"))
        transport.send("a")
    with pytest.raises(ConnectionClosed):
        await transport.receive()
    assert socket.closed[-1] == (1011, "")


async def test_a_loss_right_after_a_send_leaves_nothing_unawaited() -> None:
    transport = WebSocketTransport(SlowSocket())
    tasks = len(asyncio.all_tasks())
    transport.send("a")
    transport.lost()
    await until(lambda: len(asyncio.all_tasks()) <= tasks)
    assert len(asyncio.all_tasks()) == tasks


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[WebSocketClientConnection]:
    client = await websocket_connect(url)
    try:
        async with asyncio.timeout(WAIT_S):
            first = await client.read_message()
            assert isinstance(first, str)
            assert json.loads(first)["method"] == "system.listComponents"
            yield client
    finally:
        client.close()


async def test_a_call_passes_through_tornado() -> None:
    methods = table(add=lambda a, b: a + b)
    async with serving(methods) as floor, opened(floor.url) as client:
        await client.write_message('{"jsonrpc":"2.0","method":"T.add","params":[1,2],"id":0}')
        assert json.loads(str(await client.read_message())) == {
            "jsonrpc": "2.0",
            "id": 0,
            "result": 3,
        }


async def test_too_large_a_frame_reaches_the_client_as_1009() -> None:
    limits = TransportLimits(frame_bytes=1_000)
    async with serving({}, limits=limits) as floor, opened(floor.url) as client:
        await client.write_message("x" * 1_001)
        assert await client.read_message() is None
        assert client.close_code == 1009


async def test_a_client_that_does_not_read_is_cut_off_and_its_tasks_end() -> None:
    text = "x" * 1_000_000
    limits = TransportLimits(outbox_bytes=8_000_000)
    async with serving(table(big=lambda: text), limits=limits) as floor:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", int(floor.url.rpartition(":")[2].strip("/"))
        )
        writer.write(
            b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        assert await reader.readuntil(b"\r\n\r\n")
        call = b'{"jsonrpc":"2.0","method":"T.big","id":1}'
        frame = bytes([0x81, 0x80 | len(call), 0, 0, 0, 0]) + call
        for _ in range(100):
            writer.write(frame)
        async with asyncio.timeout(WAIT_S):
            while not floor.tasks or not floor.tasks[0].done():
                await asyncio.sleep(0.005)
        assert floor.peers[0].closed
        writer.close()


async def test_a_flood_is_held_back_and_answered_whole() -> None:
    async def slow(n: int) -> int:
        await asyncio.sleep(0)
        return n

    limits = TransportLimits(inbox_frames=4)
    async with serving(table(slow=slow), limits=limits) as floor, opened(floor.url) as client:
        for n in range(2_000):
            client.write_message(
                f'{{"jsonrpc":"2.0","method":"T.slow","params":{{"args":[{n}]}},"id":{n}}}'
            )
        answers = [json.loads(str(await client.read_message())) for _ in range(2_000)]
        assert sorted(answer["result"] for answer in answers) == list(range(2_000))
