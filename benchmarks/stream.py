"""An answer of 10,000 chunks at full speed: how long the host's loop stalls, how fast it goes by.

Beside it: litellm reading the same answer without us, and the heartbeat of an idle loop.
"""

import asyncio
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figure import reported
from benchmarks.host.gauges import Gauge, gauge, idle_loop
from benchmarks.host.jupyter import DELTAS, KEY, JupyterServer, jupyter_server
from benchmarks.host.projects import make_project
from benchmarks.host.provider import Provider, ended, provider, seconds
from benchmarks.host.stalls import Stalls
from tests.support.pages import EVENTS

ROUNDS: Final = 5
FILES: Final = 500
CHUNKS: Final = 10_000
LIMIT_S: Final = 120.0
MODEL: Final = "openai/scripted-long"
CASES: Final = {"page with deltas": DELTAS, "page with whole texts": EVENTS}


@dataclass(frozen=True)
class Scene:
    """What a round needs.

    Attributes:
        server: under test.
        model: the provider.
        idle: the heartbeat of a loop that does nothing.
        litellm: reads the same answer without us; gives chunks a second.
    """

    server: JupyterServer
    model: Provider
    idle: Gauge
    litellm: Gauge


async def measure(scene: Scene, who: str, events: tuple[str, ...]) -> None:
    """Stream to a page of one kind."""
    ours: list[float] = []
    alone: list[float] = []
    stalls = Stalls(scene.idle)
    async with scene.server.warm_page("garden", events) as page:
        for number in range(ROUNDS):
            alone.append(await asyncio.to_thread(scene.litellm.read))
            await page.call("LLMService.new_session")
            before = len(await scene.model.rows())
            await stalls.begin(scene.server)
            await page.call("LLMService.chat_streaming", f"l-{number}", "Tell me everything.")
            _, result = await page.event("streamComplete", LIMIT_S)
            completed = time.monotonic()
            await stalls.end(scene.server)
            assert isinstance(result, dict)
            assert str(result["response"]).count("word") == CHUNKS, result.get("error")
            row = await scene.model.last(ended, after=before)
            ours.append(CHUNKS / (completed - seconds(row, "t_first_byte")))
    stalls.print(f"10,000 chunks, {who}")
    reported(f"chunks passed on, {who}", ours, "/s", ("litellm alone", alone)).emit()


async def main() -> None:
    """Measure both kinds of pages."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-")))
        make_project(folder / "root" / "garden", FILES)
        model = stack.enter_context(provider(folder))
        server = stack.enter_context(jupyter_server(folder / "root"))
        server.use_model(MODEL, model.api_base)
        idle = stack.enter_context(idle_loop())
        litellm = stack.enter_context(
            gauge("benchmarks.host.litellm_stream", MODEL, model.api_base, KEY)
        )
        for who, events in CASES.items():
            await measure(Scene(server, model, idle, litellm), who, events)


if __name__ == "__main__":
    asyncio.run(main())
