"""`JRPCServer` with the real JavaScript client, through a real socket."""

import asyncio

import pytest

from jupyter_ac.errors import ConnectionClosed, RemoteError
from tests.jrpc_oo.objects import WAIT_S, Probe, only, serving, until, uri_of
from tests.support.jrpc_client import NodeCallError, node_clients

EVENTS = {"AcApp": ["streamChunk", "streamComplete"]}


async def test_the_client_gets_the_public_methods_and_no_others() -> None:
    async with serving(Probe()) as server, node_clients() as node:
        page = await node.connect(uri_of(server), expose=EVENTS)
        ready = next(event for event in page.seen if event["event"] == "ready")
        assert isinstance(ready["methods"], list)
        public = {f"Probe.{name}" for name in dir(Probe) if not name.startswith("_")}
        assert set(ready["methods"]) == {"system.listComponents", *public}


async def test_results_of_every_kind() -> None:
    async with serving(Probe()) as server, node_clients() as node:
        page = await node.connect(uri_of(server))
        assert await page.call("Probe.add", 2, 3) == 5
        assert await page.call("Probe.slow_add", 2, 3, "surplus", via="server") == 5
        assert await page.call("Probe.nothing") is None
        assert await page.call("Probe.not_a_number") is None
        deep: object = {"a": [1, 2.5, None, True, "żółw 🟧", {"b": []}]}
        assert await page.call("Probe.echo", deep) == deep


@pytest.mark.parametrize(
    ("name", "code", "message", "data"),
    [
        ("fails", -32000, "this is why", {"type": "internal", "exception": "ValueError"}),
        (
            "fails_without_text",
            -32000,
            "ValueError",
            {"type": "internal", "exception": "ValueError"},
        ),
        ("refuses", -32000, "another one is running", {"type": "busy", "request_id": "r"}),
        ("add", -32602, "Probe.add also needs a, b", {"type": "invalid_params", "path": "$"}),
    ],
)
async def test_errors(name: str, code: int, message: str, data: object) -> None:
    async with serving(Probe()) as server, node_clients() as node:
        page = await node.connect(uri_of(server))
        with pytest.raises(NodeCallError) as caught:
            await page.call(f"Probe.{name}")
        assert caught.value.error == {"code": code, "message": message, "data": data}


async def test_a_private_method_cannot_be_called_by_hand() -> None:
    async with serving(Probe()) as server, node_clients() as node:
        page = await node.connect(uri_of(server), silent=True, ready=False)
        await page.event("frame")
        await page.raw('{"jsonrpc":"2.0","method":"Probe._private","params":{"args":[]},"id":7}')
        answer = await page.event("frame")
        assert '"code":-32601' in str(answer["text"])


async def test_an_array_of_calls_is_answered() -> None:
    async with serving(Probe()) as server, node_clients() as node:
        page = await node.connect(uri_of(server), silent=True, ready=False)
        await page.event("frame")
        call = '{"jsonrpc":"2.0","method":"Probe.add","params":{"args":[1,%d]},"id":%d}'
        await page.raw(f"[{call % (1, 1)},{call % (2, 2)}]")
        texts = sorted([str((await page.event("frame"))["text"]) for _ in range(2)])
        assert texts == [f'{{"jsonrpc":"2.0","id":{n},"result":{n + 1}}}' for n in (1, 2)]


async def test_a_thousand_calls_at_once() -> None:
    async with serving(Probe()) as server, node_clients() as node:
        page = await node.connect(uri_of(server))
        for name in ("Probe.slow_add", "Probe.add"):
            calls = [page.call(name, number, 1) for number in range(1000)]
            assert await asyncio.gather(*calls) == [number + 1 for number in range(1000)]


async def test_a_thousand_calls_that_call_back_at_once() -> None:
    async with serving(Probe()) as server, node_clients() as node:
        page = await node.connect(uri_of(server), expose=EVENTS)
        calls = [page.call("Probe.ask_back", "AcApp.streamChunk", "x") for _ in range(1000)]
        assert await asyncio.gather(*calls) == [True] * 1000


async def test_big_messages() -> None:
    text = "x" * 3_000_000
    async with serving(Probe()) as server, node_clients() as node:
        page = await node.connect(uri_of(server))
        large, small = page.call("Probe.echo", [text]), page.call("Probe.add", 1, 2)
        assert list(await asyncio.gather(large, small)) == [[text], 3]


@pytest.mark.parametrize("ack", ["true", "undefined", "null"])
async def test_fault_2_any_acknowledgement_will_do(ack: str) -> None:
    async with serving() as server, node_clients() as node, asyncio.timeout(WAIT_S):
        page = await node.connect(uri_of(server), expose=EVENTS, ack=ack)
        answer = await server.call["AcApp.streamChunk"]("r1", "text")
        assert only(answer) is (True if ack == "true" else None)
        assert await page.called() == ("AcApp.streamChunk", ["r1", "text"])


async def test_one_page_that_rejects_does_not_spoil_the_others() -> None:
    async with serving() as server, node_clients() as node:
        await node.connect(uri_of(server), expose=EVENTS)
        await node.connect(uri_of(server), expose=EVENTS, ack="reject-object")
        answers = await server.call["AcApp.streamChunk"]("r1", "text")
        assert list(answers.values()) == [True]
        (error,) = answers.errors.values()
        assert isinstance(error, RemoteError)
        assert (error.remote_code, error.remote_type) == (17, "busy")


@pytest.mark.parametrize("terminate", [False, True])
async def test_a_page_that_leaves_in_the_middle_of_a_call_to_it(terminate: bool) -> None:
    async with serving() as server, node_clients() as node:
        await node.connect(uri_of(server), expose=EVENTS)
        leaving = await node.connect(uri_of(server), expose=EVENTS, ack="never")
        calling = asyncio.create_task(server.call["AcApp.streamChunk"]("r", ""))
        await leaving.called()
        await leaving.close(terminate=terminate)
        async with asyncio.timeout(WAIT_S):
            answers = await calling
            await until(lambda: len(server.remotes) == 1)
        assert list(answers.values()) == [True]
        assert [type(error) for error in answers.errors.values()] == [ConnectionClosed]


async def test_a_class_added_on_either_side_later_is_known_to_the_other() -> None:
    class Late:
        def hello(self) -> str:
            return "late"

    async with serving(Probe()) as server, node_clients() as node:
        page = await node.connect(uri_of(server))
        server.add_class(Late())
        # Upstream's client makes no function of it, yet takes no harm, and a new one has it.
        assert await page.call("Probe.add", 1, 2) == 3
        newer = await node.connect(uri_of(server))
        assert await newer.call("Late.hello") == "late"
        await page.expose("More", ["hello"])
        await until(lambda: "More.hello" in server.call)
        assert only(await server.call["More.hello"]()) is True


async def test_the_token_may_stand_in_the_address() -> None:
    async with serving(Probe(), token="secret") as server, node_clients() as node:
        page = await node.connect(uri_of(server, "/?token=secret"))
        assert await page.call("Probe.add", 1, 2) == 3
        refused = await node.connect(uri_of(server), ready=False)
        assert "403" in str((await refused.event("error"))["message"])
