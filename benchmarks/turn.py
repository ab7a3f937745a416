"""What a turn costs outside the model, in a Jupyter server, from the page's side of the socket.

Each round is a fresh server on a fresh repository: connect, wait until it has come to rest, ask a
first time, then again in the same conversation. The provider and the page note their times on one
clock. Between two turns the same request goes out by a plain HTTP client.
"""

import asyncio
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figure import at_most, reported
from benchmarks.host.gauges import idle_loop
from benchmarks.host.jupyter import JupyterServer, jupyter_server
from benchmarks.host.projects import make_project, name_of
from benchmarks.host.provider import Bare, Provider, ended, provider, seconds
from benchmarks.host.stalls import Stalls
from tests.support.pages import Page

ROUNDS: Final = 5
LATER_TURNS: Final = 8
FILES: Final = 500
SELECTED: Final = 10
LIMIT_S: Final = 60.0
MODEL: Final = "openai/scripted@0.002"
"""A chunk every 2 ms: at full speed the last byte would leave before litellm has read the first."""


@dataclass
class Times:
    """What was measured, in milliseconds, one value a round or a turn."""

    ready: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    later: list[float] = field(default_factory=list)
    completion: list[float] = field(default_factory=list)
    bare: list[Bare] = field(default_factory=list)

    def print(self) -> None:
        """Give the figures."""
        bare = "the same request, bare"
        leaving = (bare, [each.leaving_ms for each in self.bare])
        ending = (bare, [each.ending_ms for each in self.bare])
        at_most("connect to ready, 500 files", self.ready, "ms", 1000).emit()
        at_most("question to request leaving, first", self.first, "ms", 150, leaving).emit()
        at_most("question to request leaving, later", self.later, "ms", 50, leaving).emit()
        reported("question to request leaving, the slowest", [max(self.later)], "ms").emit()
        at_most("last byte to completion", self.completion, "ms", 30, ending).emit()


async def ask(page: Page, model: Provider, number: int) -> tuple[float, float]:
    """Ask and wait for the end.

    Returns:
        milliseconds from the question to the request, and from the last byte to the completion.
    """
    before = len(await model.rows())
    sent = time.monotonic()
    asked = await page.call("LLMService.chat_streaming", f"b-{number}", f"What is bed {number}?")
    assert asked == {"status": "started"}, asked
    _, result = await page.event("streamComplete", LIMIT_S)
    completed = time.monotonic()
    assert isinstance(result, dict)
    assert "error" not in result, result
    row = await model.last(ended, after=before)
    return (seconds(row, "t_open") - sent) * 1000, (completed - seconds(row, "t_closed")) * 1000


async def take_turns(page: Page, model: Provider, times: Times) -> None:
    """Ask a first time, then again."""
    leaving, _ = await ask(page, model, 0)
    times.first.append(leaving)
    for number in range(1, LATER_TURNS + 1):
        times.bare.append(await model.bare())
        leaving, ending = await ask(page, model, number)
        times.later.append(leaving)
        times.completion.append(ending)


async def one_round(
    server: JupyterServer, model: Provider, times: Times, stalls: tuple[Stalls, Stalls]
) -> None:
    """Measure one server; the stalls are those of the start and those of the turns."""
    starting, asking = stalls
    await starting.begin(server)
    connecting = time.monotonic()
    async with server.page("garden") as page:
        await page.ready()
        times.ready.append((time.monotonic() - connecting) * 1000)
        files = [name_of(number) for number in range(SELECTED)]
        assert await page.call("LLMService.set_selected_files", files) == files
        starting.add(await server.quiet())
        await asking.begin(server)
        await take_turns(page, model, times)
        await asking.end(server)


async def main() -> None:
    """Measure all rounds."""
    times = Times()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-")))
        model = stack.enter_context(provider(folder))
        idle = stack.enter_context(idle_loop())
        starting, asking = Stalls(idle), Stalls(idle)
        for number in range(ROUNDS):
            root = folder / f"round-{number}"
            make_project(root / "garden", FILES, number)
            with jupyter_server(root) as server:
                server.use_model(MODEL, model.api_base)
                await one_round(server, model, times, (starting, asking))
    times.print()
    starting.print("start of a workspace")
    asking.print("turns")


if __name__ == "__main__":
    asyncio.run(main())
