from pathlib import Path

import pytest

from jupyter_ac.errors import Conflict, InvalidParams
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.planner.worktrees.plan_branch import PlanBranch
from jupyter_ac.planner.worktrees.snapshot_commit import (
    add_commit,
    object_folder,
    snapshot_commit,
)
from jupyter_ac.planner.worktrees.task_worktrees import TaskWorktrees
from tests.support.armed_repository import arm
from tests.support.repositories import RepositoryFolder, make_repository

ID = "plan_0123456789abcdef"
LINES = "".join(f"line {number}\n" for number in range(20))


class Work:
    """A repository with a plan's branch, and what makes results of tasks."""

    def __init__(self, folder: RepositoryFolder, repository: Repository, base: str) -> None:
        self.folder, self.repository, self.base = folder, repository, base
        self.branch = PlanBranch(repository, ID)
        self._worktrees = TaskWorktrees(repository, folder.root.parent / "worktrees")

    async def result(self, base: str, changes: dict[str, bytes | None]) -> str:
        """Change files in a worktree of a commit, and commit that."""
        task = await self._worktrees.create("t", base)
        for path, content in changes.items():
            if content is None:
                (task.root / path).unlink()
                continue
            (task.root / path).parent.mkdir(exist_ok=True)
            (task.root / path).write_bytes(content)
        made = await snapshot_commit(task, "task", [base])
        await self._worktrees.remove("t")
        return made.commit

    def content(self, path: str) -> str:
        return self.folder.git("show", f"{self.branch.ref}:{path}")


async def work_in(folder: Path) -> Work:
    made = make_repository(folder / "r", {"a.txt": LINES, "b.txt": "b\n", "c.bin": b"\0"})
    repository = await discover(made.root)
    (made.root / "b.txt").write_text("uncommitted\n", encoding="utf-8")
    base = (
        await snapshot_commit(repository, "base", [made.git("rev-parse", "HEAD").strip()])
    ).commit
    work = Work(made, repository, base)
    await work.branch.move(base, "")
    return work


async def test_results_are_merged_one_after_the_other(tmp_path: Path) -> None:
    work = await work_in(tmp_path)
    first = LINES.replace("line 2\n", "LINE 2\n").encode()
    second = LINES.replace("line 15\n", "LINE 15\n").encode()
    results = [
        await work.result(work.base, {"a.txt": first, "new/x.txt": b"x\n"}),
        await work.result(work.base, {"a.txt": second, "b.txt": None}),
    ]
    assert (await work.branch.merge(work.base, results[0], "one")).commit == results[0]
    merged = await work.branch.merge(work.base, results[1], "two")
    assert merged.conflicts == ()
    assert await work.branch.head() == merged.commit
    assert work.folder.git("rev-list", "--count", f"{work.base}..{work.branch.ref}").strip() == "2"
    text = work.content("a.txt")
    assert "LINE 2\n" in text
    assert "LINE 15\n" in text
    assert work.content("new/x.txt") == "x"
    names = work.folder.git("ls-tree", "-r", "--name-only", work.branch.ref).split()
    assert names == ["a.txt", "c.bin", "new/x.txt"]
    assert (work.folder.root / "b.txt").read_text(encoding="utf-8") == "uncommitted\n"
    assert work.folder.git("status", "--porcelain").strip() == "M b.txt"
    assert work.branch.ref == "refs/heads/jupyter-ac/plan-0123456789abcdef"


async def test_a_conflict_is_shown_and_changes_nothing(tmp_path: Path) -> None:
    work = await work_in(tmp_path)
    results = [
        await work.result(
            work.base, {"a.txt": LINES.replace("line 2", word).encode(), "c.bin": word.encode()}
        )
        for word in ("mine", "yours")
    ]
    gone = await work.result(work.base, {"a.txt": None, "c.bin": b"\0\1"})
    await work.branch.merge(work.base, results[0], "one")
    merged = await work.branch.merge(work.base, results[1], "two")
    assert merged.commit == ""
    texts = {one.path: one.text for one in merged.conflicts}
    assert set(texts) == {"a.txt", "c.bin"}
    assert "<<<<<<< plan\nmine" in texts["a.txt"]
    removed = await work.branch.merge(work.base, gone, "three")
    assert {one.path for one in removed.conflicts} == {"a.txt", "c.bin"}
    assert await work.branch.head() == results[0]


async def test_the_branch_is_read_where_git_has_packed_it(tmp_path: Path) -> None:
    work = await work_in(tmp_path)
    work.folder.git("pack-refs", "--all")
    assert not (work.repository.common_dir / work.branch.ref).exists()
    assert await work.branch.head() == work.base
    await work.branch.move(await work.result(work.base, {"a.txt": b"x"}), work.base)
    work.folder.git("symbolic-ref", "refs/heads/other", work.branch.ref)
    assert await work.branch.head() == work.folder.git("rev-parse", "refs/heads/other").strip()


async def test_the_branch_is_moved_from_where_it_was_only(tmp_path: Path) -> None:
    work = await work_in(tmp_path)
    other = await work.result(work.base, {"a.txt": b"x"})
    with pytest.raises(Conflict):
        await work.branch.move(other, "")
    with pytest.raises(Conflict):
        await work.branch.move(other, other)
    assert await work.branch.head() == work.base


@pytest.mark.parametrize("plan_id", ["", "plan_1", "plan_" + "g" * 16, "../" + "0" * 16])
async def test_what_is_no_plan_has_no_branch(tmp_path: Path, plan_id: str) -> None:
    repository = await discover(make_repository(tmp_path / "r", {"a": "x"}).root)
    with pytest.raises(InvalidParams):
        PlanBranch(repository, plan_id)


async def test_nothing_of_the_repository_runs_in_a_merge(tmp_path: Path) -> None:
    armed = arm(tmp_path)
    repository = await discover(armed.folder.root)
    base = (await snapshot_commit(repository, "base")).commit
    work = Work(armed.folder, repository, base)
    await work.branch.move(base, "")
    results = [
        await work.result(base, {"filtered.txt": content})
        for content in (b"ONE\nx\ny\nz\ntwo\n", b"one\nTWO\n")
    ]
    for result in results:
        await work.branch.merge(base, result, "task")
    assert armed.ran() == set()


async def test_a_commit_is_found_by_its_last_line_only(tmp_path: Path) -> None:
    work = await work_in(tmp_path)
    result = await work.result(work.base, {"a.txt": b"x\n"})
    said = "one\n\nI am done.\nMark: two\n\nMark: one\n"
    tree = work.folder.git("rev-parse", f"{result}^{{tree}}").strip()
    objects = await object_folder(work.repository)
    await work.branch.move(add_commit(objects, tree, said, [work.base]), work.base)
    assert await work.branch.find("Mark: two", work.base) is None
    found = await work.branch.find("Mark: one", work.base)
    assert found is not None
    assert found.explanation == "I am done.\nMark: two"
    assert found.changed.modified == ("a.txt",)
