import os
import time
from pathlib import Path

import pytest

from jupyter_ac.git.git_locks import before_head, described
from jupyter_ac.git.repository import discover
from tests.support.repositories import make_repository


@pytest.mark.parametrize("name", ["index.lock", "HEAD.lock", "refs/heads/main.lock"])
async def test_a_lock_before_head_is_found_and_its_age_and_place_are_told(
    tmp_path: Path, name: str
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    repository = await discover(folder.root)
    assert before_head(repository) is None
    lock = folder.root / ".git" / name
    lock.touch()
    os.utime(lock, (time.time() - 7200,) * 2)
    short = before_head(repository)
    assert short == lock.name
    said = described(repository, short)
    assert f"Another git process has held {lock.name} for 720" in said
    assert f"remove .git/{name}." in said


async def test_a_worktree_has_an_index_and_a_head_of_its_own(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "w"))
    main, tree = await discover(folder.root), await discover(tmp_path / "w")
    (folder.root / ".git/refs/heads/side.lock").touch()
    (folder.root / ".git/HEAD.lock").touch()
    assert (before_head(main), before_head(tree)) == ("HEAD.lock", "side.lock")
    (tree.git_dir / "index.lock").touch()
    assert before_head(tree) == "index.lock"
    assert "remove .git/worktrees/w/index.lock" in described(tree, "index.lock")


async def test_a_lock_that_is_gone_or_a_head_that_is_no_branch_is_said_as_well(
    tmp_path: Path,
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    repository = await discover(folder.root)
    assert "again and again" in described(repository, "index.lock")
    folder.git("checkout", "-q", "--detach")
    assert before_head(repository) is None
    (folder.root / ".git/HEAD").unlink()
    assert before_head(repository) is None
