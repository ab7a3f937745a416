"""Whatever is done during a review, and wherever a host dies in its end: nothing is lost."""

import asyncio
import shutil
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jupyter_ac.errors import Conflict, NotFound
from jupyter_ac.git.repository import discover
from jupyter_ac.git.review.end import end
from jupyter_ac.git.review.start import begin_and_show
from tests.support.changing import changer_of
from tests.support.dying_review import DiedError, mortal
from tests.support.examples import examples
from tests.support.repositories import RepositoryFolder, make_repository

PATHS = ("changed", "added", "gone", "same", "mine.txt", "folder/deep", "ignored.log")
ACTIONS = ("write", "delete", "stage", "unstage", "commit", "stash", "switch", "detach")
MOST_ACTIONS = 7
MOST_STEPS = 8

plans = st.lists(st.tuples(st.sampled_from(ACTIONS), st.sampled_from(PATHS)), max_size=MOST_ACTIONS)
deaths = st.lists(st.integers(0, MOST_STEPS), max_size=3)


def make_template(root: Path) -> RepositoryFolder:
    """`feature` changes, adds and removes a file; `main` has gone on since."""
    files: dict[str, str | bytes] = {
        "changed": "1\n",
        "gone": "1\n",
        "same": "1\n",
        ".gitignore": "*.log\n",
    }
    folder = make_repository(root, files)
    folder.git("checkout", "-q", "-b", "feature")
    folder.write("changed", "2\n")
    folder.write("added", "1\n")
    (folder.root / "gone").unlink()
    folder.commit("feature")
    folder.git("checkout", "-q", "main")
    folder.write("later", "1\n")
    folder.commit("later")
    folder.git("branch", "other")
    return folder


class Person:
    """Somebody who works in the files during a review.

    Attributes:
        written: the contents that must not be lost, by path.
    """

    def __init__(self, folder: RepositoryFolder) -> None:
        self._folder = folder
        self._count = 0
        self.written: dict[str, str] = {}

    def act(self, action: str, path: str) -> None:
        """Do something; what git refuses isn't done."""
        if action == "write":
            self._write(path)
        elif action == "delete":
            (self._folder.root / path).unlink(missing_ok=True)
            self.written.pop(path, None)
        else:
            self._run(action, path)

    def _write(self, path: str) -> None:
        self._count += 1
        self.written[path] = f"written as number {self._count}\n"
        self._folder.write(path, self.written[path])

    def _run(self, action: str, path: str) -> None:
        command = {
            "stage": ("add", "--", path),
            "unstage": ("reset", "-q", "--", path),
            "commit": ("commit", "-q", "-a", "-m", "mine"),
            "stash": ("stash", "push", "-q", "--include-untracked"),
            "switch": ("switch", "-q", "other"),
            "detach": ("checkout", "-q", "--detach"),
        }[action]
        self._folder.git(*command, ok=(0, 1, 128))


def stored_contents(folder: RepositoryFolder) -> set[str]:
    """All contents of files that the repository's branches and stashes can reach."""
    stashes = folder.git("stash", "list", "--format=%H").split()
    rows = folder.git("rev-list", "--objects", "--all", *stashes).splitlines()
    names = [row.split(" ", 1)[0] for row in rows if " " in row]
    kinds = {name: folder.git("cat-file", "-t", name) for name in names}
    return {f"{folder.git('cat-file', 'blob', n)}\n" for n in names if kinds[n] == "blob"}


async def review(folder: RepositoryFolder, plan: list[tuple[str, str]], steps: list[int]) -> Person:
    """Begin a review, work in it, and end it by hosts of which some die."""
    repository = await discover(folder.root)
    await changer_of(repository).change_files(lambda git: begin_and_show(git, "feature", ""))
    person = Person(folder)
    for action, path in plan:
        person.act(action, path)
    for left in steps:
        with mortal(left), suppress(DiedError, Conflict):
            await changer_of(repository).change_files(end)
    if (folder.root / ".git/review.json").exists():
        await changer_of(repository).change_files(end)
    return person


@settings(max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plan=plans, steps=deaths)
def test_the_end_brings_all_back(plan: list[tuple[str, str]], steps: list[int]) -> None:
    with TemporaryDirectory() as name:
        template = make_template(Path(name) / "template")
        root = Path(name) / "repository"
        shutil.copytree(template.root, root)
        folder = RepositoryFolder(root)
        main = folder.git("rev-parse", "main")
        person = asyncio.run(review(folder, plan, steps))
        assert folder.git("rev-parse", "main") == main
        assert folder.git("symbolic-ref", "--short", "HEAD") in {"main", "other"}
        assert not (root / ".git/review.json").exists()
        assert folder.git("rev-parse", "feature")
        stored = stored_contents(folder)
        for path, content in person.written.items():
            file = root / path
            is_there = file.is_file() and file.read_text("utf-8") == content
            assert is_there or content in stored, f"{path} is lost"


def test_an_end_without_a_review_is_refused(tmp_path: Path) -> None:
    folder = make_template(tmp_path / "r")

    async def attempt() -> str:
        try:
            await changer_of(await discover(folder.root)).change_files(end)
        except (Conflict, NotFound) as error:
            return error.message
        return ""

    assert asyncio.run(attempt()) == "No review is in progress here."
