"""What a turn costs outside the model, in a Jupyter server, from the page's side of the socket.

Each round is a fresh server on a fresh repository: connect, wait until it has come to rest, ask a
first time, then again in the same conversation. The provider and the page note their times on one
clock. Beside each turn the same request goes out by a plain HTTP client.
"""

import asyncio
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figure import at_most, reported
from benchmarks.host.gauges import Gauge, idle_loop
from benchmarks.host.jupyter import JupyterServer, jupyter_server
from benchmarks.host.projects import make_project, name_of
from benchmarks.host.provider import Provider, ended, provider, seconds
from tests.support.pages import Page

ROUNDS: Final = 5
LATER_TURNS: Final = 8
FILES: Final = 500
SELECTED: Final = 10
LIMIT_S: Final = 60.0


@dataclass
class Times:
    """What was measured, in milliseconds, one value a round or a turn."""

    ready: list[float] = field(default_factory=list)
    ready_stall: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    later: list[float] = field(default_factory=list)
    completion: list[float] = field(default_factory=list)
    stall: list[float] = field(default_factory=list)
    bare_leaving: list[float] = field(default_factory=list)
    bare_ending: list[float] = field(default_factory=list)
    idle: list[float] = field(default_factory=list)

    def print(self) -> None:
        """Give the figures."""
        bare = "the same request, bare"
        leaving = (bare, self.bare_leaving)
        idle = ("an idle loop beside it", self.idle)
        at_most("connect to ready, 500 files", self.ready, "ms", 1000).emit()
        at_most("question to request leaving, first", self.first, "ms", 150, leaving).emit()
        at_most("question to request leaving, later", self.later, "ms", 50, leaving).emit()
        reported("question to request leaving, slowest", [max(self.later)], "ms", leaving).emit()
        ending = (bare, self.bare_ending)
        at_most("last byte to completion", self.completion, "ms", 30, ending).emit()
        at_most("longest stall, start", self.ready_stall, "ms", 50).emit()
        at_most("longest stall, turns", self.stall, "ms", 50, idle).emit()


async def ask(page: Page, model: Provider, number: int) -> tuple[float, float]:
    """Ask and wait for the end.

    Returns:
        milliseconds from the question to the request, and from the last byte to the completion.
    """
    sent = time.monotonic()
    asked = await page.call("LLMService.chat_streaming", f"b-{number}", f"What is bed {number}?")
    assert asked == {"status": "started"}, asked
    _, result = await page.event("streamComplete", LIMIT_S)
    completed = time.monotonic()
    assert isinstance(result, dict)
    assert "error" not in result, result
    row = await model.last(ended)
    return (seconds(row, "t_open") - sent) * 1000, (completed - seconds(row, "t_closed")) * 1000


async def one_round(server: JupyterServer, model: Provider, idle: Gauge, times: Times) -> None:
    """Measure one server."""
    await server.pulse()
    connecting = time.monotonic()
    async with server.page("garden") as page:
        await page.ready()
        times.ready.append((time.monotonic() - connecting) * 1000)
        files = [name_of(number) for number in range(SELECTED)]
        assert await page.call("LLMService.set_selected_files", files) == files
        times.ready_stall.append(await server.quiet())
        idle.read()
        leaving, _ = await ask(page, model, 0)
        times.first.append(leaving)
        for number in range(1, LATER_TURNS + 1):
            bare = await model.bare()
            times.bare_leaving.append(bare.leaving_ms)
            times.bare_ending.append(bare.ending_ms)
            leaving, ending = await ask(page, model, number)
            times.later.append(leaving)
            times.completion.append(ending)
        times.stall.append((await server.pulse())["longest_ms"])
        times.idle.append(idle.read())


async def main() -> None:
    """Measure all rounds."""
    times = Times()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-")))
        model = stack.enter_context(provider(folder))
        idle = stack.enter_context(idle_loop())
        for number in range(ROUNDS):
            root = folder / f"round-{number}"
            make_project(root / "garden", FILES, number)
            with jupyter_server(root) as server:
                server.use_model("openai/scripted", model.api_base)
                await one_round(server, model, idle, times)
    times.print()


if __name__ == "__main__":
    asyncio.run(main())
