"""A plugin of this process, for a host at the other end."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.hosts.panels.hosted_plugin import HostedPlugin
from jupyter_ac.panels import Plugin, component, html, use_effect, use_services, use_state
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.methods import Access, Handler, MethodTable, NamedMethods, method
from jupyter_ac.rpc.peer import Peer
from tests.panels.conftest import no_pace
from tests.panels.memory_host import MemoryHost
from tests.panels.shown import until

__all__ = ["no_pace"]

START = {"protocolVersion": 3, "extensions": ["moveBefore", "describe"]}


class OwnPipe:
    """The host's end of a plugin's own pipe.

    Attributes:
        host: what it shows.
        described: what the plugin has said of itself.
    """

    def __init__(self) -> None:
        self.host = MemoryHost()
        self.described: list[object] = []

    def table(self) -> MethodTable:
        names: dict[str, Handler] = {
            "describe": self.describe,
            "updateTree": self.update_tree,
            "applyMutations": self.apply_mutations,
            "log": self.log,
            "reportError": self.report_error,
            "Repo.count": self.count,
        }
        return MethodTable(NamedMethods(names, str))

    @method(Access.READ)
    def describe(self, description: dict[str, object]) -> None:
        self.described.append(description)

    @method(Access.READ)
    def update_tree(self, tree: dict[str, object] | None) -> None:
        self.host.send("updateTree", tree)

    @method(Access.READ)
    def apply_mutations(self, batch: list[dict[str, object]]) -> None:
        self.host.send("applyMutations", batch)

    @method(Access.READ)
    def log(self, level: str, args: list[object]) -> None:
        self.host.send("log", level, args)

    @method(Access.READ)
    def report_error(self, error: dict[str, str]) -> None:
        self.host.send("reportError", error)

    @method(Access.READ)
    def count(self) -> int:
        return 42


@component
def counter(start: int = 0, word: str = "clicks") -> object:
    count, set_count = use_state(start)
    return html.button({"on_click": lambda: set_count(count + 1)}, f"{count} {word}")


@component
def broken() -> object:
    raise ValueError("broken")


@asynccontextmanager
async def hosted(plugin: Plugin | None) -> AsyncIterator[tuple[Peer, OwnPipe, HostedPlugin]]:
    ours, theirs = direct_pair()
    pipe = OwnPipe()
    peer = Peer(ours, pipe.table(), profile=JSONRPC2)
    made = HostedPlugin(theirs, plugin, {"name": "x"})
    tasks = [asyncio.create_task(peer.run()), asyncio.create_task(made.run())]
    try:
        yield peer, pipe, made
    finally:
        await peer.close()
        await asyncio.gather(*tasks)


async def test_it_is_described_once_and_shown() -> None:
    async with hosted(Plugin(counter)) as (peer, pipe, _made):
        await peer.call("initialize", {**START, "props": {"start": 2}})
        assert pipe.described == [{"name": "x"}]
        await peer.call("executeHandler", pipe.host.handler("onClick"), [])
        await until(lambda: pipe.host.text() == "3 clicks")
        await peer.call("updateProps", {"word": "times"})
        await until(lambda: pipe.host.text() == "3 times")
        await peer.call("setEnvironment", {"colorScheme": "dark"})
        await peer.call("syncTree")
        await peer.call("destroy")
        with pytest.raises(RemoteError):
            await peer.call("syncTree")
        await peer.call("initialize", START)
        assert pipe.host.text() == "0 clicks"


async def test_another_plugin_takes_its_place_with_what_the_host_gave() -> None:
    async with hosted(Plugin(counter)) as (peer, pipe, made):
        await peer.call("initialize", START)
        await peer.call("updateProps", {"start": 5})
        before = pipe.host.handler_ids()

        @component
        def other(start: int = 0) -> object:
            return html.p(f"started at {start}")

        await made.replace(Plugin(other))
        await until(lambda: pipe.host.text() == "started at 5")
        assert pipe.host.handler_ids() == set()
        await made.replace(Plugin(counter))
        await until(lambda: pipe.host.text() == "5 clicks")
        assert pipe.host.handler_ids().isdisjoint(before)


async def test_one_that_fails_leaves_the_last_tree() -> None:
    async with hosted(Plugin(counter)) as (peer, pipe, made):
        await peer.call("initialize", START)
        await made.replace(Plugin(broken))
        await until(lambda: pipe.host.errors == ["ValueError: broken"])
        await peer.call("setEnvironment", {})
        assert pipe.host.text() == "0 clicks"
        assert pipe.described == [{"name": "x"}]
        await peer.call("executeHandler", pipe.host.handler("onClick"), [])
        await until(lambda: pipe.host.text() == "1 clicks")
        await peer.call("syncTree")
        assert pipe.host.text() == "1 clicks"
        await made.replace(Plugin(counter, {"start": 7}, title="Seven"))
        await until(lambda: pipe.host.text() == "7 clicks")
        await until(lambda: len(pipe.described) == 2)
        assert pipe.described[1] == {"name": "counter", "title": "Seven", "calls": []}


async def test_without_a_plugin_the_error_is_told_until_there_is_one() -> None:
    async with hosted(None) as (peer, pipe, made):
        made.report_error({"message": "panel.py: SyntaxError"})
        await peer.call("initialize", START)
        await until(lambda: pipe.host.errors == ["panel.py: SyntaxError"])
        with pytest.raises(RemoteError, match="can't be loaded"):
            await peer.call("executeHandler", "a:onClick", [])
        await peer.call("destroy")
        await peer.call("initialize", START)
        await until(lambda: len(pipe.host.errors) == 2)
        await made.replace(Plugin(counter))
        await until(lambda: pipe.host.text() == "0 clicks")


async def test_its_code_calls_the_host_and_ends_with_it() -> None:
    ended: list[str] = []

    @component
    def app() -> object:
        found, set_found = use_state("")
        services = use_services()

        async def ask() -> None:
            set_found(str(await services.call("Repo.count")))

        def effect() -> object:
            return lambda: ended.append("cleaned up")

        use_effect(effect, ())
        use_effect(ask, ())
        return html.p(found)

    async with hosted(Plugin(app)) as (peer, pipe, _made):
        await peer.call("initialize", START)
        await until(lambda: pipe.host.text() == "42")
    assert ended == ["cleaned up"]


async def test_wrong_requests_change_nothing() -> None:
    async with hosted(Plugin(counter)) as (peer, pipe, _made):
        for request in ({}, {"protocolVersion": 2}, {"protocolVersion": 3, "env": 3}):
            with pytest.raises(RemoteError):
                await peer.call("initialize", request)
        assert pipe.host.sent == []
