"""Commits over the Jupyter server's socket, in a history of 50,000, beside the same `git log`."""

import asyncio
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figure import reported, within
from benchmarks.host.clock import Command, call_ms, git_ms
from benchmarks.host.jupyter import jupyter_server
from benchmarks.host.projects import WORDS
from tests.support.pages import Page
from tests.support.repositories import git_environment, make_repository

ROUNDS: Final = 7
COMMITS: Final = 50_000
MOST_RATIO: Final = 1.3
"""Of the first page of the graph."""

SIDE: Final = 50
"""One commit in so many is made beside the trunk, and merged."""

FIELDS: Final = "--format=%H%x00%h%x00%P%x00%an%x00%aI%x00%ar%x00%at%x00%s"
LOG: Final = ("log", "-z", FIELDS)
GRAPH: Final = (*LOG, "--topo-order", "--max-count=101", "--branches", "HEAD")
SEARCH: Final = (*LOG, "--fixed-strings", "--regexp-ignore-case", "--max-count=200", "--all")

Case = tuple[str, str, tuple[object, ...], tuple[Command, ...]]
CASES: Final[tuple[Case, ...]] = (
    ("first page of the graph", "Repo.get_commit_graph", (100, 0), (GRAPH,)),
    ("page 100 of the graph", "Repo.get_commit_graph", (100, 9900), ((*GRAPH, "--skip=9900"),)),
    (
        "log of a range",
        "Repo.get_commit_log",
        ("HEAD~5000", "HEAD", 100),
        ((*LOG, "--max-count=100", "HEAD~5000..HEAD"),),
    ),
    *(
        (
            f"search, {kind} words",
            "Repo.search_commits",
            (words,),
            ((*SEARCH, f"--grep={words}"), (*SEARCH, f"--author={words}")),
        )
        for kind, words in (("rare", "number 1234 "), ("common", "leaf root"))
    ),
)


def history() -> Iterator[str]:
    """Give what `git fast-import` reads."""
    random = Random(0)
    for number in range(1, COMMITS + 1):
        is_side = number % SIDE == 0
        message = f"{random.choice(WORDS)} {random.choice(WORDS)}, number {number} of them\n"
        who = f"Ada <ada@example.org> {1_600_000_000 + 600 * number} +0100"
        yield f"commit refs/heads/{f'side-{number}' if is_side else 'main'}\nmark :{number}\n"
        yield f"author {who}\ncommitter {who}\ndata {len(message)}\n{message}"
        after_side = number % SIDE == 1
        if number > 1:
            yield f"from :{number - 2 if after_side else number - 1}\n"
        if number > 1 and after_side:
            yield f"merge :{number - 1}\n"
        yield f"M 100644 inline file_{number % 200}.txt\ndata 2\n{number % 10}\n\n"


def make_history(root: Path) -> Path:
    """Make the repository and return its place."""
    folder = make_repository(root)
    subprocess.run(
        ["git", "fast-import", "--quiet"],
        cwd=folder.root,
        env=git_environment(),
        input="".join(history()).encode(),
        check=True,
    )
    return folder.root


async def measure_fresh(page: Page, project: Path) -> None:
    """Measure the first page right after a commit: nothing that was read before is of use."""
    ours: list[float] = []
    git: list[float] = []
    for number in range(ROUNDS):
        add_commit(project, f"fresh {number}")
        git.append(await git_ms(project, GRAPH))
        ours.append(await call_ms(page, "LLMService.get_commit_graph", 100, 0))
    name = f"{COMMITS:,} commits, first page of the graph after a commit"
    within(name, ours, "ms", ("git log", git), MOST_RATIO).emit()


def add_commit(project: Path, message: str) -> None:
    """Add an empty commit to the branch."""
    subprocess.run(
        ["git", "commit", "--quiet", "--allow-empty", f"--message={message}"],
        cwd=project,
        env=git_environment(),
        check=True,
    )


async def main() -> None:
    """Measure all cases in one repository."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-")))
        root = folder / "root"
        project = make_history(root / "old")
        server = stack.enter_context(jupyter_server(root))
        server.use_model("openai/scripted", "http://127.0.0.1:1/v1")  # never asked
        async with server.warm_page("old") as page:
            await measure_fresh(page, project)
            for words, method, arguments, commands in CASES:
                ours: list[float] = []
                git: list[float] = []
                for _ in range(ROUNDS):
                    git.append(await git_ms(project, *commands))
                    ours.append(await call_ms(page, method, *arguments))
                reported(f"{COMMITS:,} commits, {words}", ours, "ms", ("git log", git)).emit()


if __name__ == "__main__":
    asyncio.run(main())
