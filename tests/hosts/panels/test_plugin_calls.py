"""What a plugin may call on its host."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.hosts.panels.plugin_calls import Grants, PluginMethods, PluginTable
from jupyter_ac.panels.tracebacks import ErrorReport
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.methods import Access, Method
from jupyter_ac.rpc.peer import Peer
from tests.rpc.pairs import running


class Ears:
    """A host that notes what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[object, ...]] = []

    def update_tree(self, tree: object) -> None:
        self.told.append(("tree", tree))

    def apply_mutations(self, batch: object) -> None:
        self.told.append(("batch", batch))

    def log(self, level: str, args: object) -> None:
        self.told.append(("log", level, args))

    def report_error(self, error: ErrorReport) -> None:
        self.told.append(("error", error))

    def described(self, title: str, calls: object) -> None:
        self.told.append(("described", title, calls))

    def ended(self, error: ErrorReport) -> None:
        self.told.append(("ended", error))


class World:
    """A plugin's end of its pipe, and the host's ears."""

    def __init__(self) -> None:
        self.ears = Ears()
        self.described: list[tuple[str, frozenset[str]]] = []
        names = ("Repo.read", "Repo.list")
        found = {name: Method.of(name, lambda *_: "granted", Access.READ) for name in names}
        self.methods = PluginMethods(self.describe)
        self.table = PluginTable(self.methods, Grants(found, "only reads are granted."))

    def describe(self, title: str, calls: frozenset[str]) -> None:
        self.described.append((title, calls))
        self.table.grant(calls)


@asynccontextmanager
async def plugin(world: World) -> AsyncIterator[Peer]:
    ours, theirs = direct_pair()
    host, peer = Peer(ours, world.table, profile=JSONRPC2), Peer(theirs, {}, profile=JSONRPC2)
    async with running(host, peer):
        yield peer


async def test_methods_are_granted_after_the_description_and_only_those_that_it_lists() -> None:
    world = World()
    async with plugin(world) as peer:
        with pytest.raises(RemoteError, match="can't be called from this panel") as early:
            await peer.call("Repo.read")
        assert early.value.remote_type == "access_denied"
        wanted = {"name": "x", "title": "X", "calls": ["Repo.read", "Repo.write", "describe"]}
        await peer.call("describe", wanted)
        assert await peer.call("Repo.read") == "granted"
        for name, reason in (
            ("Repo.list", "lists in `calls`"),
            ("Repo.write", "only reads are granted"),
            ("Panels.list", "only reads are granted"),
            ("no.such", "no.such can't be called"),
        ):
            with pytest.raises(RemoteError, match=reason):
                await peer.call(name, 1, 2)
        with pytest.raises(RemoteError, match="can't ask for more"):
            await peer.call("describe", {"title": "Y", "calls": ["Repo.list"]})
        assert world.described == [("X", frozenset(wanted["calls"]))]
        await peer.call("describe", {"title": "Y", "calls": ["Repo.write"]})
        assert world.described[1:] == [("Y", frozenset({"Repo.write"}))]


@pytest.mark.parametrize(
    "description",
    [{"title": 3}, {"calls": "Repo.read"}, {"calls": [1]}, {"calls": ["a"] * 101}],
)
async def test_a_description_that_is_wrong_grants_nothing(description: object) -> None:
    world = World()
    async with plugin(world) as peer:
        with pytest.raises(RemoteError) as caught:
            await peer.call("describe", description)
        assert "describe: " in str(caught.value.data)
        assert world.described == []
        await peer.call("describe", {"title": "t" * 1_000})
        assert world.described == [("t" * 100, frozenset())]


async def test_messages_of_the_protocol_reach_the_host_once_there_is_one() -> None:
    world = World()
    async with plugin(world) as peer:
        await peer.call("updateTree", None)
        world.methods.host = world.ears
        await peer.call("updateTree", {"id": "a"})
        await peer.call("applyMutations", [{"type": "x"}])
        await peer.call("log", "warn", [1])
        await peer.call("log", "loud", [1])
        await peer.call("reportError", {"message": "m" * 9_000, "stack": "s" * 90_000})
        await peer.call("reportError", {"stack": 3})
        assert world.ears.told == [
            ("tree", {"id": "a"}),
            ("batch", [{"type": "x"}]),
            ("log", "warn", [1]),
            ("error", {"message": "m" * 2_000, "stack": "s" * 20_000}),
            ("error", {"message": ""}),
        ]
        for name, args in (
            ("updateTree", [[]]),
            ("updateTree", []),
            ("applyMutations", [{}]),
            ("applyMutations", [[1]]),
            ("log", [1, []]),
            ("reportError", ["x"]),
        ):
            with pytest.raises(RemoteError):
                await peer.call(name, *args)
        assert len(world.ears.told) == 5


def test_the_table_lists_what_it_has() -> None:
    world = World()
    own = ["describe", "updateTree", "applyMutations", "log", "reportError"]
    assert list(world.table) == own
    world.table.grant(frozenset({"Repo.read"}))
    assert list(world.table) == [*own, "Repo.read"]
    assert len(world.table) == 6
