"""Panels shown by a host in memory."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from jupyter_ac.panels import Component, PanelRuntime, PanelView, component, html, use_state
from tests.panels.memory_host import MemoryHost

WAIT_S = 90.0


@dataclass
class Shown:
    """A panel and its host."""

    runtime: PanelRuntime
    view: PanelView
    host: MemoryHost

    async def fire(self, prop: str, *args: object, text: str = "") -> None:
        """Make an event at the first node with this text, and let the panel render."""
        self.view.execute_handler(self.host.handler(prop, text), list(args))
        await self.settle()

    async def settle(self) -> None:
        """Let the loop go round, until nothing more is sent."""
        before = -1
        while before != len(self.host.sent):
            before = len(self.host.sent)
            await turns()

    def handlers(self) -> set[str]:
        """The ids of the functions that the panel keeps."""
        return set(self.runtime._renderer.handlers)


@asynccontextmanager
async def shown(
    app: Component,
    props: Mapping[str, object] | None = None,
    *,
    is_incremental: bool = True,
    moves: bool = False,
    env: dict[str, object] | None = None,
) -> AsyncIterator[Shown]:
    """Show a panel, and end it."""
    host = MemoryHost()
    runtime = PanelRuntime(app, props)
    view = PanelView(runtime, host.send, is_incremental=is_incremental)
    extensions = ["moveBefore"] if moves else []
    await view.initialize({"protocolVersion": 3, "env": env or {}, "extensions": extensions})
    one = Shown(runtime, view, host)
    try:
        await one.settle()
        yield one
    finally:
        await view.destroy()


def counter() -> tuple[Component, list[Callable[..., None]]]:
    """Make a component that shows a number; gives also the setters of its runs."""
    setters: list[Callable[..., None]] = []

    @component
    def app() -> object:
        count, set_count = use_state(0)
        setters.append(set_count)
        return html.p(count)

    return app, setters


async def turns(number: int = 5) -> None:
    """Let the loop go round some times."""
    for _ in range(number):
        await asyncio.sleep(0)


async def until(condition: Callable[[], bool]) -> None:
    """Wait until something holds; for what other threads do."""
    async with asyncio.timeout(WAIT_S):
        while not condition():
            await asyncio.sleep(0.001)
