"""How soon Stop reaches the provider: from the page's call until its socket closes there."""

import asyncio
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figure import at_most
from benchmarks.host.jupyter import JupyterServer, jupyter_server
from benchmarks.host.projects import make_project
from benchmarks.host.provider import Provider, Row, ended, provider, seconds

ROUNDS: Final = 5
FILES: Final = 500
LIMIT_S: Final = 60.0
CASES: Final = {
    "scripted-hang": "Stop to the provider's socket closing, before the first token",
    "scripted-stall": "Stop to the provider's socket closing, after it",
}


def _began(row: Row) -> bool:
    return row["t_closed"] is None


async def stop(server: JupyterServer, model: Provider, case: str) -> list[float]:
    """Ask and stop, in a workspace of its own; milliseconds of each round."""
    server.use_model(f"openai/{case}", model.api_base)
    took: list[float] = []
    async with server.warm_page(case) as page:
        for number in range(ROUNDS):
            name = f"s-{number}"
            before = len(await model.rows())
            asked = await page.call("LLMService.chat_streaming", name, "Never mind.")
            assert asked == {"status": "started"}, asked
            if case == "scripted-stall":
                await page.event("streamDelta", LIMIT_S)
            await model.last(_began, after=before)
            stopped = time.monotonic()
            await page.call("LLMService.cancel_streaming", name)
            _, result = await page.event("streamComplete", LIMIT_S)
            assert isinstance(result, dict)
            assert result["cancelled"] is True, result
            row = await model.last(ended, after=before)
            took.append((seconds(row, "t_closed") - stopped) * 1000)
    return took


async def main() -> None:
    """Measure both cases."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-")))
        root = folder / "root"
        for case in CASES:
            make_project(root / case, FILES)
        model = stack.enter_context(provider(folder))
        server = stack.enter_context(jupyter_server(root))
        for case, words in CASES.items():
            at_most(words, await stop(server, model, case), "ms", 1000).emit()


if __name__ == "__main__":
    asyncio.run(main())
