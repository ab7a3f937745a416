"""Against the real JavaScript client, through a real socket."""

import asyncio
import json
import math

import pytest

from jupyter_ac.errors import Busy, ConnectionClosed, RemoteError, TimedOut
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, Method, MethodTable, Namespace, method
from tests.support.jrpc_client import NodeCallError, node_clients
from tests.support.socket_server import serving

EVENTS = {"AcApp": ["streamChunk", "streamComplete"]}


class Probe:
    """What the tests call."""

    @method(Access.READ)
    def add(self, a: int, b: int) -> int:
        return a + b

    @method(Access.READ)
    async def slow_add(self, a: int, b: int) -> int:
        await asyncio.sleep(0.001)
        return a + b

    @method(Access.READ)
    def nothing(self) -> None:
        return None

    @method(Access.READ)
    def fails(self) -> None:
        raise Busy("another one is running", {"request_id": "r"})

    @method(Access.READ)
    def crashes(self) -> None:
        raise RuntimeError

    @method(Access.READ)
    def not_a_number(self) -> object:
        return {"value": math.nan, "ok": 1}

    @method(Access.READ)
    def not_json(self) -> object:
        return {1, 2}

    @method(Access.READ)
    def echo(self, value: object) -> object:
        return value

    @method(Access.READ)
    async def ask_back(self, text: str) -> object:
        return await current_caller().peer.call("AcApp.streamChunk", "r", text)


METHODS: dict[str, Method] = dict(MethodTable(Namespace("Probe", Probe())))


async def test_the_client_gets_our_methods_and_we_get_its() -> None:
    async with serving(METHODS) as floor, node_clients() as node:
        page = await node.connect(floor.url, expose=EVENTS)
        ready = next(event for event in page.seen if event["event"] == "ready")
        assert isinstance(ready["methods"], list)
        assert set(ready["methods"]) == {"system.listComponents", *METHODS}
        peer = await floor.peer()
        assert {"AcApp.streamChunk", "AcApp.streamComplete"} <= peer.remote_methods


async def test_calls_give_results_of_every_kind() -> None:
    async with serving(METHODS) as floor, node_clients() as node:
        page = await node.connect(floor.url)
        assert await page.call("Probe.add", 2, 3) == 5
        assert await page.call("Probe.add", 2, 3, "surplus", via="server") == 5
        assert await page.call("Probe.slow_add", 2, 3) == 5
        assert await page.call("Probe.nothing") is None
        assert await page.call("Probe.not_a_number") == {"value": None, "ok": 1}
        deep: object = {"a": [1, 2.5, None, True, "żółw 🟧", {"b": []}]}
        assert await page.call("Probe.echo", deep) == deep
        envelope = await page.call("Probe.add", 1, 1, via="envelope")
        assert isinstance(envelope, dict)
        assert list(envelope.values()) == [2]


async def test_errors_reach_the_client_with_code_and_type() -> None:
    cases = {
        "Probe.fails": (-32000, "busy"),
        "Probe.crashes": (-32603, "internal"),
        "Probe.not_json": (-32603, "internal"),
        "Probe.add": (-32602, "invalid_params"),
    }
    async with serving(METHODS) as floor, node_clients() as node:
        page = await node.connect(floor.url)
        for name, (code, kind) in cases.items():
            with pytest.raises(NodeCallError) as caught:
                await page.call(name)
            error = caught.value.error
            assert isinstance(error, dict)
            assert (error["code"], error["data"]["type"]) == (code, kind)
        assert await page.call("Probe.add", 1, 1) == 2


async def test_a_thousand_calls_at_once_are_matched() -> None:
    async with serving(METHODS) as floor, node_clients() as node:
        page = await node.connect(floor.url)
        results = await asyncio.gather(
            *(page.call("Probe.slow_add", number, 1) for number in range(1_000))
        )
        assert results == [number + 1 for number in range(1_000)]


async def test_methods_that_call_back_all_at_once_do_not_wait_for_each_other() -> None:
    async with serving(METHODS) as floor, node_clients() as node:
        page = await node.connect(floor.url, expose=EVENTS)
        results = await asyncio.gather(*(page.call("Probe.ask_back", "x") for _ in range(600)))
        assert results == [True] * 600


async def test_large_results_and_arguments_pass() -> None:
    text = "x" * 3_000_000
    async with serving(METHODS) as floor, node_clients() as node:
        page = await node.connect(floor.url)
        large = page.call("Probe.echo", [text, {"n": 1}])
        small = page.call("Probe.add", 1, 2)
        assert list(await asyncio.gather(large, small)) == [[text, {"n": 1}], 3]


@pytest.mark.parametrize("ack", ["true", "undefined", "null"])
async def test_events_are_acknowledged_by_any_value(ack: str) -> None:
    async with serving(METHODS) as floor, node_clients() as node:
        page = await node.connect(floor.url, expose=EVENTS, ack=ack)
        peer = await floor.peer()
        result = await peer.call("AcApp.streamChunk", "r1", "text")
        assert result is (True if ack == "true" else None)
        assert await page.called() == ("AcApp.streamChunk", ["r1", "text"])


