"""Searching 5,000 files over the Jupyter server's socket, beside `git grep`."""

import asyncio
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figure import within
from benchmarks.host.clock import call_ms, git_ms
from benchmarks.host.jupyter import jupyter_server
from benchmarks.host.projects import make_project

ROUNDS: Final = 15
FILES: Final = 5000
QUERIES: Final = {"rare": "What grows in garden/bed_250/", "common": "fern_3"}
GREP: Final = ("grep", "--untracked", "-n", "-I", "-z", "-i", "-F", "--context=1", "-e")


async def main() -> None:
    """Measure a query with few matches and one with more than are shown."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-")))
        root = folder / "root"
        project = make_project(root / "garden", FILES).root
        server = stack.enter_context(jupyter_server(root))
        server.use_model("openai/scripted", "http://127.0.0.1:1/v1")  # never asked
        async with server.warm_page("garden") as page:
            for kind, query in QUERIES.items():
                ours: list[float] = []
                git: list[float] = []
                for _ in range(ROUNDS):
                    git.append(await git_ms(project, (*GREP, query)))
                    ours.append(await call_ms(page, "Repo.search_files", query))
                rival = ("git grep", git)
                within(f"search_files, 5,000 files, {kind} word", ours, "ms", rival, 1.3).emit()


if __name__ == "__main__":
    asyncio.run(main())
