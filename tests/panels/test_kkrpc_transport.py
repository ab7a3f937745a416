"""A peer over kkrpc, against frames by hand."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import pytest

from jupyter_ac.errors import ConnectionClosed, RemoteError, TimedOut
from jupyter_ac.panels import kkrpc_transport
from jupyter_ac.panels.kkrpc import KkrpcForm
from jupyter_ac.panels.kkrpc_transport import MAX_FRAME_BYTES, KkrpcTransport, kkrpc_peer
from jupyter_ac.rpc.codec import SerialisationError
from jupyter_ac.rpc.direct import DirectTransport, direct_pair
from jupyter_ac.rpc.methods import Access, Method
from jupyter_ac.rpc.peer import Peer
from tests.panels.kkrpc_host import Host
from tests.panels.shown import until
from tests.rpc.pairs import Wire, running

FORMS = list(KkrpcForm)


@asynccontextmanager
async def by_hand(
    methods: Mapping[str, Method] | None = None, form: KkrpcForm | None = None
) -> AsyncIterator[tuple[Peer, Wire, list[str]]]:
    """Give a running peer, its other end by hand, and the text between the messages."""
    ours, theirs = direct_pair()
    texts: list[str] = []
    peer = kkrpc_peer(KkrpcTransport(ours, form, on_text=texts.append), methods or {})
    async with running(peer):
        yield peer, Wire(theirs), texts


class CountingTransport(DirectTransport):
    queued_bytes = 17


def request(name: str, *args: object, form: KkrpcForm = KkrpcForm.JSON) -> dict[str, object]:
    """Write a call as the other side does."""
    if form is KkrpcForm.COMPACT:
        return {"t": "q", "id": "r1", "op": "call", "p": name.split("."), "a": list(args)}
    message: dict[str, object] = {"id": "r1", "method": name, "args": list(args), "type": "request"}
    return {"json": message} if form is KkrpcForm.SUPERJSON else message


def outcome(answer: object) -> dict[str, object]:
    """Read the result or the error of an answer in any form."""
    assert isinstance(answer, dict)
    message = answer.get("json", answer)
    assert message["id"] == "r1"
    if message.get("t") == "r":
        error = message.get("e")
        return {"error": error["m"]} if error else {"result": message["v"]}
    assert (message["type"], message["method"]) == ("response", "")
    found: dict[str, object] = message["args"]
    return found


@pytest.mark.parametrize("form", FORMS)
async def test_calls_of_each_form_are_answered_in_it(form: KkrpcForm) -> None:
    async with by_hand(Host().methods()) as (_, wire, _texts):
        answer = await wire.ask(request("add", 2, 3, form=form))
        assert outcome(answer) == {"result": 5}
        assert isinstance(answer, dict)
        assert ("json" in answer, "t" in answer) == (
            form is KkrpcForm.SUPERJSON,
            form is KkrpcForm.COMPACT,
        )
        failed = outcome(await wire.ask(request("fails", form=form)))
        assert failed == {"error": "another one is running"}
        for name, args, said in [
            ("absent", (), "there is no method absent"),
            ("add", ("x", 1), "a must be"),
            ("add", (1, 2, 3), "takes at most 2 arguments"),
            ("crashes", (), "internal error"),
        ]:
            error = outcome(await wire.ask(request(name, *args, form=form)))["error"]
            assert said in str(error), name


async def test_calls_go_in_both_forms_until_the_other_side_is_heard() -> None:
    async with by_hand() as (peer, wire, _texts):
        call = asyncio.create_task(peer.call("initialize", {"protocolVersion": 3}))
        first, second = await wire.receive(), await wire.receive()
        assert first == {
            "json": {
                "id": "1",
                "method": "initialize",
                "args": [{"protocolVersion": 3}],
                "type": "request",
                "version": "superjson",
            }
        }
        value = {"__kkrpc_next_arg__": "value", "v": {"protocolVersion": 3}}
        assert second == {"t": "q", "id": "1", "op": "call", "p": ["initialize"], "a": [value]}
        wire.send({"t": "r", "id": "1"})
        assert await call is None
        peer.notify("setEnvironment", {})
        third = await wire.receive()
        assert isinstance(third, dict)
        assert third["t"] == "q"
        wire.send({"t": "r", "id": third["id"], "e": {"n": "Error", "m": "unknown"}})
        assert await wire.ask(request("absent", form=KkrpcForm.COMPACT)) is not None


async def test_of_two_ends_that_know_all_forms_each_hears_a_call_once() -> None:
    ours, theirs = direct_pair()
    called: list[object] = []

    def note(value: object) -> None:
        called.append(value)

    methods = {"note": Method.of("note", note, Access.READ)}
    peer = kkrpc_peer(KkrpcTransport(ours), {})
    other = kkrpc_peer(KkrpcTransport(theirs), methods)
    async with running(peer, other):
        peer.notify("note", 1)
        await peer.call("note", 2)
        await peer.call("note", 3)
    assert called == [1, 2, 3]


@pytest.mark.parametrize("form", FORMS)
async def test_a_form_that_is_given_is_spoken_from_the_start(form: KkrpcForm) -> None:
    async with by_hand(form=form) as (peer, wire, _texts):
        call = asyncio.create_task(peer.call("destroy"))
        sent = await wire.receive()
        assert isinstance(sent, dict)
        assert ("json" in sent, "t" in sent) == (
            form is KkrpcForm.SUPERJSON,
            form is KkrpcForm.COMPACT,
        )
        wire.send({"id": "1", "type": "response", "method": "", "args": {}})
        assert await call is None


async def test_a_push_is_answered_at_once_and_its_failure_is_not() -> None:
    host = Host()
    async with by_hand(host.methods()) as (_, wire, _texts):
        assert outcome(await wire.ask(request("updateTree", None))) == {"result": None}
        assert outcome(await wire.ask(request("updateTree"))) == {"result": None}
        assert outcome(await wire.ask(request("reportError", {}))) == {"result": None}
        assert host.memory.names() == ["updateTree"]


async def test_refused_calls_are_answered_without_reaching_a_method() -> None:
    messages: list[dict[str, object]] = [
        {"t": "q", "id": "r1", "op": "get", "p": ["add"]},
        {"t": "q", "id": "r1", "op": "set", "p": ["add"], "v": 1},
        {"t": "q", "id": "r1", "op": "new", "p": ["add"], "a": []},
        request("__proto__.add", 1, 2),
        request("$/cancelRequest", {"id": "r1"}),
        request("echo", "__callback__f"),
        request("echo", {"__kkrpc_next_arg__": "callback", "id": "f"}, form=KkrpcForm.COMPACT),
    ]
    for message in messages:
        async with by_hand(Host().methods()) as (_, wire, _texts):
            assert "error" in outcome(await wire.ask(message)), message


async def test_answers_to_no_call_of_ours_are_ignored() -> None:
    async with by_hand(Host().methods(), KkrpcForm.COMPACT) as (peer, wire, _texts):
        call = asyncio.create_task(peer.call("go"))
        await wire.receive()
        for call_id in ["2", "01x", "-1", "1.0", "9" * 400, "ac-1", "٣", "true"]:
            wire.send({"t": "r", "id": call_id, "v": "wrong"})
        assert outcome(await wire.ask(request("add", 1, 1, form=KkrpcForm.COMPACT))) == {
            "result": 2
        }
        assert not call.done()
        wire.send({"t": "r", "id": "1", "v": "right"})
        assert await call == "right"
        wire.send({"t": "r", "id": "1", "v": "late"})
        assert outcome(await wire.ask(request("add", 1, 1, form=KkrpcForm.COMPACT))) == {
            "result": 2
        }


async def test_errors_of_the_other_side_are_raised() -> None:
    async with by_hand(form=KkrpcForm.COMPACT) as (peer, wire, _texts):
        call = asyncio.create_task(peer.call("go"))
        await wire.receive()
        wire.send({"t": "r", "id": "1", "e": {"n": "TypeError", "m": "no such row", "s": "…"}})
        with pytest.raises(RemoteError, match="no such row") as raised:
            await call
        assert raised.value.remote_type == "TypeError"


async def test_text_between_messages_goes_to_the_callback() -> None:
    async with by_hand(Host().methods()) as (_, wire, texts):
        wire.send("listening on port 1")
        wire.send("[1, 2]")
        wire.send({"t": "cb", "id": "f", "a": []})
        assert outcome(await wire.ask(request("add", 1, 1))) == {"result": 2}
        assert texts == ["listening on port 1", "[1,2]"]


async def test_text_between_messages_is_only_logged_by_default(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ours, theirs = direct_pair()
    caplog.set_level("DEBUG", "jupyter_ac.panels")
    async with running(kkrpc_peer(KkrpcTransport(ours), Host().methods())):
        wire = Wire(theirs)
        wire.send("x" * 1000)
        assert outcome(await wire.ask(request("add", 1, 1))) == {"result": 2}
    assert f"text between messages: {'x' * 200}" in caplog.messages


async def test_a_flood_without_effect_leaves_the_loop_to_others() -> None:
    async with by_hand(Host().methods()) as (_, wire, _texts):
        for _ in range(5_000):
            wire.send({"t": "cb", "id": "f", "a": [1]})
        turned = 0
        wire.send(request("add", 1, 1))
        answer = asyncio.create_task(wire.receive())
        while not answer.done():
            turned += 1
            await asyncio.sleep(0)
        assert outcome(answer.result()) == {"result": 2}
        assert turned >= 5_000


async def test_too_large_a_frame_ends_the_connection() -> None:
    async with by_hand(Host().methods()) as (peer, wire, _texts):
        wire.send("x" * (MAX_FRAME_BYTES + 1))
        await until(lambda: peer.closed)
        assert peer.ended is not None
        assert peer.ended.close_code == 1009


async def test_the_other_side_can_end_it() -> None:
    async with by_hand() as (peer, wire, _texts):
        call = asyncio.create_task(peer.call("go"))
        await wire.receive()
        wire.send("__DESTROY__")
        with pytest.raises(ConnectionClosed):
            await call
        assert peer.closed


async def test_a_silent_other_side_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    assert kkrpc_transport.CALL_TIMEOUT_S == 30
    monkeypatch.setattr(kkrpc_transport, "CALL_TIMEOUT_S", 0.01)
    async with by_hand() as (peer, _wire, _texts):
        with pytest.raises(TimedOut, match=r"was not answered within 0\.01 s"):
            await peer.call("go")


async def test_an_argument_that_kkrpc_takes_for_a_function_is_not_sent() -> None:
    async with by_hand(form=KkrpcForm.JSON) as (peer, wire, _texts):
        with pytest.raises(SerialisationError, match="__callback__"):
            await peer.call("log", "__callback__f")
        with pytest.raises(SerialisationError, match="__callback__"):
            peer.notify("log", "__callback__f")
        peer.notify("log", "info", ["__callback__f"])
        sent = await wire.receive()
        assert isinstance(sent, dict)
        assert sent["args"] == ["info", ["__callback__f"]]


async def test_what_waits_to_be_read_is_counted_where_the_carrier_counts_it() -> None:
    ours, _theirs = direct_pair()
    assert KkrpcTransport(ours).queued_bytes == 0
    carrier = CountingTransport()
    assert KkrpcTransport(carrier).queued_bytes == 17


async def test_frames_are_ascii_and_end_with_a_line_end_on_a_socket() -> None:
    ours, theirs = direct_pair()
    peer = kkrpc_peer(KkrpcTransport(ours, KkrpcForm.JSON, is_socket=True), {})
    async with running(peer):
        peer.notify("log", "info", ["żółw 🟧"])
        frame = await theirs.receive()
        assert isinstance(frame, str)
        assert frame.isascii()
        assert frame.endswith("}\n")
        assert json.loads(frame)["args"] == ["info", ["żółw 🟧"]]
