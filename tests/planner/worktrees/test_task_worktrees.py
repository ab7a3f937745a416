import os
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, AlreadyExists, InvalidParams
from jupyter_ac.git.repository import discover
from jupyter_ac.planner.worktrees.snapshot_commit import snapshot_commit
from jupyter_ac.planner.worktrees.task_worktrees import TaskWorktrees
from tests.support.armed_repository import arm
from tests.support.repositories import make_repository


async def test_a_worktree_has_the_exact_bytes_and_is_detached(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.txt": b"1\r\n", ".gitattributes": "* -text\n"})
    (folder.root / "run.sh").write_text("echo\n", encoding="utf-8")
    (folder.root / "run.sh").chmod(0o755)
    (folder.root / "d" / "e").mkdir(parents=True)
    (folder.root / "d" / "e" / "link").symlink_to("../../../outside")
    repository = await discover(folder.root)
    made = await snapshot_commit(repository, "snapshot", [folder.git("rev-parse", "HEAD").strip()])
    worktrees = TaskWorktrees(repository, tmp_path / "cache" / "worktrees")
    task = await worktrees.create("plan-1-a", made.commit)
    assert task.root == (tmp_path / "cache" / "worktrees" / "plan-1-a").resolve()
    assert (task.root / "a.txt").read_bytes() == (folder.root / "a.txt").read_bytes()
    assert os.access(task.root / "run.sh", os.X_OK)
    assert not os.access(task.root / "a.txt", os.X_OK)
    assert (task.root / "d" / "e" / "link").readlink() == Path("../../../outside")
    assert task.common_dir == repository.common_dir
    assert task.worktree
    again = await snapshot_commit(task, "again")
    trees = [folder.git("rev-parse", f"{each}^{{tree}}") for each in (made.commit, again.commit)]
    assert trees[0] == trees[1]
    assert folder.git("branch", "--list").strip().startswith("*")
    with pytest.raises(AlreadyExists):
        await worktrees.create("plan-1-a", made.commit)
    await worktrees.remove("plan-1-a")
    await worktrees.remove("plan-1-a")
    assert not task.root.exists()
    assert folder.git("worktree", "list").count("\n") == 0


async def test_nothing_of_the_repository_runs(tmp_path: Path) -> None:
    armed = arm(tmp_path / "r")
    repository = await discover(armed.folder.root)
    made = await snapshot_commit(repository, "snapshot")
    worktrees = TaskWorktrees(repository, tmp_path / "worktrees")
    task = await worktrees.create("t", made.commit)
    (task.root / "more.txt").write_text("2\n", encoding="utf-8")
    await snapshot_commit(task, "done", [made.commit])
    await worktrees.remove("t")
    assert armed.ran() == set()


async def test_what_can_not_be_made_leaves_nothing(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.txt": "1\n"})
    worktrees = TaskWorktrees(await discover(folder.root), tmp_path / "worktrees")
    with pytest.raises(AcError):
        await worktrees.create("t", "0" * 40)
    assert list((tmp_path / "worktrees").iterdir()) == []
    assert folder.git("worktree", "list").count("\n") == 0
    for name in ("", "../x", "a b", "x" * 101):
        with pytest.raises(InvalidParams):
            await worktrees.create(name, "0" * 40)
