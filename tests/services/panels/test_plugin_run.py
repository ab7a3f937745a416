"""One life of a plugin."""

import asyncio

import pytest

from jupyter_ac.errors import Busy, NotReady, TimedOut
from jupyter_ac.services.panels import plugin_run
from jupyter_ac.services.panels.page_views import PageViews
from jupyter_ac.services.panels.plugin_run import PluginRun, RunLimits
from tests.panels.shown import turns
from tests.services.panels.fake_pages import FakePage, FakeSource, text, tree

USUAL = RunLimits()


class Owner:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def run_described(self, title: str, calls: object) -> None:
        self.told.append((title, calls))

    def run_ended(self, error: object) -> None:
        self.told.append(error)


class World:
    """A run with one page."""

    def __init__(self, limits: RunLimits = USUAL) -> None:
        self.owner, self.page, self.source = Owner(), FakePage(), FakeSource()
        self.views = PageViews("fake", lambda: None)
        self.views.join(self.page, knows_moves=True)
        self.run = PluginRun(self.views, self.owner, limits)


async def test_what_a_plugin_sends_counts_until_its_end() -> None:
    world = World()
    with pytest.raises(NotReady, match="starting"):
        await world.run.call("syncTree")
    await world.run.begin(world.source, {"protocolVersion": 3})
    plugin = world.source.plugin
    plugin.host.described("Title", ["Repo.x"])
    await turns()
    assert world.page.host.text() == "ready"
    await world.run.end()
    assert plugin.has_ended
    host = plugin.host
    host.update_tree(tree("late"))
    host.apply_mutations(text("late"))
    host.log("info", ["late"])
    host.report_error({"message": "late"})
    host.described("late", [])
    host.ended({"message": "late"})
    await turns()
    assert world.page.host.text() == "ready"
    assert world.owner.told == [("Title", ["Repo.x"])]


async def test_a_plugin_that_does_not_answer_is_said_once() -> None:
    world = World(RunLimits(busy_s=0.001))
    await world.run.begin(world.source, {})
    answered = asyncio.Event()
    world.source.plugin.wait = answered.wait
    for _ in range(3):
        with pytest.raises(TimedOut, match="is busy"):
            await world.run.call("executeHandler")
    assert ["has not answered for" in error for error in world.page.host.errors] == [True]
    answered.set()
    await turns()
    answered.clear()
    with pytest.raises(TimedOut):
        await world.run.call("executeHandler")
    assert len(world.page.host.errors) == 2


async def test_calls_that_wait_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin_run, "MAX_CALLS", 3)
    world = World()
    await world.run.begin(world.source, {})
    answered = asyncio.Event()
    world.source.plugin.wait = answered.wait
    calls = [asyncio.create_task(world.run.call("executeHandler")) for _ in range(3)]
    await turns()
    with pytest.raises(Busy, match="3 calls wait"):
        await world.run.call("executeHandler")
    answered.set()
    await asyncio.gather(*calls)
    await world.run.call("executeHandler")


async def test_a_start_that_takes_too_long_is_given_up() -> None:
    world = World(RunLimits(start_s=0.001))
    world.source.prepare = lambda plugin: setattr(plugin, "wait", asyncio.Event().wait)
    with pytest.raises(TimeoutError):
        await world.run.begin(world.source, {})
