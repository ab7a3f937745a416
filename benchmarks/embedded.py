"""The embedded demo model's first word, with two small files selected."""

import asyncio
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figure import at_most, missing, reported
from benchmarks.host.jupyter import JupyterServer, jupyter_server
from jupyter_ac.models.embedded import available
from tests.support.pages import Page
from tests.support.repositories import make_repository

ROUNDS: Final = 5
LIMIT_S: Final = 60.0
NAME: Final = "embedded model, first word, two small files"
FILES: Final[dict[str, str | bytes]] = {
    "garden.py": "BEDS = ['moss', 'fern']\n\n\ndef water(bed: str) -> str:\n    return bed + '~'\n",
    "README.md": "# Garden\n\nA few beds, watered in turn.\n",
}


async def first_word(page: Page, name: str) -> float:
    """Ask; give the seconds until a word is there, then stop the answer."""
    sent = time.monotonic()
    await page.call("LLMService.chat_streaming", name, "What does garden.py do?")
    _, _, text = await page.event("streamDelta", LIMIT_S)
    took_s = time.monotonic() - sent
    assert text
    await page.call("LLMService.cancel_streaming", name)
    await page.event("streamComplete", LIMIT_S)
    return took_s


async def one_round(server: JupyterServer) -> tuple[float, float]:
    """Ask a fresh server once it has come to rest; and again in a new conversation."""
    async with server.warm_page("garden") as page:
        chosen = await page.call("LLMService.set_selected_files", list(FILES))
        assert chosen == list(FILES)
        first = await first_word(page, "e-1")
        await page.call("LLMService.new_session")
        await page.call("LLMService.set_selected_files", list(FILES))
        return first, await first_word(page, "e-2")


async def main() -> None:
    """Measure, if the model is installed."""
    if not available():
        missing(NAME, "ms", "not installed: jupyter ac install-demo-model").emit()
        return
    first: list[float] = []
    again: list[float] = []
    for _ in range(ROUNDS):
        with ExitStack() as stack:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-")))
            make_repository(folder / "root" / "garden", FILES)
            server = stack.enter_context(jupyter_server(folder / "root"))
            one, two = await one_round(server)
            first.append(one * 1000)
            again.append(two * 1000)
    at_most(NAME, first, "ms", 5000).emit()
    reported(f"{NAME}, the prompt known", again, "ms").emit()


if __name__ == "__main__":
    asyncio.run(main())
