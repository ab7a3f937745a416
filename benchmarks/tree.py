"""The file tree over the Jupyter server's socket, beside the git commands that it can't do without.

Cold is a fresh workspace's first call. git's four commands run at once, as ours do.
"""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figure import Figure, Rival, at_most, reported
from benchmarks.host.clock import call_ms, git_ms
from benchmarks.host.gauges import Gauge, idle_loop
from benchmarks.host.jupyter import JupyterServer, jupyter_server
from benchmarks.host.projects import make_project
from benchmarks.host.stalls import Stalls

ROUNDS: Final = 5
WARM_CALLS: Final = 5
COMMANDS: Final = (
    ("ls-files", "-z"),
    ("status", "--porcelain=v2", "-z", "--untracked-files=all"),
    ("diff", "--numstat", "-z"),
    ("diff", "--numstat", "-z", "--cached"),
)
METHOD: Final = "Repo.get_file_tree"

Bar = Callable[[list[float], Rival], Figure]


async def measure(server: JupyterServer, idle: Gauge, files: int, bar: Bar) -> None:
    """Measure repositories of one size, a fresh one each round."""
    cold: list[float] = []
    warm: list[float] = []
    raw: list[float] = []
    stalls = Stalls(idle)
    for number in range(ROUNDS):
        name = f"garden-{files}-{number}"
        root = make_project(server.root / name, files, number).root
        async with server.warm_page(name) as page:
            cold.append(await call_ms(page, METHOD))
            await stalls.begin(server)
            for _ in range(WARM_CALLS):
                raw.append(await git_ms(root, *COMMANDS))
                warm.append(await call_ms(page, METHOD))
            await stalls.end(server)
    git = ("git alone, 4 commands", raw)
    bar(warm, git).emit()
    reported(f"get_file_tree, {files:,} files, cold", cold, "ms", git).emit()
    stalls.print(f"get_file_tree, {files:,} files")


async def main() -> None:
    """Measure both sizes."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-")))
        root = folder / "root"
        root.mkdir()
        server = stack.enter_context(jupyter_server(root))
        idle = stack.enter_context(idle_loop())
        server.use_model("openai/scripted", "http://127.0.0.1:1/v1")  # never asked
        name = "get_file_tree, {} files, warm"
        few = name.format(515)
        await measure(server, idle, 515, lambda warm, git: at_most(few, warm, "ms", 30, git))
        many = name.format("5,000")
        await measure(server, idle, 5000, lambda warm, git: reported(many, warm, "ms", git))


if __name__ == "__main__":
    asyncio.run(main())
