"""Links of a widget's views, as the relay opens and closes them."""

import asyncio

import pytest

from jupyter_ac.errors import ConnectionClosed, NotReady
from jupyter_ac.hosts.kernel.child.host import LoopThread
from jupyter_ac.hosts.kernel.child.links import Ends
from jupyter_ac.hosts.kernel.plugins.kernel_plugin import KernelPlugin
from jupyter_ac.hosts.kernel.plugins.kernel_source import KernelSource
from jupyter_ac.hosts.kernel.plugins.plugin_links import PluginLinks
from jupyter_ac.panels import Plugin
from jupyter_ac.services.panels.shared_panel import SharedPanel
from tests.hosts.kernel.plugins.shown import clicks, loop_thread, until
from tests.support.pipe_host import PipeHost


class PageEnd:
    """The page's transport of a link; frames go through the link as the relay would pass them."""

    def __init__(self, links: PluginLinks) -> None:
        self.closed: list[tuple[int, str]] = []
        self._frames: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self.link = links.open(
            "link",
            Ends(
                self._take,
                lambda code, reason: self.closed.append((code, reason)),
            ),
            client="page",
        )

    def _take(self, frame: str) -> None:
        self._loop.call_soon_threadsafe(self._frames.put_nowait, frame)

    async def receive(self) -> str | bytes:
        frame = await self._frames.get()
        if frame is None:
            raise ConnectionClosed
        return frame

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        del newest_key
        self.link.send(frame)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        del code, reason
        self.link.close()
        self._frames.put_nowait(None)


def links_on(thread: LoopThread) -> tuple[KernelPlugin, SharedPanel, PluginLinks]:
    plugin = KernelPlugin(Plugin(clicks), asyncio.get_running_loop(), lambda report: report)
    plugin.begin()
    panel = SharedPanel(KernelSource(plugin, thread), lambda: None)
    return plugin, panel, PluginLinks(plugin, panel, thread, lambda _link: 0)


async def test_views_show_the_panel_and_leave_it() -> None:
    async with loop_thread() as thread:
        plugin, panel, links = links_on(thread)
        end = PageEnd(links)
        async with PipeHost(end).running() as host, PipeHost(PageEnd(links)).running() as other:
            for each in (host, other):
                await each.call("initialize", {"protocolVersion": 3})
            await host.call("executeHandler", host.shown.handler("onClick", "0"), [])
            await until(lambda: host.shown.text() == other.shown.text() == "1 clicksfail")
            assert not panel.is_idle
        await asyncio.wrap_future(thread.submit(panel.aclose()))
        assert end.closed == []
        await plugin.end()


async def test_after_the_thread_there_are_no_links() -> None:
    async with loop_thread() as thread:
        plugin, _panel, links = links_on(thread)
    with pytest.raises(NotReady, match="kernel is ending"):
        PageEnd(links)
    await plugin.end()
