import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.planner.execution.changed_file_checks import MAX_PROBLEMS, ChangedFileChecks
from jupyter_ac.planner.validation.validator import Checkers, CodeValidator
from jupyter_ac.planner.worktrees.snapshot_commit import snapshot_commit
from jupyter_ac.planner.worktrees.tree_entries import entries_of
from tests.support.repositories import make_repository


@asynccontextmanager
async def checked(
    folder: Path, before: dict[str, str], after: dict[str, str | bytes]
) -> AsyncIterator[list[str]]:
    made = make_repository(folder / "r", {"README": "x\n", **before})
    repository = await discover(made.root)
    first = await snapshot_commit(repository, "before")
    for path, text in after.items():
        made.write(path, text)
    second = await snapshot_commit(repository, "after")
    validator = CodeValidator(Checkers.of(made.root, os.environ), 120.0)
    try:
        yield await ChangedFileChecks(repository, validator).problems(
            await entries_of(repository, first.commit), await entries_of(repository, second.commit)
        )
    finally:
        await validator.aclose()


async def test_only_what_was_changed_and_what_can_not_be_parsed_counts(tmp_path: Path) -> None:
    before = {
        "old.py": "def f(:\n",
        "ok.py": "x = 1\n",
        "same.json": "{",
        "undefined.py": "print(one)\n",
    }
    after: dict[str, str | bytes] = {
        "old.py": "def g(:\n",
        "ok.py": "x = (\n",
        "new.json": '{"a": }',
        "notes.txt": "def f(:",
        "unused.py": "import os\n",
        "undefined.py": "print(one, two)\n",
        "latin.py": b"\xe9",
    }
    async with checked(tmp_path, before, after) as problems:
        assert {problem.partition(":")[0] for problem in problems} == {
            "ok.py",
            "new.json",
            "latin.py",
            "undefined.py",
        }
        assert not any("`one`" in problem for problem in problems)
        assert any(problem.startswith("new.json:1:") for problem in problems)


async def test_there_are_at_most_so_many(tmp_path: Path) -> None:
    after: dict[str, str | bytes] = {f"f{number}.json": "{" for number in range(30)}
    async with checked(tmp_path, {}, after) as problems:
        assert len(problems) == MAX_PROBLEMS
