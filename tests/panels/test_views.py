"""The protocol with a host, also over our JSON-RPC peer."""

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from jupyter_ac.errors import (
    ConnectionClosed,
    InvalidParams,
    InvalidState,
    RemoteError,
    TooLarge,
)
from jupyter_ac.panels import (
    PanelRuntime,
    PanelView,
    component,
    html,
    use_environment,
    use_state,
    view_methods,
)
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.methods import Access, Method
from jupyter_ac.rpc.peer import Peer
from tests.panels.memory_host import MemoryHost
from tests.panels.shown import shown, turns
from tests.rpc.pairs import running

if TYPE_CHECKING:
    from collections.abc import Callable


@component
def field(label: str = "name") -> object:
    value, set_value = use_state("")
    scheme = use_environment().color_scheme
    return html.label(
        {"class_name": scheme}, label, html.input({"value": value, "on_change": set_value})
    )


async def test_another_version_is_refused() -> None:
    view = PanelView(PanelRuntime(field), MemoryHost().send)
    with pytest.raises(InvalidParams, match="speaks version 3 of the protocol, the host version 2"):
        await view.initialize({"protocolVersion": 2})


async def test_calls_before_initialize_are_refused() -> None:
    view = PanelView(PanelRuntime(field), MemoryHost().send)
    for call in (
        view.sync_tree,
        lambda: view.update_props({}),
        lambda: view.set_environment({}),
        lambda: view.execute_handler("a", []),
    ):
        with pytest.raises(InvalidState, match="not initialized"):
            call()
    await view.destroy()


async def test_a_second_initialize_resets_the_environment_and_the_state() -> None:
    async with shown(field, env={"colorScheme": "dark"}) as one:
        await one.fire("onChange", "typed")
        await one.view.initialize({"protocolVersion": 3})
        tree = one.host.tree
        assert tree is not None
        assert tree["props"]["className"] == "light"
        assert one.host.find(lambda node: node["type"] == "input")["props"]["value"] == ""


async def test_sync_tree_sends_the_newest_tree() -> None:
    async with shown(field) as one:
        one.view.execute_handler(one.host.handler("onChange"), ["typed"])
        one.view.sync_tree()
        assert one.host.names() == ["updateTree", "applyMutations", "updateTree"]
        assert one.host.find(lambda node: node["type"] == "input")["props"]["value"] == "typed"


@pytest.mark.parametrize("error", [TooLarge("too large"), ConnectionClosed()])
async def test_a_host_that_missed_something_gets_the_whole_tree_next(error: Exception) -> None:
    host = MemoryHost()
    fails = False

    def send(method: str, /, *args: object) -> None:
        if fails:
            raise error
        host.send(method, *args)

    view = PanelView(PanelRuntime(field), send)
    await view.initialize({"protocolVersion": 3})
    fails = True
    view.update_props({"label": "lost"})
    await turns()
    fails = False
    view.update_props({"label": "found"})
    await turns()
    assert host.names() == ["updateTree", "updateTree"]
    assert host.text() == "found"
    await view.destroy()


class WireHost(MemoryHost):
    """A host behind a peer, that writes down the order of calls."""

    def methods(self) -> dict[str, Method]:
        def update_tree(tree: dict[str, object] | None) -> None:
            self.send("updateTree", tree)

        def apply_mutations(mutations: list[dict[str, object]]) -> None:
            self.send("applyMutations", mutations)

        def log(level: str, args: list[object]) -> None:
            self.send("log", level, args)

        def report_error(error: dict[str, object]) -> None:
            self.send("reportError", error)

        handlers: dict[str, Callable[..., object]] = {
            "updateTree": update_tree,
            "applyMutations": apply_mutations,
            "log": log,
            "reportError": report_error,
        }
        return {name: Method.of(name, call, Access.READ) for name, call in handlers.items()}


async def test_seed_002s_sequence_over_our_peer() -> None:
    here, there = direct_pair()
    host = WireHost()
    host_peer = Peer(here, host.methods(), profile=JSONRPC2)
    methods: dict[str, Method] = {}
    plugin_peer = Peer(there, methods, profile=JSONRPC2)
    view = PanelView(PanelRuntime(field), plugin_peer.notify)
    methods.update(view_methods(view))
    async with running(host_peer, plugin_peer), asyncio.timeout(90):
        start = {"protocolVersion": 3, "props": {"label": "Who"}, "env": {"colorScheme": "dark"}}
        assert await host_peer.call("initialize", start) is None
        assert host.text() == "Who"
        await host_peer.call("executeHandler", host.handler("onChange"), ["typed"])
        await host_peer.call("setEnvironment", {"colorScheme": "light"})
        await host_peer.call("syncTree")
        assert host.find(lambda node: node["type"] == "input")["props"]["value"] == "typed"
        assert host.tree is not None
        assert host.tree["props"]["className"] == "light"
        await host_peer.call("executeHandler", "nobody:onClick", [])
        with pytest.raises(RemoteError) as refused:
            await host_peer.call("initialize", {"protocolVersion": 1})
        assert "version 3" in str(refused.value.data)
        with pytest.raises(RemoteError):
            await host_peer.call("executeHandler", 5, [])
        await host_peer.call("updateProps", {"label": "You"})
        await host_peer.call("syncTree")
        assert host.text() == "You"
        assert await host_peer.call("destroy") is None
        with pytest.raises(RemoteError) as ended:
            await host_peer.call("syncTree")
        assert "not initialized" in f"{ended.value} {ended.value.data}"
    assert host.names()[0] == "updateTree"
    assert host.logs == [("warn", ["There is no handler nobody:onClick; its node has gone."])]


def test_names_on_a_shared_link_have_a_prefix() -> None:
    view = PanelView(PanelRuntime(field), MemoryHost().send)
    names = set(view_methods(view, "panel.7."))
    assert "panel.7.executeHandler" in names
    assert len(names) == 6
    assert all(name.startswith("panel.7.") for name in names)


async def test_all_that_is_sent_is_json() -> None:
    async with shown(field) as one:
        await one.fire("onChange", "é\ud800")
        assert json.loads(json.dumps(one.host.tree)) == one.host.tree
