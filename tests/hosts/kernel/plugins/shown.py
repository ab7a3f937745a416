"""Plugins for the tests, and waiting for what another thread does."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from jupyter_ac.hosts.kernel.child.host import LoopThread
from jupyter_ac.panels import component, html, use_state
from tests.rpc.pairs import WAIT_S


@component
def clicks(start: int = 0) -> object:
    """A button that counts; the second one fails."""
    count, set_count = use_state(start)

    def fail() -> None:
        raise ValueError("no tea")

    return html.div(
        html.button({"on_click": lambda: set_count(count + 1)}, f"{count} clicks"),
        html.button({"on_click": fail}, "fail"),
    )


async def until(condition: Callable[[], bool]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(WAIT_S):
        while not condition():
            await asyncio.sleep(0.001)


@asynccontextmanager
async def loop_thread() -> AsyncIterator[LoopThread]:
    """Give a thread for connections, and end it afterwards."""
    thread = LoopThread()
    try:
        yield thread
    finally:
        thread.stop()
        await asyncio.to_thread(thread.join, WAIT_S)
