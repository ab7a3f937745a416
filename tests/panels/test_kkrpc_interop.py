"""A peer over kkrpc: npm's kkrpc in Node, and the example in JavaScript."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.errors import RemoteError, TimedOut
from jupyter_ac.panels import PanelRuntime, PanelView, component, html, use_state, view_methods
from jupyter_ac.panels.kkrpc_transport import MAX_FRAME_BYTES, KkrpcTransport, kkrpc_peer
from jupyter_ac.rpc.methods import Method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.transports.lines import LineSplitter, LineTransport, LineWriter
from tests.panels.kkrpc_host import Host
from tests.panels.memory_host import MemoryHost
from tests.panels.shown import until
from tests.rpc.pairs import WAIT_S, running
from tests.support.examples import examples
from tests.support.json_lines import CommandError
from tests.support.kkrpc_peers import KkrpcEnd, kkrpc_end

ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def with_node(
    version: str = "superjson", methods: Mapping[str, Method] | None = None
) -> AsyncIterator[tuple[Peer, KkrpcEnd]]:
    """Give a running peer whose other end is npm's kkrpc."""
    async with kkrpc_end(version) as end:
        peer = kkrpc_peer(KkrpcTransport(end.transport, is_socket=True), methods or {})
        async with running(peer):
            yield peer, end


@pytest.mark.parametrize("version", ["superjson", "json"])
async def test_kkrpc_calls_us(version: str) -> None:
    host = Host()
    async with with_node(version, host.methods()) as (_, end):
        assert await end.call("add", 2, 3) == 5
        assert await end.call("echo", {"żółw": [1.5, None, "🟧", {"a.b": []}]}) == {
            "żółw": [1.5, None, "🟧", {"a.b": []}]
        }
        assert await end.call("updateTree", None) is None
        for name, args, said in [
            ("fails", (), "another one is running"),
            ("absent", (), "there is no method absent"),
            ("__proto__.toString", (), "there is no method __proto__"),
            ("add", ("x", 1), "a must be"),
        ]:
            with pytest.raises(CommandError, match=said):
                await end.call(name, *args)
        with pytest.raises(CommandError, match="a function can't be an argument here"):
            await end.process.command({"cmd": "callback", "method": "echo"})
        await end.process.command({"cmd": "raw", "text": "no message\n"})
        assert await asyncio.gather(*(end.call("add", n, 1) for n in range(200))) == [
            n + 1 for n in range(200)
        ]


@pytest.mark.parametrize("version", ["superjson", "json"])
async def test_we_call_kkrpc(version: str) -> None:
    async with with_node(version) as (peer, end):
        await end.expose("echo")
        assert await peer.call("echo", {"żółw": [1, None]}) == {"żółw": [1, None]}
        assert await peer.call("undefined") is None
        assert await peer.call("deep.nested", "a", "b") == "ab"
        special = await peer.call("special")
        assert isinstance(special, dict)
        expected = {"at": "1970-01-01T00:00:00.000Z", "nan": None, "minus": 0}
        assert {name: special[name] for name in expected} == expected
        assert "gone" not in special
        with pytest.raises(RemoteError, match="thrown on purpose"):
            await peer.call("throws")
        with pytest.raises(RemoteError, match="absent is not a function"):
            await peer.call("absent")
        with pytest.raises(TimedOut):
            await peer.call("never", timeout_s=0.01)
        answers = await asyncio.gather(*(peer.call("echo", n) for n in range(200)))
        assert answers == list(range(200))


async def test_any_json_goes_there_and_back() -> None:
    texts = st.text(st.characters(exclude_categories=["Cs"]))
    # superjson refuses three names of members, and JavaScript sorts those that are numbers.
    names = texts.filter(lambda name: name not in {"__proto__", "constructor", "prototype"})
    values = st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | texts,
        lambda inner: st.lists(inner) | st.dictionaries(names, inner),
        max_leaves=10,
    )
    drawn: list[object] = []

    @settings(max_examples=examples(300), database=None)
    @given(values)
    def draw(value: object) -> None:
        drawn.append([value])

    draw()
    async with with_node() as (peer, end):
        await end.expose("echo")
        assert await asyncio.gather(*(peer.call("echo", value) for value in drawn)) == drawn


