"""One panel and its pages: started with the first, ended after the last."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from jupyter_ac.errors import Busy, InvalidParams, InvalidState, NotReady, TimedOut
from jupyter_ac.panels.initialize_request import InitializeRequest
from jupyter_ac.services.panels import shared_panel
from jupyter_ac.services.panels.plugin_run import RunLimits
from jupyter_ac.services.panels.shared_panel import SharedPanel
from tests.panels.shown import turns, until
from tests.services.panels.fake_pages import FakePage, FakePlugin, FakeSource

START: InitializeRequest = {"protocolVersion": 3, "extensions": ["moveBefore"]}
STARTED = {**START, "extensions": ["describe", "moveBefore"]}


class World:
    """A panel, and how often its row has changed."""

    def __init__(self, source: FakeSource, limits: RunLimits) -> None:
        self.source = source
        self.changes: list[str] = []
        self.panel = SharedPanel(source, self.changed, limits)

    def changed(self) -> None:
        self.changes.append(self.panel.row["state"])


@asynccontextmanager
async def world(linger_s: float | None = None, **limits: float) -> AsyncIterator[World]:
    made = World(FakeSource(linger_s=linger_s), RunLimits(**limits))
    yield made
    await made.panel.aclose()


async def test_the_first_page_starts_the_plugin_and_later_ones_join() -> None:
    async with world() as one:
        first, second = FakePage(), FakePage()
        await one.panel.initialize(first, {**START, "props": {"a": 1}, "env": {"active": True}})
        assert first.host.text() == "ready"
        assert one.changes == ["starting", "running"]
        one.source.plugin.show("later")
        await one.panel.initialize(second, {**START, "env": {"active": False}})
        await turns()
        assert first.host.text() == second.host.text() == "later"
        assert one.source.plugin.calls == [
            ("initialize", ({**STARTED, "props": {"a": 1}, "env": {"active": True}},)),
            ("setEnvironment", ({"active": True},)),
            ("syncTree", ()),
        ]


async def test_a_plugin_is_active_as_long_as_a_page_sees_it() -> None:
    async with world() as one:
        first, second = FakePage(), FakePage()
        await one.panel.initialize(first, {**START, "env": {"active": True}})
        await one.panel.initialize(second, {**START, "env": {"active": True}})
        calls = one.source.plugin.calls
        calls.clear()
        await one.panel.call(first, "setEnvironment", {"active": False, "colorScheme": "dark"})
        assert calls == [("setEnvironment", ({"active": True, "colorScheme": "dark"},))]
        one.panel.leave(second)
        await turns()
        assert calls[1:] == [("setEnvironment", ({"active": False},))]
        await one.panel.call(first, "setEnvironment", {"active": True})
        assert calls[2:] == [("setEnvironment", ({"active": True},))]


async def test_moves_are_asked_for_when_all_pages_know_them() -> None:
    async with world() as one:
        await one.panel.initialize(FakePage(), {"protocolVersion": 3})
        asked = {**STARTED, "env": {}, "extensions": ["describe"]}
        assert one.source.plugin.calls == [("initialize", (asked,))]


async def test_calls_are_those_of_a_page_that_shows_it() -> None:
    async with world() as one:
        page = FakePage()
        with pytest.raises(InvalidState, match="not initialized"):
            await one.panel.call(page, "executeHandler", "a:onClick", [])
        await one.panel.initialize(page, START)
        await one.panel.call(page, "executeHandler", "a:onClick", [1])
        assert one.source.plugin.calls[-1] == ("executeHandler", ("a:onClick", [1]))
        one.source.plugin.failure = TimedOut("no answer")
        with pytest.raises(TimedOut):
            await one.panel.call(page, "syncTree")


async def test_a_plugin_that_dies_is_told_and_not_started_again_by_itself() -> None:
    async with world() as one:
        page = FakePage()
        await one.panel.initialize(page, START)
        first = one.source.plugin
        first.die()
        await turns()
        assert (page.host.errors, page.host.stacks) == (["it has ended"], ["the last line"])
        row = one.panel.row
        assert row["error"] == {"message": "it has ended", "stack": "the last line"}
        assert first.has_ended
        with pytest.raises(NotReady, match="restart it"):
            await one.panel.call(page, "executeHandler", "a", [])
        later = FakePage()
        await one.panel.initialize(later, START)
        assert later.host.errors == ["it has ended"]
        assert len(one.source.plugins) == 1
        await one.panel.restart()
        assert later.host.text() == page.host.text() == "ready"
        assert one.panel.row["error"] is None
        assert one.changes[-1] == "running"


async def test_a_restart_keeps_props_and_environment_and_drops_late_messages() -> None:
    async with world() as one:
        page = FakePage()
        await one.panel.initialize(page, {**START, "props": {"a": 1}})
        await one.panel.call(page, "updateProps", {"a": 2})
        await one.panel.call(page, "setEnvironment", {"colorScheme": "dark"})
        before = one.source.plugin
        await one.panel.restart()
        request = one.source.plugin.calls[0][1][0]
        assert request == {**STARTED, "props": {"a": 2}, "env": {"colorScheme": "dark"}}
        before.show("late")
        before.die()
        await turns()
        assert page.host.text() == "ready"
        assert page.host.errors == []


@pytest.mark.parametrize("error", [NotReady("no such program"), TimedOut("no answer")])
async def test_a_start_that_fails_is_told(error: NotReady | TimedOut) -> None:
    async with world() as one:
        page = FakePage()
        one.source.failure = error
        await one.panel.initialize(page, START)
        assert page.host.errors == [error.message]
        assert one.changes == ["starting", "failed"]
        one.source.failure = None
        one.source.prepare = lambda plugin: setattr(plugin, "failure", error)
        await one.panel.restart()
        await turns()
        assert page.host.errors == [error.message] * 2
        assert one.source.plugin.has_ended


async def test_a_start_that_takes_too_long_is_told() -> None:
    async with world(start_s=0.001) as one:
        page = FakePage()
        one.source.prepare = lambda plugin: setattr(plugin, "wait", asyncio.Event().wait)
        await one.panel.initialize(page, START)
        assert page.host.errors == ["The panel has shown nothing for 0.001 s."]
        assert one.panel.row["state"] == "failed"


async def test_a_restart_ends_a_start_that_hangs() -> None:
    async with world() as one:
        page, never = FakePage(), asyncio.Event()
        one.source.prepare = lambda plugin: setattr(plugin, "wait", never.wait)
        starting = asyncio.create_task(one.panel.initialize(page, START))
        await until(lambda: bool(one.source.plugins))
        one.source.prepare = lambda _plugin: None
        restarting = asyncio.create_task(one.panel.restart())
        await until(lambda: one.source.plugins[0].has_ended)
        never.set()  # as the end of the process ends its calls
        await asyncio.gather(starting, restarting)
        assert page.host.text() == "ready"
        assert one.panel.row["state"] == "running"


async def test_the_plugin_ends_after_its_last_page() -> None:
    async with world(linger_s=0.001) as one:
        page = FakePage()
        await one.panel.initialize(page, START)
        one.panel.leave(page)
        one.panel.leave(page)
        await until(lambda: one.panel.is_idle)
        assert one.source.plugin.has_ended
        assert one.changes[-1] == "stopped"
        await one.panel.initialize(page, START)
        assert len(one.source.plugins) == 2


async def test_a_page_that_comes_in_time_keeps_the_plugin() -> None:
    async with world(linger_s=3_600.0) as one:
        page = FakePage()
        await one.panel.initialize(page, START)
        one.panel.leave(page)
        await one.panel.initialize(page, START)
        assert len(one.source.plugins) == 1
        assert one.panel._linger is None


async def test_a_panel_without_a_time_limit_goes_on_unseen() -> None:
    async with world(linger_s=None) as one:
        page = FakePage()
        await one.panel.initialize(page, START)
        one.panel.leave(page)
        await turns()
        assert one.changes == ["starting", "running"]
        await one.panel.restart()
        assert one.source.plugin.has_ended
        assert one.panel.row["state"] == "stopped"


async def test_requests_that_are_wrong_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_panel, "MAX_VIEWS", 1)
    async with world() as one:
        with pytest.raises(InvalidParams):
            await one.panel.initialize(FakePage(), {"protocolVersion": 2})
        assert one.panel.is_idle
        await one.panel.initialize(FakePage(), START)
        with pytest.raises(Busy, match="1 pages"):
            await one.panel.initialize(FakePage(), START)


async def test_a_description_is_listed() -> None:
    async with world() as one:
        await one.panel.initialize(FakePage(), START)
        one.source.plugin.host.described("A title", ["Repo.b", "Repo.a"])
        assert one.panel.row["title"] == "A title"
        assert one.panel.row["calls"] == ["Repo.a", "Repo.b"]
        one.source.plugin.host.described("", [])
        assert one.panel.row["title"] == "Fake"


async def test_a_slow_page_that_has_read_gets_the_tree_that_was_asked_for() -> None:
    async with world() as one:
        page = FakePage()
        await one.panel.initialize(page, START)
        page.unread = 1 << 20
        one.source.plugin.show("missed")
        await turns()
        page.unread = 0
        await until(lambda: page.host.text() == "missed")
        assert one.source.plugin.names() == ["initialize", "syncTree"]


async def test_a_plugin_that_does_not_give_its_tree_is_said() -> None:
    async with world() as one:
        page = FakePage()
        await one.panel.initialize(page, START)
        page.unread = 1 << 20
        one.source.plugin.show("missed")
        await turns()
        one.source.plugin.failure = TimedOut("syncTree was not answered")
        page.unread = 0
        await until(lambda: page.host.errors == ["syncTree was not answered"])


async def test_a_start_goes_on_when_the_page_leaves_that_asked_for_it() -> None:
    async with world() as one:
        going_on = asyncio.Event()

        def prepare(plugin: FakePlugin) -> None:
            plugin.wait = going_on.wait

        one.source.prepare = prepare
        first, second = FakePage(), FakePage()
        asking = asyncio.create_task(one.panel.initialize(first, START))
        await turns()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        one.panel.leave(first)
        later = asyncio.create_task(one.panel.initialize(second, START))
        await turns()
        going_on.set()
        await later
        assert len(one.source.plugins) == 1
        assert second.host.text() == "ready"
        assert one.changes == ["starting", "running"]


async def test_what_a_page_has_started_meanwhile_is_not_ended_by_a_restart() -> None:
    async with world() as one:
        page = FakePage()
        started = asyncio.Event()
        one.source.prepare = lambda plugin: setattr(plugin, "wait", started.wait)
        restarting = asyncio.create_task(one.panel.restart())
        starting = asyncio.create_task(one.panel.initialize(page, START))
        again = asyncio.create_task(one.panel.restart())
        await until(lambda: bool(one.source.plugins))
        started.set()
        await asyncio.gather(restarting, starting, again)
        assert page.host.text() == "ready"
        assert [plugin.has_ended for plugin in one.source.plugins][-1] is False
        assert one.panel.row["state"] == "running"
