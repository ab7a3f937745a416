"""The asyncio driver: calls in both directions, limits, timers, end."""

import asyncio
import gc
import json

import pytest

from jupyter_ac.errors import ConnectionClosed, RemoteError, TimedOut, TooLarge
from jupyter_ac.rpc import peer as peer_module
from jupyter_ac.rpc.codec import SerialisationError
from jupyter_ac.rpc.dialect import JRPC_OO, JSONRPC2, WireDialect
from jupyter_ac.rpc.direct import DirectTransport, direct_pair
from jupyter_ac.rpc.incoming_calls import BACKLOG_LIMIT, IN_FLIGHT_LIMIT
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.rpc.overload import LATE_S, CallAges, HostLoad
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.transport import EndOfInput
from jupyter_ac.transports.websocket import WebSocketTransport
from tests.rpc.pairs import WAIT_S, Wire, joined, running, table, wired

BOTH = pytest.mark.parametrize("profile", [JSONRPC2, JRPC_OO], ids=lambda profile: profile.name)


class Gate:
    """A method that waits until it is let through, and counts."""

    def __init__(self) -> None:
        self.opened = asyncio.Event()
        self.running = 0
        self.most = 0
        self.cancelled = 0
        self.arrived = asyncio.Event()

    async def enter(self, value: object = None) -> object:
        self.running += 1
        self.most = max(self.most, self.running)
        self.arrived.set()
        try:
            await self.opened.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.running -= 1
        return value


def request(method: str, call_id: object, *args: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "method": method, "params": {"args": list(args)}, "id": call_id}


@BOTH
async def test_a_thousand_concurrent_calls_are_matched(profile: WireDialect) -> None:
    async def echo(n: int) -> int:
        await asyncio.sleep(0.001 * (n % 3))
        return n

    async with joined(table(echo=echo), profile=profile) as (_, client), asyncio.timeout(WAIT_S):
        results = await asyncio.gather(*(client.call("T.echo", n) for n in range(1_000)))
        assert results == list(range(1_000))


@BOTH
async def test_both_ends_call_each_other_at_once(profile: WireDialect) -> None:
    one, two = direct_pair()
    left = Peer(one, table(name=lambda: "left"), profile=profile)
    right = Peer(two, table(name=lambda: "right"), profile=profile)
    async with running(left, right):
        calls = [peer.call("T.name") for _ in range(50) for peer in (left, right)]
        assert await asyncio.gather(*calls) == ["right", "left"] * 50


async def test_the_answer_without_a_result_is_none() -> None:
    async with wired() as (peer, wire):
        waiting = asyncio.create_task(peer.call("A.b"))
        call = await wire.receive()
        assert isinstance(call, dict)
        wire.send({"jsonrpc": "2.0", "id": call["id"]})
        async with asyncio.timeout(WAIT_S):
            assert await waiting is None


async def test_an_error_answer_is_raised_with_code_and_data() -> None:
    async with wired() as (peer, wire):
        waiting = asyncio.create_task(peer.call("A.b"))
        call = await wire.receive()
        assert isinstance(call, dict)
        error = {"code": -5, "message": "no", "data": {"type": "busy"}}
        wire.send({"jsonrpc": "2.0", "id": call["id"], "error": error})
        with pytest.raises(RemoteError, match="no") as caught:
            await waiting
        assert (caught.value.remote_code, caught.value.remote_type) == (-5, "busy")


async def test_a_call_times_out_and_its_late_answer_is_dropped() -> None:
    async with wired() as (peer, wire):
        with pytest.raises(TimedOut, match=r"A\.b was not answered within 0\.01 s"):
            await peer.call("A.b", timeout_s=0.01)
        call = await wire.receive()
        assert isinstance(call, dict)
        wire.send({"jsonrpc": "2.0", "id": call["id"], "result": 1})
        assert await wire.is_silent()


async def test_a_cancelled_call_is_forgotten() -> None:
    async with wired() as (peer, wire):
        waiting = asyncio.create_task(peer.call("A.b"))
        await wire.receive()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert len(peer._pending) == 0
        assert peer._connection._open == {1}  # our own list request alone


