from pathlib import Path

import pytest

from jupyter_ac.git.in_progress import applies_patches, is_at_pick, unfinished_operation
from jupyter_ac.git.repository import discover
from tests.support.repositories import diverge, make_repository


@pytest.mark.parametrize("operation", ["merge", "rebase", "cherry-pick", "revert"])
async def test_what_stopped_at_a_conflict_is_named(tmp_path: Path, operation: str) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    diverge(folder, "a")
    repository = await discover(folder.root)
    assert unfinished_operation(repository) is None
    folder.git(operation, "HEAD~1" if operation == "revert" else "side", ok=(0, 1))
    assert unfinished_operation(repository) == operation


async def test_a_bisect_is_named(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.git("bisect", "start")
    assert unfinished_operation(await discover(folder.root)) == "bisect"


async def test_a_patch_that_is_applied_is_no_rebase(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    diverge(folder, "a")
    repository = await discover(folder.root)
    folder.git("format-patch", "-q", "-1", "side", "-o", ".git/patches")
    folder.git("am", ".git/patches/0001-side.patch", ok=(128,))
    assert (unfinished_operation(repository), applies_patches(repository)) == ("am", True)
    folder.git("am", "--abort")
    folder.git("rebase", "--apply", "side", ok=(1,))
    assert (unfinished_operation(repository), applies_patches(repository)) == ("rebase", True)
    folder.git("rebase", "--abort")
    assert (unfinished_operation(repository), applies_patches(repository)) == (None, False)


@pytest.mark.parametrize("operation", ["cherry-pick", "revert"])
async def test_between_two_commits_of_a_sequence_it_goes_on(tmp_path: Path, operation: str) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "b": "1\n"})
    folder.write("b", "2\n")
    folder.commit("first change")
    diverge(folder, "a")
    folder.write("a", "last\n")
    folder.commit("last")
    commits = ("side", "side~1") if operation == "cherry-pick" else ("HEAD~1", "HEAD~2")
    folder.git(operation, *commits, ok=(1,))
    folder.commit("mended")
    assert unfinished_operation(await discover(folder.root)) == operation
    (folder.root / ".git/sequencer/todo").write_text("strange\n")
    assert unfinished_operation(await discover(folder.root)) is None


async def test_a_rebase_waits_for_a_pick_only_where_it_stopped_at_a_conflict(
    tmp_path: Path,
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    diverge(folder, "a")
    repository = await discover(folder.root)
    assert not is_at_pick(repository)
    folder.git("rebase", "side", ok=(1,))
    assert is_at_pick(repository)
    folder.git("rebase", "--abort")
    folder.git("-c", "sequence.editor=sed -i 1s/pick/edit/", "rebase", "-q", "-i", "HEAD~1")
    assert unfinished_operation(repository) == "rebase"
    assert not is_at_pick(repository)
