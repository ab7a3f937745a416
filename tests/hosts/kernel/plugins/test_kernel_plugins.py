"""Which plugins a kernel has: by cells and variables, listed by name, until nobody has them."""

import asyncio
import gc
from collections.abc import Iterator
from typing import cast

import pytest

from jupyter_ac.hosts.kernel.plugins.kernel_plugins import (
    KernelPlugins,
    ShownPlugin,
    plugins_of,
)
from jupyter_ac.panels import Plugin, component, html, use_effect
from tests.hosts.kernel.plugins.fake_shell import FakeShell
from tests.hosts.kernel.plugins.shown import clicks, until
from tests.panels.memory_host import MemoryHost
from tests.rpc.pairs import WAIT_S
from tests.services.panels.fake_pages import FakePage

lives: list[str] = []


@component
def living(name: str = "") -> object:
    def begin() -> object:
        lives.append(f"{name} begun")
        return lambda: lives.append(f"{name} ended")

    use_effect(begin, [])
    return html.p(name)


class FakeDisplay:
    """Notes what it is told."""

    def __init__(self, shown: ShownPlugin) -> None:
        self.shown = shown
        self.told: list[str] = []

    def changed(self) -> None:
        self.told.append("changed")

    def busy(self, *, is_busy: bool) -> None:
        self.told.append("busy" if is_busy else "free")

    def cell_ended(self) -> None:
        self.told.append("cell ended")

    def close(self) -> None:
        self.told.append("closed")


def listed(rows: object) -> list[str]:
    return [str(row["id"]) for row in cast("list[dict[str, object]]", rows)]


@pytest.fixture
def shell() -> FakeShell:
    return FakeShell()


@pytest.fixture
def plugins(shell: FakeShell) -> Iterator[KernelPlugins]:
    lives.clear()
    found = plugins_of(shell.real)
    yield found
    found.thread.stop()
    found.thread.join(WAIT_S)


def show(plugins: KernelPlugins, plugin: Plugin) -> FakeDisplay:
    display = plugins.show(plugin, FakeDisplay).display
    assert isinstance(display, FakeDisplay)
    return display


async def ids(plugins: KernelPlugins) -> list[str]:
    return listed(await asyncio.wrap_future(plugins.thread.submit(plugins.directory.rows())))


async def test_a_kernel_has_its_plugins_once(shell: FakeShell, plugins: KernelPlugins) -> None:
    assert plugins_of(shell.real) is plugins
    shell.begin("one")
    plugin = Plugin(clicks)
    display = show(plugins, plugin)
    assert show(plugins, plugin) is display
    assert await ids(plugins) == ["clicks"]
    row = (await asyncio.wrap_future(plugins.thread.submit(plugins.directory.rows())))[0]
    assert (row["origin"], row["title"]) == ("kernel", "Clicks")


async def test_a_plugin_without_a_variable_lives_until_its_cell_runs_again(
    shell: FakeShell, plugins: KernelPlugins
) -> None:
    shell.begin("one")
    display = show(plugins, Plugin(living, {"name": "a"}))
    shell.end()
    shell.begin("two")
    shell.end()
    await until(lambda: lives == ["a begun"])
    assert await ids(plugins) == ["living"]
    shell.begin("one")
    gc.collect()
    await until(lambda: "closed" in display.told)
    await until(lambda: lives == ["a begun", "a ended"])
    assert await ids(plugins) == []


async def test_a_plugin_that_a_variable_has_lives_on(
    shell: FakeShell, plugins: KernelPlugins
) -> None:
    shell.begin("one")
    kept = Plugin(living, {"name": "a"})
    display = show(plugins, kept)
    shell.begin("one")
    gc.collect()
    assert await ids(plugins) == ["living"]
    assert "closed" not in display.told
    del kept
    gc.collect()
    await until(lambda: "closed" in display.told)
    await until(lambda: lives[-1] == "a ended")


async def test_where_cells_have_no_ids_plugins_live_as_long_as_the_kernel(
    shell: FakeShell, plugins: KernelPlugins
) -> None:
    shell.begin()
    show(plugins, Plugin(living, {"name": "a"}))
    shell.begin()
    show(plugins, Plugin(living, {"name": "b"}, name="other"))
    gc.collect()
    assert await ids(plugins) == ["living", "other"]
    assert "a ended" not in lives


async def test_the_newest_of_a_name_is_listed_and_pages_of_the_list_go_over_to_it(
    shell: FakeShell, plugins: KernelPlugins
) -> None:
    shell.begin("one")
    first, second = Plugin(clicks, {"start": 1}), Plugin(clicks, {"start": 2})
    old = show(plugins, first)
    page, own = FakePage(), FakePage()

    async def begin() -> None:
        plugins.directory.watch(page)
        await (await plugins.directory.get("clicks")).initialize(page, {"protocolVersion": 3})
        await old.shown.panel.initialize(own, {"protocolVersion": 3})

    assert await ids(plugins) == ["clicks"]
    await asyncio.wrap_future(plugins.thread.submit(begin()))
    assert page.host.text() == own.host.text() == "1 clicksfail"
    new = show(plugins, second)
    await until(lambda: page.host.text() == "2 clicksfail")
    assert listed(page.rows[-1]) == ["clicks"]
    assert own.host.text() == "1 clicksfail"
    show(plugins, first)
    await until(lambda: page.host.text() == "1 clicksfail")
    assert "closed" not in [*old.told, *new.told]


async def test_displays_hear_of_changes_cells_and_a_busy_kernel(
    shell: FakeShell, plugins: KernelPlugins
) -> None:
    shell.begin("one")
    kept = Plugin(clicks)
    display = show(plugins, kept)
    host = MemoryHost()
    view = display.shown.plugin.view(host.send)
    await view.call("initialize", {"protocolVersion": 3})
    await view.call("executeHandler", host.handler("onClick", "0"), [])
    await until(lambda: "changed" in display.told)
    shell.end()
    assert display.told[-1] == "cell ended"
    assert await ids(plugins) == ["clicks"]
    plugins._tell_busy(is_busy=True)
    assert (display.told[-1], plugins.is_busy) == ("busy", True)
    plugins._tell_busy(is_busy=False)
    assert (display.told[-1], plugins.is_busy) == ("free", False)
