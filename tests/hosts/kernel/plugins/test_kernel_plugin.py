"""A plugin that lives with the notebook, with views or without."""

import asyncio

from jupyter_ac.hosts.kernel.plugins.kernel_plugin import KernelPlugin
from jupyter_ac.panels import Plugin, component, html, use_effect, use_state
from jupyter_ac.panels.tracebacks import ErrorReport
from tests.hosts.kernel.plugins.shown import until
from tests.panels.memory_host import MemoryHost

REQUEST = {"protocolVersion": 3}
lives: list[str] = []


@component
def counter(start: int = 0) -> object:
    count, set_count = use_state(start)

    def begin() -> object:
        lives.append("begun")
        return lambda: lives.append("ended")

    use_effect(begin, [])

    def fail() -> None:
        raise ValueError("no tea")

    return html.div(
        html.button({"on_click": lambda: set_count(count + 1)}, f"{count} clicks"),
        html.button({"on_click": fail}, "fail"),
    )


@component
def broken() -> object:
    raise ValueError("no water")


def named(report: ErrorReport) -> ErrorReport:
    return {**report, "message": f"Here: {report['message']}"}


def message(plugin: KernelPlugin) -> str:
    return plugin.error["message"] if plugin.error else ""


def running(plugin: Plugin) -> KernelPlugin:
    made = KernelPlugin(plugin, asyncio.get_running_loop(), named)
    made.begin()
    return made


async def test_it_runs_without_views_and_keeps_its_state_between_them() -> None:
    lives.clear()
    plugin = running(Plugin(counter, {"start": 5}))
    assert "5 clicks" in plugin.picture()
    host = MemoryHost()
    view = plugin.view(host.send)
    await view.call("initialize", REQUEST)
    await view.call("executeHandler", host.handler("onClick", "5"), [])
    await until(lambda: host.text() == "6 clicksfail")
    await view.call("destroy")
    other = MemoryHost()
    await plugin.view(other.send).call("initialize", REQUEST)
    assert other.text() == "6 clicksfail"
    assert lives == ["begun"]
    await plugin.end()
    assert lives == ["begun", "ended"]


async def test_events_in_a_row_each_meet_what_the_one_before_has_changed() -> None:
    plugin = running(Plugin(counter))
    host = MemoryHost()
    view = plugin.view(host.send)
    await view.call("initialize", REQUEST)
    handler = host.handler("onClick", "0")
    for _ in range(3):
        await view.call("executeHandler", handler, [])
    await until(lambda: host.text() == "3 clicksfail")
    await plugin.end()


async def test_its_picture_changes_are_told_and_errors_are_kept_until_the_next_change() -> None:
    plugin = running(Plugin(counter))
    told: list[str] = []
    plugin.listen(lambda: told.append(plugin.picture()))
    host = MemoryHost()
    view = plugin.view(host.send)
    await view.call("initialize", REQUEST)
    await view.call("executeHandler", host.handler("onClick", "fail"), [])
    await until(lambda: bool(host.errors))
    assert host.errors == ["Here: ValueError: no tea"]
    assert message(plugin) == "Here: ValueError: no tea"
    assert "Here: ValueError: no tea" in told[-1]
    await view.call("executeHandler", host.handler("onClick", "0"), [])
    await until(lambda: "1 clicks" in told[-1])
    assert message(plugin) == ""
    assert "no tea" not in told[-1]
    await plugin.end()


async def test_a_view_that_ends_it_ends_it_for_all_and_the_next_begins_anew() -> None:
    lives.clear()
    plugin = running(Plugin(counter))
    host = MemoryHost()
    view = plugin.view(host.send)
    await view.call("initialize", REQUEST)
    await view.call("executeHandler", host.handler("onClick", "0"), [])
    await view.end()
    again = MemoryHost()
    await plugin.view(again.send).call("initialize", REQUEST)
    assert again.text() == "0 clicksfail"
    assert "0 clicks" in plugin.picture()
    assert lives == ["begun", "ended", "begun"]
    await plugin.end()


async def test_a_component_that_never_worked_has_its_error() -> None:
    plugin = running(Plugin(broken))
    assert message(plugin) == "Here: ValueError: no water"
    await plugin.end()
    assert message(plugin) == ""
    host = MemoryHost()
    await plugin.view(host.send).call("initialize", REQUEST)
    assert host.errors == ["Here: ValueError: no water"]
    assert message(plugin) == "Here: ValueError: no water"
    await plugin.end()