async def test_a_rejected_event_is_a_remote_error_and_the_connection_lives() -> None:
    async with serving(METHODS) as floor, node_clients() as node:
        page = await node.connect(floor.url, expose=EVENTS, ack="reject")
        peer = await floor.peer()
        with pytest.raises(RemoteError) as caught:
            await peer.call("AcApp.streamChunk", "r1", "text")
        assert caught.value.remote_code == -2
        await page.ack("reject-object")
        with pytest.raises(RemoteError, match="rejected on purpose") as caught:
            await peer.call("AcApp.streamChunk", "r1", "text")
        assert (caught.value.remote_code, caught.value.remote_type) == (17, "busy")
        assert await page.call("Probe.add", 1, 2) == 3


@pytest.mark.parametrize("ack", ["throw", "never"])
async def test_an_event_that_is_never_acknowledged_times_out_alone(ack: str) -> None:
    async with serving(METHODS) as floor, node_clients() as node:
        page = await node.connect(floor.url, expose=EVENTS, ack=ack)
        peer = await floor.peer()
        with pytest.raises(TimedOut, match=r"AcApp\.streamChunk"):
            await peer.call("AcApp.streamChunk", "r1", "text", timeout_s=0.2)
        if ack == "throw":
            uncaught = await page.event("uncaught")
            assert "thrown on purpose" in str(uncaught["message"])
        assert await page.call("Probe.add", 1, 2) == 3
        await page.ack("true")
        assert await peer.call("AcApp.streamChunk", "r2", "text") is True


async def test_events_without_answer_arrive_in_order() -> None:
    async with serving(METHODS) as floor, node_clients() as node:
        page = await node.connect(floor.url, expose=EVENTS, ack="throw")
        peer = await floor.peer()
        await page.ack("undefined")
        for number in range(200):
            peer.notify("AcApp.streamChunk", "r", number)
        peer.notify("AcApp.streamComplete", "r", {})
        seen = [await page.called() for _ in range(201)]
        assert seen[:-1] == [("AcApp.streamChunk", ["r", number]) for number in range(200)]
        assert seen[-1] == ("AcApp.streamComplete", ["r", {}])


async def test_two_clients_are_told_apart() -> None:
    async with serving(METHODS) as floor, node_clients() as node:
        first = await node.connect(floor.url, expose=EVENTS)
        second = await node.connect(floor.url, expose=EVENTS)
        one, two = await floor.peer(0), await floor.peer(1)
        await one.call("AcApp.streamChunk", "for one", "")
        await two.call("AcApp.streamChunk", "for two", "")
        assert await first.called() == ("AcApp.streamChunk", ["for one", ""])
        assert await second.called() == ("AcApp.streamChunk", ["for two", ""])
        sums = await asyncio.gather(
            first.call("Probe.slow_add", 1, 1), second.call("Probe.slow_add", 2, 2)
        )
        assert list(sums) == [2, 4]


async def test_a_silent_client_delays_nobody() -> None:
    async with serving(METHODS, timeout_s=0.2) as floor, node_clients() as node:
        silent = await node.connect(floor.url, ready=False, silent=True)
        frame = json.loads(str((await silent.event("frame"))["text"]))
        assert frame["method"] == "system.listComponents"
        page = await node.connect(floor.url, expose=EVENTS)
        assert await page.call("Probe.add", 1, 2) == 3
        for peer in floor.peers:
            peer.notify("AcApp.streamChunk", "r", "to all")
        assert await page.called() == ("AcApp.streamChunk", ["r", "to all"])
        with pytest.raises(TimedOut):
            await floor.peers[0].handshaken()


async def test_a_client_that_leaves_fails_our_calls_at_once_and_may_come_back() -> None:
    async with serving(METHODS) as floor, node_clients() as node:
        for number, terminate in enumerate((False, True)):
            page = await node.connect(floor.url, expose=EVENTS, ack="never")
            peer = await floor.peer(number)
            waiting = asyncio.create_task(peer.call("AcApp.streamChunk", "r", "", timeout_s=60))
            await page.called()
            await page.close(terminate=terminate)
            async with asyncio.timeout(30):
                with pytest.raises(ConnectionClosed):
                    await waiting
                await floor.tasks[number]
            assert peer.closed
        page = await node.connect(floor.url, expose=EVENTS)
        assert await page.call("Probe.add", 1, 2) == 3


async def test_our_close_code_and_sentence_reach_the_client() -> None:
    async with serving(METHODS) as floor, node_clients() as node:
        page = await node.connect(floor.url)
        peer = await floor.peer()
        await peer.close(4404, "there is no repository here")
        closed = await page.event("close")
        assert (closed["code"], closed["reason"]) == (4404, "there is no repository here")


async def test_a_class_added_later_is_known_here() -> None:
    async with serving(METHODS) as floor, node_clients() as node:
        page = await node.connect(floor.url)
        peer = await floor.peer()
        assert "Late.hello" not in peer.remote_methods
        await page.expose("Late", ["hello"])
        await page.call("Probe.nothing")
        assert "Late.hello" in peer.remote_methods
        assert await peer.call("Late.hello") is True


async def test_broken_frames_harm_neither_end() -> None:
    async with serving(METHODS) as floor, node_clients() as node:
        page = await node.connect(floor.url)
        for text in ("{", "null", "[]", "", '"x"', "[null]", '{"jsonrpc":"2.0","id":1}'):
            await page.raw(text)
        assert await page.call("Probe.add", 1, 2) == 3
        assert not [event for event in page.seen if event["event"] in {"uncaught", "close"}]