async def test_arguments_that_are_not_json_are_refused_here() -> None:
    async with wired() as (peer, wire):
        with pytest.raises(SerialisationError):
            await peer.call("A.b", {1, 2})
        with pytest.raises(SerialisationError):
            peer.notify("A.b", object())
        assert len(peer._pending) == 0
        assert await wire.is_silent()


async def test_what_is_too_long_for_a_frame_is_refused_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(peer_module, "MAX_FRAME_BYTES", 1000)
    near, far = direct_pair()
    peer, other = Peer(near, {}), Peer(far, table(echo=lambda x: x))
    async with running(peer, other):
        with pytest.raises(TooLarge, match=r"T\.echo"):
            await peer.call("T.echo", "x" * 1000)
        with pytest.raises(TooLarge):
            peer.notify("T.echo", "é" * 499)
        assert await peer.call("T.echo", "é" * 400) == "é" * 400


async def test_open_calls_fail_at_once_when_the_other_end_closes() -> None:
    ours, theirs = direct_pair()
    peer = Peer(ours, {})
    task = asyncio.create_task(peer.run())
    calls = [asyncio.create_task(peer.call("A.b")) for _ in range(5)]
    await asyncio.sleep(0)
    await theirs.close(4409, "not the same files")
    async with asyncio.timeout(WAIT_S):
        await task
        for call in calls:
            with pytest.raises(ConnectionClosed, match="not the same files") as caught:
                await call
            assert caught.value.close_code == 4409
    assert peer.closed


async def test_open_calls_fail_at_once_when_this_end_closes() -> None:
    async with wired() as (peer, wire):
        call = asyncio.create_task(peer.call("A.b"))
        await wire.receive()
        await peer.close()
        with pytest.raises(ConnectionClosed):
            await call


async def test_after_the_end_calls_fail_and_notifications_do_nothing() -> None:
    async with wired() as (peer, wire):
        await peer.close()
        peer.notify("A.b")
        for waiting in (peer.call("A.b"), peer.handshaken()):
            with pytest.raises(ConnectionClosed):
                await waiting
        with pytest.raises(ConnectionClosed):
            await wire.receive()


async def test_a_call_made_before_run_waits_for_it() -> None:
    one, two = direct_pair()
    client, server = Peer(one, {}), Peer(two, table(f=lambda: 5))
    waiting = asyncio.create_task(client.call("T.f"))
    await asyncio.sleep(0)
    async with running(client, server), asyncio.timeout(WAIT_S):
        assert await waiting == 5


async def test_methods_in_flight_are_cancelled_at_the_end() -> None:
    gate = Gate()
    ours, theirs = direct_pair()
    task = asyncio.create_task(Peer(ours, table(enter=gate.enter)).run())
    wire = Wire(theirs)
    for number in range(3):
        wire.send(request("T.enter", number))
    async with asyncio.timeout(WAIT_S):
        await gate.arrived.wait()
        await theirs.close()
        await task
    assert (gate.running, gate.cancelled) == (0, 3)


async def test_cancelling_run_ends_everything() -> None:
    gate = Gate()
    ours, theirs = direct_pair()
    peer = Peer(ours, table(enter=gate.enter))
    task = asyncio.create_task(peer.run())
    Wire(theirs).send(request("T.enter", 1))
    call = asyncio.create_task(peer.call("A.b"))
    async with asyncio.timeout(WAIT_S):
        await gate.arrived.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(ConnectionClosed):
            await call
        await theirs.receive()
    assert (gate.cancelled, peer.closed) == (1, True)


async def test_a_method_may_close_its_own_connection() -> None:
    async def leave() -> None:
        await server.close(4401, "not allowed")

    one, two = direct_pair()
    server, client = Peer(one, table(leave=leave)), Peer(two, {})
    async with running(server, client), asyncio.timeout(WAIT_S):
        with pytest.raises(ConnectionClosed, match="not allowed") as caught:
            await client.call("T.leave")
        assert caught.value.close_code == 4401


