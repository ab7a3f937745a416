"""What applying edits adds: from the last byte of an answer with edits to the end of its turn.

In a Jupyter server, from the page's side of the socket; each round is a fresh server on a fresh
repository of 500 files. Answers with one edit and with ten, in as many files, take turns. Beside
them stand the figures that were measured for AC-DC, which can't be installed by pip.
"""

import asyncio
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figure import at_most
from benchmarks.host.gauges import idle_loop
from benchmarks.host.jupyter import JupyterServer, jupyter_server
from benchmarks.host.projects import make_project, name_of
from benchmarks.host.provider import Provider, ended, provider, seconds
from benchmarks.host.stalls import Stalls
from tests.support.pages import Page

ROUNDS: Final = 5
TURNS: Final = 4
FILES: Final = 500
COUNTS: Final = (1, 10)
LIMIT_S: Final = 60.0
BAR_MS: Final = 30
MODEL: Final = "openai/scripted-edits@0.002"
ACDC_MS: Final = ("AC-DC, in reference/", (49.0, 228.0))


def block(path: Path, name: str, number: int) -> str:
    """Make a block that changes one line of a file, and is right at this moment."""
    lines = path.read_text(encoding="utf-8").splitlines()
    old = lines[0]
    new = f'"""What grows in {name}, seen {number} times."""'
    return f"{name}\n🟧🟧🟧 EDIT\n{old}\n🟨🟨🟨 REPL\n{new}\n🟩🟩🟩 END\n"


async def turn(page: Page, model: Provider, root: Path, number: int, count: int) -> float:
    """Ask for edits of so many files; gives the time from the last byte in milliseconds."""
    names = [name_of(20 + at) for at in range(count)]
    answer = "\n".join(block(root / name, name, number) for name in names)
    before = len(await model.rows())
    question = f"Edit them, please.\n=====\n{answer}"
    await page.call("LLMService.chat_streaming", f"e-{number}", question)
    _, result = await page.event("streamComplete", LIMIT_S)
    completed = time.monotonic()
    assert isinstance(result, dict)
    assert result["passed"] == count, result["edit_results"]
    row = await model.last(ended, after=before)
    return (completed - seconds(row, "t_closed")) * 1000


async def one_round(
    server: JupyterServer,
    model: Provider,
    root: Path,
    times: dict[int, list[float]],
    stalls: Stalls,
) -> None:
    """Measure one server."""
    async with server.page("garden") as page:
        await page.ready()
        files = [name_of(20 + at) for at in range(max(COUNTS))]
        await page.call("LLMService.set_selected_files", files)
        await server.quiet()
        await turn(page, model, root, 0, 1)
        await stalls.begin(server)
        for number in range(1, TURNS + 1):
            for count in COUNTS:
                taken = await turn(page, model, root, 100 * number + count, count)
                times[count].append(taken)
        await stalls.end(server)


async def main() -> None:
    """Measure all rounds."""
    times: dict[int, list[float]] = {count: [] for count in COUNTS}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-")))
        model = stack.enter_context(provider(folder))
        stalls = Stalls(stack.enter_context(idle_loop()))
        for number in range(ROUNDS):
            root = folder / f"round-{number}"
            make_project(root / "garden", FILES, number)
            with jupyter_server(root) as server:
                server.use_model(MODEL, model.api_base)
                await one_round(server, model, root / "garden", times, stalls)
    for count, taken in times.items():
        name = f"last byte to completion, {count} edit{'s' if count > 1 else ''} applied"
        at_most(name, taken, "ms", BAR_MS, ACDC_MS).emit()
    stalls.print("turns with edits")


if __name__ == "__main__":
    asyncio.run(main())
