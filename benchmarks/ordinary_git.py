"""Ordinary git work on 2,000 files, over the Jupyter server's socket, beside git alone.

Each round does the same to the same repository twice: git by the bare commands that a person would
type, and the service. Every change is made as editors and this package make them, by a file that
takes the place of the old one, so that its folder has just changed when the work begins.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figure import reported
from benchmarks.host.clock import Command, call_ms, git_ms
from benchmarks.host.jupyter import JupyterServer, jupyter_server
from benchmarks.host.projects import make_project, name_of
from jupyter_ac.git.temp_files import remove_tree
from tests.support.pages import Page
from tests.support.repositories import RepositoryFolder

ROUNDS: Final = 15
DEEP_ROUNDS: Final = 3
FILES: Final = 2000
MANY: Final = 20
DEPTH: Final = 1200
REST_S: Final = 0.2
IDENTITY: Final = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")

FEW: Final = tuple(name_of(100 + 10 * at) for at in range(3))
SEVERAL: Final = tuple(name_of(200 + at) for at in range(MANY))
FILE: Final = FEW[0]

Prepare = Callable[[RepositoryFolder, int], None]


@dataclass(frozen=True)
class Work:
    """One operation.

    Attributes:
        name: as it is shown.
        method: of the service.
        args: of the method.
        bare: git's commands, one after another.
        prepare: makes the state that the operation begins with, whatever was done before; given
            the round.
        rests: whether the folders come to rest before it begins.
    """

    name: str
    method: str
    args: Sequence[object]
    bare: Sequence[Command]
    prepare: Prepare
    rests: bool = False


def replace(folder: RepositoryFolder, name: str, text: str) -> None:
    """Write a file as editors do."""
    draft = folder.write(f"{name}.draft", text)
    draft.replace(folder.root / name)


def changed(*names: str) -> Prepare:
    """Make files that are changed and not staged."""

    def prepare(folder: RepositoryFolder, number: int) -> None:
        fresh(folder, number)
        for name in names:
            committed = folder.git("show", f"HEAD:{name}")
            replace(folder, name, f"{committed}\n# round {number}, {time.monotonic_ns()}\n")

    return prepare


def staged(*names: str) -> Prepare:
    """Make files that are changed and staged."""

    def prepare(folder: RepositoryFolder, number: int) -> None:
        changed(*names)(folder, number)
        folder.git("add", "--", *names)

    return prepare


def fresh(folder: RepositoryFolder, _number: int) -> None:
    """Make everything as the last commit on `main` has it."""
    folder.git("checkout", "--quiet", "--force", "main")
    folder.git("reset", "--quiet", "--hard")
    folder.git("clean", "--quiet", "-fd")


WORKS: Final = (
    Work(
        "get_unstaged_diff, at rest",
        "Repo.get_unstaged_diff",
        (),
        [("diff",)],
        changed(*FEW),
        rests=True,
    ),
    Work(
        "get_unstaged_diff after writes", "Repo.get_unstaged_diff", (), [("diff",)], changed(*FEW)
    ),
    Work(
        f"get_unstaged_diff after {MANY} writes",
        "Repo.get_unstaged_diff",
        (),
        [("diff",)],
        changed(*SEVERAL),
    ),
    Work("get_staged_diff", "Repo.get_staged_diff", (), [("diff", "--cached")], staged(*FEW)),
    Work("stage_files", "Repo.stage_files", ([FILE],), [("add", "--", FILE)], changed(*FEW)),
    Work("stage_all", "Repo.stage_all", (), [("add", "--all")], changed(*FEW)),
    Work(f"stage_all, {MANY} files", "Repo.stage_all", (), [("add", "--all")], changed(*SEVERAL)),
    Work(
        "unstage_files",
        "Repo.unstage_files",
        ([FILE],),
        [("reset", "--quiet", "--", FILE)],
        staged(*FEW),
    ),
    Work(
        "discard_changes",
        "Repo.discard_changes",
        ([FILE],),
        [("checkout", "--quiet", "HEAD", "--", FILE)],
        changed(*FEW),
    ),
    Work(
        f"discard_changes, {MANY} files",
        "Repo.discard_changes",
        (list(SEVERAL),),
        [("checkout", "--quiet", "HEAD", "--", *SEVERAL)],
        changed(*SEVERAL),
    ),
    Work("rename_file", "Repo.rename_file", (FILE, f"{FILE}x"), [("mv", FILE, f"{FILE}x")], fresh),
    Work(
        "rename_directory",
        "Repo.rename_directory",
        ("garden/bed_010", "garden/moved"),
        [("mv", "garden/bed_010", "garden/moved")],
        fresh,
    ),
    Work("is_clean", "Repo.is_clean", (), [("status", "--porcelain", "-uno")], changed(*FEW)),
    Work("reset_hard", "Repo.reset_hard", (), [("reset", "--quiet", "--hard")], changed(*FEW)),
    Work(
        "checkout_branch",
        "Repo.checkout_branch",
        ("other",),
        [("checkout", "--quiet", "other")],
        fresh,
    ),
    Work(
        "commit",
        "Repo.commit",
        ("a round",),
        [(*IDENTITY, "commit", "--quiet", "--message=a round")],
        staged(*FEW),
    ),
    Work(
        "search_files",
        "Repo.search_files",
        ("What grows in garden/bed_15", False, False),
        [("grep", "--untracked", "-n", "-I", "-z", "-i", "--context=1", "-F", "-e", "bed_15")],
        changed(*FEW),
    ),
)


def deep(folder: RepositoryFolder) -> Sequence[Work]:
    """Make a file in very many folders inside each other; gives the work with it."""
    name = "/".join(["d"] * DEPTH) + "/f"
    place = folder.root
    for part in name.split("/")[:-1]:
        place /= part
        place.mkdir()
    (place / "f").write_text("1\n", encoding="utf-8")
    folder.commit("deep")

    def gone(folder: RepositoryFolder, number: int) -> None:
        fresh(folder, number)
        (folder.root / name).write_text("2\n", encoding="utf-8")

    restored = ("checkout", "--quiet", "HEAD", "--", name)
    return (
        Work(
            f"discard_changes, {DEPTH} folders deep",
            "Repo.discard_changes",
            ([name],),
            [restored],
            gone,
        ),
        Work(
            f"rename_file, out of {DEPTH} folders",
            "Repo.rename_file",
            (name, "f"),
            [("mv", name, "f")],
            fresh,
        ),
    )


async def timed(work: Work, folder: RepositoryFolder, number: int, run: Awaitable[float]) -> float:
    """Prepare, do it, and give the milliseconds."""
    await asyncio.to_thread(work.prepare, folder, number)
    if work.rests:
        await asyncio.sleep(REST_S)
    return await run


async def measure(page: Page, folder: RepositoryFolder, work: Work, rounds: int) -> None:
    """Measure one operation, in alternation with git."""
    ours: list[float] = []
    git: list[float] = []
    for number in range(rounds):
        git.append(await timed(work, folder, number, bare_ms(folder, work)))
        ours.append(await timed(work, folder, number, call_ms(page, work.method, *work.args)))
    await asyncio.to_thread(fresh, folder, 0)
    bare = "git " + ", ".join(next(w for w in c if w[0] not in "-u") for c in work.bare)
    reported(work.name, ours, "ms", (bare, git)).emit()


async def bare_ms(folder: RepositoryFolder, work: Work) -> float:
    """Run git alone."""
    return sum([await git_ms(folder.root, command) for command in work.bare])


async def all_works(server: JupyterServer) -> None:
    """Measure all operations."""
    folder = make_project(server.root / "garden", FILES)
    folder.commit("second")
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    folder.git("branch", "other", "HEAD~1")
    async with server.warm_page("garden") as page:
        for work in WORKS:
            await measure(page, folder, work, ROUNDS)
    folder = make_project(server.root / "shaft", 10)
    folder.commit("second")
    try:
        works = deep(folder)
        async with server.warm_page("shaft") as page:
            for work in works:
                await measure(page, folder, work, DEEP_ROUNDS)
    finally:
        remove_tree(str(folder.root / "d"))  # `TemporaryDirectory` removes by recursion


async def main() -> None:
    """Measure on a server of its own."""
    with ExitStack() as stack:
        root = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-"))) / "root"
        root.mkdir()
        server = stack.enter_context(jupyter_server(root))
        server.use_model("openai/scripted", "http://127.0.0.1:1/v1")  # never asked
        await all_works(server)


if __name__ == "__main__":
    asyncio.run(main())