async def test_kkrpc_ends_the_connection() -> None:
    async with with_node() as (peer, end):
        await end.expose("echo")
        assert await peer.call("echo", 1) == 1
        await end.process.command({"cmd": "end"})
        await until(lambda: peer.closed)


@component
def counter(step: int = 1) -> object:
    count, set_count = use_state(0)
    return html.button({"on_click": lambda: set_count(count + step)}, f"żółw {count}")


@pytest.mark.parametrize("version", ["superjson", "json"])
async def test_a_panel_of_ours_is_shown_by_a_host_on_kkrpc(version: str) -> None:
    """The communication sequence of the protocol, with a host in Node."""
    async with kkrpc_end(version) as end:
        methods: dict[str, Method] = {}
        peer = kkrpc_peer(KkrpcTransport(end.transport, is_socket=True), methods)
        methods |= view_methods(PanelView(PanelRuntime(counter), peer.notify))
        async with running(peer):
            await end.expose("host")
            await end.call("initialize", {"protocolVersion": 3, "props": {"step": 2}})
            shown = MemoryHost()
            await until(lambda: replay(end, shown) == 1)
            assert shown.text() == "żółw 0"
            await end.call("executeHandler", shown.handler("onClick"), [])
            await until(lambda: replay(end, shown) == 2)
            assert shown.text() == "żółw 2"
            assert shown.names() == ["updateTree", "applyMutations"]
            await end.call("updateProps", {"step": 5})
            await end.call("setEnvironment", {"colorScheme": "dark"})
            await end.call("syncTree")
            await until(lambda: replay(end, shown) == 3)
            with pytest.raises(CommandError, match="speaks version 3"):
                await end.call("initialize", {"protocolVersion": 2})
            await end.call("destroy")
            with pytest.raises(CommandError, match="not initialized"):
                await end.call("syncTree")


def replay(end: KkrpcEnd, host: MemoryHost) -> int:
    """Show what a host in Node was told; returns how much that was."""
    called = [event for event in end.events if event["event"] == "called"]
    for event in called[len(host.sent) :]:
        args = event["args"]
        assert isinstance(args, list)
        host.send(str(event["method"]), *args)
    return len(called)


@asynccontextmanager
async def example(host: Host) -> AsyncIterator[Peer]:
    """Start the example in JavaScript as a host does, on its pipes."""
    script = ROOT / "docs" / "examples" / "panels" / "checklist.mjs"
    process = await asyncio.create_subprocess_exec(
        "node",
        str(script),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    stdin, stdout = process.stdin, process.stdout
    assert stdin is not None
    assert stdout is not None
    transport = LineTransport(LineWriter(stdin))
    splitter = LineSplitter(MAX_FRAME_BYTES)

    async def read() -> None:
        while data := await stdout.read(1 << 16):
            for line in splitter.feed(data):
                assert isinstance(line, bytes)
                room = transport.deliver(line)
                if room is not None:
                    await room

    reading = asyncio.create_task(read())
    peer = kkrpc_peer(KkrpcTransport(transport), host.methods())
    try:
        async with running(peer):
            yield peer
    finally:
        stdin.close()
        async with asyncio.timeout(WAIT_S):
            assert await process.wait() == 0
            await reading


async def test_the_example_in_javascript_is_shown_and_answers_events() -> None:
    host = Host()
    async with example(host) as peer:
        await peer.call("initialize", {"protocolVersion": 3})
        assert "0 of 3 done" in host.memory.text()
        box = host.memory.find(lambda node: node["props"].get("type") == "checkbox")
        await peer.call("executeHandler", box["props"]["_onChangeHandlerId"], [True])
        assert "1 of 3 done" in host.memory.text()
        for _ in range(300):
            peer.notify("syncTree")
        await peer.call("setEnvironment", {"colorScheme": "dark"})
        await until(lambda: len(host.memory.sent) == 302)
        with pytest.raises(RemoteError, match="speaks version 3 of the protocol, not 2"):
            await peer.call("initialize", {"protocolVersion": 2})
        assert host.memory.names() == ["updateTree"] * 302
