"""Plugins that have connected by themselves; the servers' doors have tests of their own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from jupyter_ac.errors import Busy, InvalidParams
from jupyter_ac.hosts.panels import connected_panels
from jupyter_ac.hosts.panels.connected_panels import AskedPanel, ConnectedPanels
from jupyter_ac.panels.initialize_request import InitializeRequest
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.direct import DirectTransport
from jupyter_ac.rpc.methods import Access, Method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.services.panels import panel_directory
from jupyter_ac.services.panels.panel_directory import PanelDirectory
from jupyter_ac.services.panels.panel_rows import PanelRow
from tests.hosts.panels.plugin_programs import rights
from tests.panels.shown import until
from tests.services.panels.fake_pages import FakePage

START: InitializeRequest = {"protocolVersion": 3}


class CountingTransport(DirectTransport):
    queued_bytes = 0


class World:
    """The connected plugins of a person, and one page."""

    def __init__(self) -> None:
        self.directory = PanelDirectory(self.discover)
        self.connected = ConnectedPanels(self.directory)
        self.page = FakePage()
        self.directory.watch(self.page)

    async def discover(self) -> list[connected_panels.ConnectedSource]:
        return self.connected.sources

    async def row(self) -> PanelRow:
        return (await self.directory.rows())[0]

    @asynccontextmanager
    async def plugin(self, name: str = "p", **answers: object) -> AsyncIterator[Peer]:
        """Connect a plugin; each method gives an answer, None: it never comes."""
        ours, theirs = CountingTransport(), DirectTransport()
        ours.join(theirs)
        theirs.join(ours)

        def method(answer: object) -> Method:
            async def give(*_args: object) -> object:
                if answer is None:
                    await asyncio.Event().wait()
                return answer

            return Method.of("m", give, Access.READ)

        methods = {each: method(answer) for each, answer in answers.items()}
        peer = Peer(theirs, methods, profile=JSONRPC2)
        serving = asyncio.create_task(
            self.connected.serve(ours, AskedPanel(name, "Title"), rights())
        )
        running = asyncio.create_task(peer.run())
        await until(lambda: bool(self.connected.sources) or serving.done())
        try:
            yield peer
        finally:
            await peer.close()
            await asyncio.gather(running, serving)


async def test_a_plugin_that_describes_itself_is_listed_so() -> None:
    world = World()
    async with world.plugin(initialize="ok", destroy="ok") as peer:
        assert (await world.row())["title"] == "Title"
        await peer.call("describe", {"title": "Better", "calls": ["Repo.x"]})
        await (await world.directory.get("connected/p")).initialize(world.page, START)
        row = await world.row()
        assert (row["title"], row["calls"], row["state"]) == ("Better", [], "running")
    assert (await world.row())["state"] == "failed"
    world.directory.leave(world.page)
    assert await world.directory.rows() == []


async def test_one_that_does_not_answer_is_disconnected_by_a_restart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connected_panels, "GOODBYE_S", 0.01)
    world = World()
    async with world.plugin(initialize="ok", destroy=None) as peer:
        panel = await world.directory.get("connected/p")
        await panel.initialize(world.page, START)
        await panel.restart()
        await until(lambda: peer.closed)


async def test_one_without_destroy_is_initialized_again() -> None:
    world = World()
    async with world.plugin(initialize="ok") as peer:
        panel = await world.directory.get("connected/p")
        await panel.initialize(world.page, START)
        await panel.restart()
        assert not peer.closed
        assert panel.row["state"] == "running"


async def test_too_many_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panel_directory, "MAX_PANELS", 1)
    world = World()
    async with world.plugin("one"):
        with pytest.raises(Busy):
            async with world.plugin("two"):
                pass


@pytest.mark.parametrize(
    ("name", "title", "protocol"),
    [("", "", "json-rpc"), ("a/b", "", "json-rpc"), ("a\n", "", "json-rpc"), ("a", "", "x")],
)
def test_what_it_may_say_of_itself(name: str, title: str, protocol: str) -> None:
    with pytest.raises(InvalidParams):
        AskedPanel(name, title, protocol)
    with pytest.raises(InvalidParams):
        AskedPanel("a", "t" * 101)
    assert AskedPanel("a b.C_1-").protocol == "json-rpc"
