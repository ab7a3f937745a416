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

from benchmarks.figure import at_most, reported
from benchmarks.host.gauges import Gauge, gauge, idle_loop
from benchmarks.host.jupyter import DELTAS, KEY, JupyterServer, jupyter_server
from benchmarks.host.projects import make_project
from benchmarks.host.provider import Provider, ended, provider, seconds
from tests.support.pages import EVENTS

ROUNDS: Final = 5
FILES: Final = 500
CHUNKS: Final = 10_000
LIMIT_S: Final = 120.0
MODEL: Final = "openai/scripted-long"
CASES: Final = {"the product's page": DELTAS, "a page that gets the whole text": EVENTS}

Rounds = dict[str, list[float]]


@dataclass(frozen=True)
class Scene:
    """What a round needs.

    Attributes:
        server: under test.
        model: the provider.
        idle: the heartbeat of a loop that does nothing.
        litellm: reads the same answer without us.
    """

    server: JupyterServer
    model: Provider
    idle: Gauge
    litellm: Gauge


async def stream(scene: Scene, events: tuple[str, ...]) -> Rounds:
    """Stream to a page of one kind; one value a round in each list."""
    rounds: Rounds = {"stall": [], "idle": [], "rate": [], "litellm": []}
    async with scene.server.warm_page("garden", events) as page:
        for _ in range(ROUNDS):
            rounds["litellm"].append(await asyncio.to_thread(scene.litellm.read))
            await page.call("LLMService.new_session")
            before = len(await scene.model.rows())
            await scene.server.pulse()
            scene.idle.read()
            name = f"l-{time.monotonic_ns()}"
            await page.call("LLMService.chat_streaming", name, "Tell me everything.")
            _, result = await page.event("streamComplete", LIMIT_S)
            completed = time.monotonic()
            rounds["stall"].append((await scene.server.pulse())["longest_ms"])
            rounds["idle"].append(scene.idle.read())
            assert isinstance(result, dict)
            assert str(result["response"]).count("word") == CHUNKS, result.get("error")
            row = await scene.model.last(ended, after=before)
            rounds["rate"].append(CHUNKS / (completed - seconds(row, "t_first_byte")))
    return rounds


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
            rounds = await stream(Scene(server, model, idle, litellm), events)
            beside = ("an idle loop beside it", rounds["idle"])
            at_most(
                f"longest stall, 10,000 chunks, {who}", rounds["stall"], "ms", 50, beside
            ).emit()
            alone = ("litellm alone", rounds["litellm"])
            reported(f"chunks a second, {who}", rounds["rate"], "/s", alone).emit()


if __name__ == "__main__":
    asyncio.run(main())