async def test_a_method_that_will_not_end_holds_run_for_a_bounded_time(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("jupyter_ac.rpc.incoming_calls._GRACE_S", 0.05)
    over = asyncio.Event()
    entered = asyncio.Event()

    async def stubborn() -> None:
        entered.set()
        while not over.is_set():
            try:
                await over.wait()
            except asyncio.CancelledError:
                continue

    ours, theirs = direct_pair()
    task = asyncio.create_task(Peer(ours, table(stubborn=stubborn)).run())
    Wire(theirs).send(request("T.stubborn", 1))
    async with asyncio.timeout(WAIT_S):
        await entered.wait()
        await theirs.close()
        await task
    assert "T.stubborn does not end" in caplog.text
    over.set()
    await asyncio.sleep(0)


async def test_no_more_than_the_limit_run_at_once_and_all_are_answered() -> None:
    gate = Gate()
    count = IN_FLIGHT_LIMIT + 500
    async with joined(table(enter=gate.enter)) as (_, client):
        calls = [asyncio.create_task(client.call("T.enter", n)) for n in range(count)]
        await asyncio.sleep(0)
        await client.call("system.listComponents")
        assert gate.running == IN_FLIGHT_LIMIT
        gate.opened.set()
        async with asyncio.timeout(WAIT_S):
            assert await asyncio.gather(*calls) == list(range(count))
    assert gate.most == IN_FLIGHT_LIMIT


async def test_calls_that_wait_start_in_order() -> None:
    gate = Gate()
    order: list[int] = []
    methods = table(enter=gate.enter, note=order.append)
    async with joined(methods) as (_, client):
        calls = [asyncio.create_task(client.call("T.enter")) for _ in range(IN_FLIGHT_LIMIT)]
        calls += [asyncio.create_task(client.call("T.note", n)) for n in range(20)]
        await asyncio.sleep(0)
        await client.call("system.listComponents")
        assert order == []
        gate.opened.set()
        async with asyncio.timeout(WAIT_S):
            await asyncio.gather(*calls)
    assert order == list(range(20))


async def test_reading_waits_when_too_many_calls_wait() -> None:
    gate = Gate()
    ours, theirs = direct_pair()
    peer = Peer(ours, table(enter=gate.enter))
    wire = Wire(theirs)
    count = IN_FLIGHT_LIMIT + BACKLOG_LIMIT + 100
    async with running(peer):
        await wire.receive()
        for number in range(count):
            wire.send(request("T.enter", number, number))
        async with asyncio.timeout(WAIT_S):
            while len(peer.calls._backlog) < BACKLOG_LIMIT:
                await asyncio.sleep(0)
            for _ in range(100):
                await asyncio.sleep(0)
            assert len(peer.calls._backlog) == BACKLOG_LIMIT
            gate.opened.set()
            answers = [await wire.receive() for _ in range(count)]
        assert {answer["result"] for answer in answers if isinstance(answer, dict)} == set(
            range(count)
        )


async def test_frames_are_no_longer_pushed_when_too_many_calls_wait() -> None:
    class NoSocket:
        def send_text(self, text: str) -> None:
            sent.append(text)

        def close(self, code: int, reason: str) -> None:
            transport.lost(code, reason)

    sent: list[str] = []
    gate = Gate()
    transport = WebSocketTransport(NoSocket())
    peer = Peer(transport, table(enter=gate.enter))
    count = IN_FLIGHT_LIMIT + BACKLOG_LIMIT + 200
    async with running(peer):
        for _ in range(10):
            await asyncio.sleep(0)
        for number in range(count):
            transport.deliver(json.dumps(request("T.enter", number)))
        for _ in range(10):
            await asyncio.sleep(0)
        assert BACKLOG_LIMIT <= len(peer.calls._backlog) <= BACKLOG_LIMIT + 1
        gate.opened.set()
        async with asyncio.timeout(WAIT_S):
            while len(sent) < count + 1:
                await asyncio.sleep(0.001)


async def test_a_connection_whose_methods_never_end_is_closed_as_overloaded() -> None:
    ours, theirs = direct_pair()
    gate = Gate()
    peer = Peer(ours, table(enter=gate.enter), timeout_s=0.05)
    task = asyncio.create_task(peer.run())
    for number in range(IN_FLIGHT_LIMIT + BACKLOG_LIMIT + 1):
        Wire(theirs).send(request("T.enter", number))
    async with asyncio.timeout(WAIT_S):
        await task
        await theirs.receive()
        with pytest.raises(ConnectionClosed, match="too many calls") as caught:
            await theirs.receive()
    assert caught.value.close_code == 1013
    assert gate.cancelled == IN_FLIGHT_LIMIT


class Clock:
    """Time that passes when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Stoppable(Gate):
    """A gate with a method that opens it."""

    @method(Access.WRITE, is_urgent=True)
    async def stop(self) -> str:
        self.opened.set()
        return "stopped"


async def test_calls_are_refused_as_busy_while_answers_are_late() -> None:
    clock, gate = Clock(), Stoppable()
    ours, theirs = direct_pair()
    peer = Peer(ours, table(enter=gate.enter, stop=gate.stop))
    peer.calls.ages = CallAges(HostLoad(clock))
    wire = Wire(theirs)
    waiting = IN_FLIGHT_LIMIT + 100
    async with running(peer), asyncio.timeout(WAIT_S):
        await wire.receive()
        for number in range(waiting):
            wire.send(request("T.enter", number))
        while len(peer.calls._backlog) < 100:
            await asyncio.sleep(0)
        clock.now += LATE_S + 1
        for number in range(1000):
            wire.send(request("T.enter", f"late {number}"))
        for number in range(1000):
            refused = await wire.receive()
            assert isinstance(refused, dict)
            assert refused["id"] == f"late {number}"
            assert refused["error"]["code"] == -32000
            assert refused["error"]["data"]["type"] == "busy"
        assert gate.most == IN_FLIGHT_LIMIT
        # What ends work goes on, before those that wait.
        wire.send(request("T.stop", "stop"))
        answers = [await wire.receive() for _ in range(waiting + 1)]
        assert {answer["id"] for answer in answers if isinstance(answer, dict)} == {
            "stop",
            *range(waiting),
        }
        # The answers have come, so the next call is taken again.
        wire.send(request("T.enter", "after"))
        assert await wire.receive() == {"jsonrpc": "2.0", "id": "after", "result": None}


async def test_a_full_backlog_is_read_on_when_it_is_late() -> None:
    clock, gate = Clock(), Gate()
    ours, theirs = direct_pair()
    peer = Peer(ours, table(enter=gate.enter), timeout_s=WAIT_S)
    peer.calls.ages = CallAges(HostLoad(clock))
    wire = Wire(theirs)
    taken = IN_FLIGHT_LIMIT + BACKLOG_LIMIT
    async with running(peer), asyncio.timeout(WAIT_S):
        await wire.receive()
        for number in range(taken + 500):
            wire.send(request("T.enter", number))
        while len(peer.calls._backlog) < BACKLOG_LIMIT:
            await asyncio.sleep(0)
        clock.now += LATE_S + 1
        peer.calls._has_room.set()
        for _ in range(500):
            refused = await wire.receive()
            assert isinstance(refused, dict)
            assert refused["error"]["data"]["type"] == "busy"
        gate.opened.set()
        answers = [await wire.receive() for _ in range(taken)]
        assert len(answers) == taken


async def test_late_calls_of_a_connection_that_ended_are_forgotten() -> None:
    clock, gate = Clock(), Gate()
    host = HostLoad(clock)
    ours, theirs = direct_pair()
    peer = Peer(ours, table(enter=gate.enter))
    peer.calls.ages = CallAges(host)
    wire = Wire(theirs)
    async with running(peer), asyncio.timeout(WAIT_S):
        await wire.receive()
        for number in range(IN_FLIGHT_LIMIT):
            wire.send(request("T.enter", number))
        while gate.running < IN_FLIGHT_LIMIT:
            await asyncio.sleep(0)
        clock.now += LATE_S + 1
        wire.send(request("T.enter", "late"))
        await wire.receive()
        assert host.late == IN_FLIGHT_LIMIT
    assert host.late == 0


async def test_other_tasks_get_their_turn_during_a_flood() -> None:
    turns = 0

    async def breathe() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async with wired(table(f=lambda: 1)) as (_, wire):
        for number in range(640):
            wire.send(request("T.f", number))
        before = asyncio.create_task(breathe())
        for _ in range(640):
            await wire.receive()
        before.cancel()
    assert turns >= 15


async def test_the_handshake_waits_for_the_list_and_not_longer_than_the_timeout() -> None:
    async with wired(timeout_s=0.02) as (peer, wire):
        with pytest.raises(TimedOut, match="did not list"):
            await peer.handshaken()
        wire.send({"jsonrpc": "2.0", "method": "system.listComponents", "params": {"A.b": True}})
        async with asyncio.timeout(WAIT_S):
            while not peer.remote_methods:
                await asyncio.sleep(0)
        assert await peer.handshaken() == {"A.b"}


async def test_the_handshake_ends_with_the_connection() -> None:
    async with wired() as (peer, wire):
        waiting = asyncio.create_task(peer.handshaken())
        await asyncio.sleep(0)
        await wire.transport.close()
        with pytest.raises(ConnectionClosed):
            await waiting


async def test_by_the_book_no_handshake_is_waited_for() -> None:
    async with wired(profile=JSONRPC2) as (peer, wire):
        assert await peer.handshaken() == frozenset()
        assert await wire.is_silent()


async def test_private_names_are_not_listed() -> None:
    ours, theirs = direct_pair()
    methods = table(f=lambda: 1, _g=lambda: 2)
    async with running(Peer(ours, methods)):
        first = await Wire(theirs).receive()
        assert isinstance(first, dict)
        assert first["params"] == {"system.listComponents": True, "T.f": True}


async def test_the_newest_event_of_a_key_wins_while_it_waits() -> None:
    async with wired() as (peer, wire):
        for number in range(5):
            peer.notify("A.b", number, newest_key="b")
        peer.notify("A.c")
        events = [await wire.receive(), await wire.receive()]
        assert [event["params"] for event in events if isinstance(event, dict)] == [
            {"args": [4]},
            {"args": []},
        ]


async def test_an_answer_that_fails_to_go_out_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        async def receive(self) -> str:
            if self.frames:
                return self.frames.pop()
            await self.end.wait()
            raise ConnectionClosed

        def send(self, frame: str, **_: object) -> None:
            if '"result"' in frame:
                self.end.set()
                raise RuntimeError("broken transport")

        async def close(self, *_: object, **__: object) -> None:
            self.end.set()

        def __init__(self) -> None:
            self.end = asyncio.Event()
            self.frames = ['{"jsonrpc":"2.0","method":"T.f","id":1}']

    async def f() -> int:
        return 1

    async with asyncio.timeout(WAIT_S):
        await Peer(Broken(), table(f=f)).run()
    assert "answering T.f failed" in caplog.text


async def test_methods_added_later_are_announced_and_served() -> None:
    methods = table(one=lambda: 1)
    async with joined(methods) as (server, client):
        assert "T.two" not in await client.handshaken()
        methods |= table(two=lambda: 2, _hidden=lambda: 3)
        server.announce()
        assert await client.call("T.two") == 2
        assert {"T.one", "T.two"} <= client.remote_methods
        assert "T._hidden" not in client.remote_methods
    server.announce()


async def test_an_announcement_before_the_first_frame_is_that_frame() -> None:
    methods = table(one=lambda: 1)
    ours, theirs = direct_pair()
    peer = Peer(ours, methods)
    methods |= table(two=lambda: 2)
    peer.announce()
    async with running(peer):
        wire = Wire(theirs)
        first = await wire.receive()
        assert isinstance(first, dict)
        assert "T.two" in first["params"]
        assert await wire.is_silent()


async def test_how_it_ended_is_known() -> None:
    async with joined() as (server, client):
        await client.handshaken()
        assert not client.closed
        await server.close(4404, "nothing here")
        async with asyncio.timeout(WAIT_S):
            while client.ended is None:
                await asyncio.sleep(0)
    assert (client.ended.close_code, client.ended.message) == (4404, "nothing here")


async def test_nothing_is_left_behind_after_many_calls() -> None:
    loop = asyncio.get_running_loop()
    async with joined(table(f=lambda: 1)) as (_, client):
        before = len(asyncio.all_tasks())
        for _ in range(2_000):
            await client.call("T.f", timeout_s=60)
        assert len(asyncio.all_tasks()) == before
        gc.collect()
        scheduled = [timer for timer in getattr(loop, "_scheduled", []) if not timer.cancelled()]
        assert len(scheduled) < 20


class HalfClosed(DirectTransport):
    """An end whose other side says that nothing more comes, and goes on reading."""

    def finish(self) -> None:
        self._ended = EndOfInput("no more")
        self._wake()

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        assert self._other is not None
        self._other.deliver(frame, newest_key)


def half_closed() -> tuple[HalfClosed, Wire]:
    ours, theirs = HalfClosed(), DirectTransport()
    ours.join(theirs)
    theirs.join(ours)
    return ours, Wire(theirs)


async def test_after_the_last_frame_what_was_asked_is_answered() -> None:
    go = asyncio.Event()

    async def wait(number: int) -> int:
        await go.wait()
        return number

    ours, wire = half_closed()
    peer = Peer(ours, table(wait=wait), profile=JSONRPC2)
    ended = asyncio.create_task(peer.run())
    # More than may run at once: those that wait are begun as well.
    asked = range(IN_FLIGHT_LIMIT + 10)
    for number in asked:
        wire.send({"jsonrpc": "2.0", "method": "T.wait", "params": [number], "id": number})
    ours.finish()
    await asyncio.sleep(0)
    go.set()
    answers = [await wire.receive() for _ in asked]
    assert sorted(answer["result"] for answer in answers if isinstance(answer, dict)) == list(asked)
    async with asyncio.timeout(WAIT_S):
        await ended
    assert peer.closed


async def test_what_takes_too_long_after_the_last_frame_is_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("jupyter_ac.rpc.peer._REST_S", 0.01)
    cancelled = asyncio.Event()

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    ours, wire = half_closed()
    peer = Peer(ours, table(wait=wait), profile=JSONRPC2)
    wire.send({"jsonrpc": "2.0", "method": "T.wait", "params": [], "id": 1})
    ours.finish()
    async with asyncio.timeout(WAIT_S):
        await peer.run()
    assert cancelled.is_set()


async def test_what_is_still_to_be_sent_after_the_answers_is_waited_for() -> None:
    ours, wire = half_closed()
    peer = Peer(ours, table(add=lambda a, b: a + b), profile=JSONRPC2)

    async def rest() -> None:
        peer.notify("News.last", 1)

    wire.send({"jsonrpc": "2.0", "method": "T.add", "params": [1, 2], "id": 1})
    ours.finish()
    async with asyncio.timeout(WAIT_S):
        await peer.run(rest)
    assert await wire.receive() == {"jsonrpc": "2.0", "id": 1, "result": 3}
    assert await wire.receive() == {"jsonrpc": "2.0", "method": "News.last", "params": [1]}
    assert peer.closed


async def test_no_answer_is_waited_for_after_the_other_sides_last_frame() -> None:
    ours, wire = half_closed()
    peer = Peer(ours, {}, profile=JSONRPC2)
    said: list[str] = []

    async def ask(name: str) -> None:
        with pytest.raises(ConnectionClosed) as caught:
            await peer.call(name)
        said.append(caught.value.message)

    asking = asyncio.create_task(ask("News.asked"))
    running = asyncio.create_task(peer.run(lambda: ask("News.last")))
    await wire.receive()
    ours.finish()
    async with asyncio.timeout(WAIT_S):
        await running
        await asking
    assert said == ["no more", "no more"]
    last = await wire.receive()
    assert isinstance(last, dict)
    assert last["method"] == "News.last"
