"""Searching 5,000 and 50,000 files over the Jupyter server's socket, beside `git grep` alone.

git runs in the C locale, its fastest, with the same lines around a match, and looks for new files
as well.
"""

import asyncio
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figure import within
from benchmarks.host.clock import call_ms, git_ms
from benchmarks.host.gauges import Gauge, idle_loop
from benchmarks.host.jupyter import JupyterServer, jupyter_server
from benchmarks.host.projects import make_project
from benchmarks.host.stalls import Stalls

SIZES: Final = {5000: 9, 50_000: 5}
"""Files, and how many rounds."""

GREP: Final = ("grep", "--untracked", "-n", "-I", "-z", "-i", "--context=1")
BAR: Final = 1.3

Kind = tuple[str, str, bool]
QUERIES: Final[tuple[Kind, ...]] = (
    ("rare word", "What grows in garden/bed_250/", False),
    ("common word", "fern_3", False),
    ("word on every page", "return", False),
    ("rare expression", "bed_25[0-9]/", True),
    ("common expression", r"f[a-z]+n_3\(", True),
    ("expression about letters", r"f[^x]+n_3\(", True),
)


async def measure(server: JupyterServer, idle: Gauge, files: int, rounds: int) -> None:
    """Measure all kinds of queries in one repository."""
    name = f"garden-{files}"
    project = make_project(server.root / name, files).root
    stalls = Stalls(idle)
    async with server.warm_page(name) as page:
        for kind, query, is_regex in QUERIES:
            syntax = "-E" if is_regex else "-F"
            asked = (query, False, is_regex)
            ours: list[float] = []
            git: list[float] = []
            for _ in range(rounds):
                git.append(await git_ms(project, (*GREP, syntax, "-e", query)))
                await stalls.begin(server)
                ours.append(await call_ms(page, "Repo.search_files", *asked))
                await stalls.end(server)
            words = f"search_files, {files:,} files, {kind}"
            within(words, ours, "ms", ("git grep", git), BAR).emit()
    stalls.print(f"search_files, {files:,} files")


async def main() -> None:
    """Measure both sizes."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-")))
        root = folder / "root"
        root.mkdir()
        server = stack.enter_context(jupyter_server(root))
        idle = stack.enter_context(idle_loop())
        server.use_model("openai/scripted", "http://127.0.0.1:1/v1")  # never asked
        for files, rounds in SIZES.items():
            await measure(server, idle, files, rounds)


if __name__ == "__main__":
    asyncio.run(main())
