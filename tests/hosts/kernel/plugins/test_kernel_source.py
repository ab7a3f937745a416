"""Calls of a host on another thread reach the main loop in order, and what is said comes back."""

import asyncio
from collections.abc import Sequence

import pytest

from jupyter_ac.errors import AcError, ConnectionClosed
from jupyter_ac.hosts.kernel.child.host import LoopThread
from jupyter_ac.hosts.kernel.plugins.kernel_plugin import KernelPlugin
from jupyter_ac.hosts.kernel.plugins.kernel_source import KernelLink, KernelSource
from jupyter_ac.panels import Plugin
from jupyter_ac.panels.current_panel import LogLevel
from jupyter_ac.panels.tracebacks import ErrorReport
from jupyter_ac.services.panels.panel_source import PluginLink
from tests.hosts.kernel.plugins.shown import clicks, loop_thread, until
from tests.panels.memory_host import MemoryHost

REQUEST = {"protocolVersion": 3}


class Host(MemoryHost):
    """A `PluginHost` that knows on which thread it is told."""

    def __init__(self, thread: LoopThread) -> None:
        super().__init__()
        self.about: list[object] = []
        self._thread = thread

    def update_tree(self, tree: object) -> None:
        self._take("updateTree", tree)

    def apply_mutations(self, batch: Sequence[object]) -> None:
        self._take("applyMutations", list(batch))

    def log(self, level: LogLevel, args: Sequence[object]) -> None:
        self._take("log", level, list(args))

    def report_error(self, error: ErrorReport) -> None:
        self._take("reportError", error)

    def described(self, title: str, calls: Sequence[str]) -> None:
        self.about.append((title, calls))

    def ended(self, error: ErrorReport) -> None:
        self.about.append(error)

    def _take(self, name: str, *args: object) -> None:
        assert self._thread.is_here
        self.send(name, *args)


def running(plugin: Plugin) -> KernelPlugin:
    made = KernelPlugin(plugin, asyncio.get_running_loop(), lambda report: report)
    made.begin()
    return made


async def on(thread: LoopThread, link: PluginLink, method: str, *args: object) -> object:
    """Call a link where hosts do."""
    return await asyncio.wrap_future(thread.submit(_called(link, method, *args)))


async def _called(link: PluginLink, method: str, *args: object) -> object:
    return await link.call(method, *args)


async def test_a_host_elsewhere_shows_the_plugin_of_the_main_loop() -> None:
    plugin = running(Plugin(clicks, {"start": 2}, calls=["Repo.get_file_tree"]))
    async with loop_thread() as thread:
        source = KernelSource(plugin, thread)
        assert (source.id, source.title, source.origin, source.linger_s) == (
            *("clicks", "Clicks"),
            *("kernel", None),
        )
        host = Host(thread)
        link = await source.start(host)
        assert host.about == [("Clicks", ())]
        await on(thread, link, "initialize", REQUEST)
        assert host.text() == "2 clicksfail"
        handler = host.handler("onClick", "2")
        futures = [thread.submit(_called(link, "executeHandler", handler, [])) for _ in range(5)]
        await asyncio.gather(*map(asyncio.wrap_future, futures))
        await until(lambda: host.text() == "7 clicksfail")
        await on(thread, link, "executeHandler", host.handler("onClick", "fail"), [])
        await until(lambda: host.errors == ["ValueError: no tea"])
        with pytest.raises(AcError, match="has no method nothing"):
            await on(thread, link, "nothing")
        later = Host(thread)
        await asyncio.wrap_future(thread.submit(source.start(later)))
        assert later.errors == ["ValueError: no tea"]
        await plugin.end()


async def test_its_end_comes_before_what_is_called_afterwards() -> None:
    plugin = running(Plugin(clicks))
    async with loop_thread() as thread:
        source = KernelSource(plugin, thread)
        host, again = Host(thread), Host(thread)
        link = await source.start(host)
        await on(thread, link, "initialize", REQUEST)
        await on(thread, link, "executeHandler", host.handler("onClick", "0"), [])
        await link.end()
        await link.end()
        fresh = await source.start(again)
        await on(thread, fresh, "initialize", REQUEST)
        assert again.text() == "0 clicksfail"
        await plugin.end()


async def test_a_kernel_that_is_ending_refuses_calls() -> None:
    loop = asyncio.SelectorEventLoop()
    plugin = running(Plugin(clicks))
    link = KernelLink(plugin.view(MemoryHost().send), loop)
    loop.close()
    with pytest.raises(ConnectionClosed, match="kernel is ending"):
        await link.call("initialize", REQUEST)
    await link.end()
    await plugin.end()
