"""The context breakdown with 500 files selected, over the Jupyter server's socket.

Cold is the first call after the selection, on texts that were never counted; warm are the calls
after it. Beside it: a call on the same socket that only returns the selection.
"""

import asyncio
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figure import at_most, reported
from benchmarks.host.clock import call_ms
from benchmarks.host.gauges import idle_loop
from benchmarks.host.jupyter import jupyter_server
from benchmarks.host.projects import make_project, name_of
from benchmarks.host.provider import provider
from benchmarks.host.stalls import Stalls
from tests.support.pages import Page

ROUNDS: Final = 5
WARM_CALLS: Final = 10
FILES: Final = 500
METHOD: Final = "LLMService.get_context_breakdown"
NAME: Final = "get_context_breakdown, 500 files selected"


async def counted(page: Page) -> object:
    """Give how many files the breakdown names."""
    found = await page.call(METHOD)
    assert isinstance(found, dict)
    return found["breakdown"]["file_count"]


async def main() -> None:
    """Measure, each round with a workspace and texts of its own."""
    cold: list[float] = []
    warm: list[float] = []
    plain: list[float] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-")))
        for number in range(ROUNDS):
            make_project(folder / "root" / f"garden-{number}", FILES, number)
        model = stack.enter_context(provider(folder))
        server = stack.enter_context(jupyter_server(folder / "root"))
        stalls = Stalls(stack.enter_context(idle_loop()))
        server.use_model("openai/gpt-4.1", model.api_base)  # has room for all of them
        for number in range(ROUNDS):
            async with server.warm_page(f"garden-{number}") as page:
                files = [name_of(number) for number in range(FILES)]
                assert await page.call("LLMService.set_selected_files", files) == files
                cold.append(await call_ms(page, METHOD))
                await stalls.begin(server)
                for _ in range(WARM_CALLS):
                    plain.append(await call_ms(page, "LLMService.get_selected_files"))
                    warm.append(await call_ms(page, METHOD))
                await stalls.end(server)
                assert await counted(page) == FILES
    beside = ("get_selected_files", plain)
    at_most(f"{NAME}, warm", warm, "ms", 20, beside).emit()
    reported(f"{NAME}, cold", cold, "ms").emit()
    stalls.print("warm breakdowns")


if __name__ == "__main__":
    asyncio.run(main())
