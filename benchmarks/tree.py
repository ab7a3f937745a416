"""The file tree over the Jupyter server's socket, beside the git commands that it can't do without.

git's four commands run at once and their output is only read; ours is read by the real JavaScript
client. Cold is the first call of a page that doesn't wait for the workspace's start.
"""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figure import at_most, reported, within
from benchmarks.host.clock import git_ms
from benchmarks.host.gauges import Gauge, gauge, idle_loop
from benchmarks.host.js_page import JsPage, js_page
from benchmarks.host.jupyter import jupyter_server
from benchmarks.host.projects import make_project, name_of
from benchmarks.host.stalls import Stalls
from tests.support.repositories import RepositoryFolder

ROUNDS: Final = 5
CALLS: Final = 3
AT_ONCE: Final = 20
COMMANDS: Final = (
    ("ls-files", "-z"),
    ("status", "--porcelain=v2", "-z", "--untracked-files=all"),
    ("diff", "--numstat", "-z"),
    ("diff", "--numstat", "-z", "--cached"),
)
METHOD: Final = "Repo.get_file_tree"
ROWS: Final = "Repo.get_tree_rows"
CONTENT: Final = "Repo.get_file_content"


@dataclass
class Times:
    """Milliseconds of one size of repository, over all rounds."""

    cold: list[float] = field(default_factory=list)
    warm: list[float] = field(default_factory=list)
    changed: list[float] = field(default_factory=list)
    rows: list[float] = field(default_factory=list)
    git: list[float] = field(default_factory=list)
    trees: list[float] = field(default_factory=list)
    contents: list[float] = field(default_factory=list)


async def measure(root: Path, idle: Gauge, files: int) -> None:
    """Measure a repository of one size: each round has a server of its own."""
    project = make_project(root / "garden", files)
    times, starting, stalls = Times(), Stalls(idle), Stalls(idle)
    for _ in range(ROUNDS):
        with jupyter_server(root) as server:
            server.use_model("openai/scripted", "http://127.0.0.1:1/v1")  # never asked
            async with js_page(server.socket("garden")) as page:
                await starting.begin(server)
                times.cold.append(await page.call_ms(METHOD))
                starting.add(await server.quiet())
                await stalls.begin(server)
                await one_round(page, project, times)
                await stalls.end(server)
    show(times, files)
    stalls.print(f"the tree of {files:,} files")
    starting.print(f"the start, with the first tree of {files:,} files")


async def one_round(page: JsPage, project: RepositoryFolder, times: Times) -> None:
    """Ask for the tree, in alternation with git."""
    picked = name_of(0)
    for _ in range(CALLS):
        times.git.append(await git_ms(project.root, *COMMANDS))
        times.warm.append(await page.call_ms(METHOD))
        with (project.root / picked).open("a") as file:
            file.write("# one more line\n")
        times.changed.append(await page.call_ms(METHOD))
        times.rows.append(await page.call_ms(ROWS))
    times.trees.append(await page.at_once_ms(AT_ONCE, METHOD))
    times.contents.append(await page.at_once_ms(AT_ONCE, CONTENT, picked))


def show(times: Times, files: int) -> None:
    """Print the figures of one size."""
    git = ("git alone, 4 commands", times.git)
    words = f"{files:,} files"
    if files < 1000:
        at_most(f"get_file_tree, {words}, warm", times.warm, "ms", 30, git).emit()
    else:
        within(f"get_file_tree, {words}, warm", times.warm, "ms", git, 1.5).emit()
    reported(f"get_file_tree, {words}, status after one change", times.changed, "ms", git).emit()
    reported(f"get_file_tree, {words}, cold", times.cold, "ms", git).emit()
    reported(f"get_tree_rows, {words}, first slice", times.rows, "ms", git).emit()
    reported(f"{AT_ONCE} get_file_tree at once, {words}", times.trees, "ms", git).emit()
    reported(f"{AT_ONCE} get_file_content at once, {words}", times.contents, "ms", git).emit()


def memory(root: Path) -> None:
    """Print what the tree of the repository takes in memory, as rows and spelt."""
    kept: list[float] = []
    spelt: list[float] = []
    for _ in range(ROUNDS):
        with gauge("benchmarks.host.tree_memory", str(root / "garden")) as process:
            kept.append(process.read())
            spelt.append(process.read())
    reported("memory of the tree, 50,000 files", kept, "bytes a file").emit()
    reported("the same once get_file_tree has spelt it", spelt, "bytes a file").emit()


async def main() -> None:
    """Measure three sizes."""
    with idle_loop() as idle:
        for files in (515, 5000, 50_000):
            with TemporaryDirectory(prefix="jupyter-ac-bench-") as folder:
                root = Path(folder) / "root"
                root.mkdir()
                await measure(root, idle, files)
                if files == 50_000:
                    memory(root)


if __name__ == "__main__":
    asyncio.run(main())
