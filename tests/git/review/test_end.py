"""Ending a review from any state: nothing is lost."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.errors import Busy, Conflict, GitError
from jupyter_ac.git.repository import discover
from jupyter_ac.git.review import journal as review_journal
from jupyter_ac.git.review.end import ReviewEnd, end
from jupyter_ac.git.review.journal import ReviewJournal
from jupyter_ac.git.review.start import begin, show_branch
from tests.support.changing import changer_of
from tests.support.dying_review import DiedError, mortal, review_edit_and_end
from tests.support.repositories import RepositoryFolder, git_environment, make_repository

MARK = "changed during the review of feature, begun 20"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    """`main`, one commit after `feature` left it; that one changes, adds and removes a file."""
    folder = make_repository(
        tmp_path / "r", {"a": "1\n", "gone": "1\n", "same": "1\n", ".gitignore": "*.log\n"}
    )
    folder.git("checkout", "-q", "-b", "feature")
    folder.write("a", "2\n")
    folder.write("new", "1\n")
    (folder.root / "gone").unlink()
    folder.commit("feature")
    folder.git("checkout", "-q", "main")
    folder.write("later", "1\n")
    folder.commit("later")
    return folder


async def review(folder: RepositoryFolder, branch: str = "feature") -> ReviewJournal:
    doing = changer_of(await discover(folder.root))
    begun = await doing.change(lambda git: begin(git, branch, ""))
    return await doing.change(lambda git: show_branch(git, begun.branch_tip, begun.parent_commit))


async def finish(folder: RepositoryFolder) -> ReviewEnd:
    """End the review as a host does that knows nothing of its beginning."""
    return await changer_of(await discover(folder.root)).change(end)


def require_home(folder: RepositoryFolder, status: str = "") -> None:
    """All is as before the review."""
    assert folder.git("symbolic-ref", "--short", "HEAD") == "main"
    assert folder.git("status", "--porcelain") == status
    assert folder.git("diff", "HEAD", "--stat", "--", ":!mine") == ""
    assert (folder.root / "later").exists()
    assert not (folder.root / ".git/review.json").exists()


def stashed(folder: RepositoryFolder, path: str) -> str:
    """What the review's stash holds of a file."""
    assert MARK in folder.git("stash", "list")
    return folder.git("show", f"stash@{{0}}:{path}")


def require_edits(folder: RepositoryFolder) -> None:
    assert (stashed(folder, "a"), stashed(folder, "gone")) == ("edited", "again")
    assert folder.git("stash", "list").count("\n") == 0


async def test_a_host_may_die_before_each_step_and_the_next_one_finds_the_way_back(
    folder: RepositoryFolder,
) -> None:
    refused: list[str] = []
    while refused[-1:] != [""]:
        with mortal(len(refused)) as steps, suppress(DiedError):
            await review_edit_and_end(folder.root)
        refused.append(steps.refused)
        if (folder.root / ".git/review.json").exists():
            restored = await finish(folder)
            assert bool(restored.stash) is ("reset" in steps.taken)
        require_home(folder)
        if "reset" in steps.taken:
            require_edits(folder)
            folder.git("stash", "drop", "--quiet")
    assert refused == [
        *("write at_parent", "switch", "switch", "write reviewing", "reset"),
        *("update-ref", "add", "stash", "write leaving", "switch", "remove", ""),
    ]


@pytest.mark.soak
@pytest.mark.parametrize("steps", range(11))
async def test_a_host_that_is_killed_at_a_step(folder: RepositoryFolder, steps: int) -> None:
    program = (sys.executable, "-m", "tests.support.dying_review", str(folder.root), str(steps))
    process = await asyncio.create_subprocess_exec(*program, cwd=ROOT, env=git_environment())
    assert await asyncio.wait_for(process.wait(), 60) == -signal.SIGKILL
    assert (folder.root / ".git/review.json").exists() is (steps > 0)
    if steps:
        await finish(folder)
    require_home(folder)
    if steps > 4:
        require_edits(folder)


async def test_edits_made_after_the_host_died_on_its_way_back_are_the_users_own(
    folder: RepositoryFolder,
) -> None:
    with mortal(10) as steps, suppress(DiedError):
        await review_edit_and_end(folder.root)
    assert steps.refused == "remove"
    folder.write("same", "mine\n")
    folder.git("add", "same")
    restored = await finish(folder)
    assert folder.git("status", "--porcelain") == "M  same"
    assert "Changed files are" in restored.message
    require_edits(folder)


async def test_edits_made_before_anything_was_checked_out_stay(folder: RepositoryFolder) -> None:
    with mortal(1) as steps, suppress(DiedError):
        await review_edit_and_end(folder.root)
    assert steps.refused == "switch"
    folder.write("a", "mine\n")
    assert (await finish(folder)).stash == ""
    assert folder.git("status", "--porcelain") == " M a"


async def test_edits_staged_and_not_and_conflicting_are_in_a_stash_that_says_whose_they_are(
    folder: RepositoryFolder,
) -> None:
    folder.write("mine", "before\n")
    await review(folder)
    folder.write("a", "edited\n")
    folder.git("add", "a")
    folder.write("a", "edited twice\n")
    folder.write("new", "edited\n")
    folder.write("during.txt", "untracked\n")
    restored = await finish(folder)
    require_home(folder, "?? during.txt\n?? mine")
    assert (stashed(folder, "a"), stashed(folder, "new")) == ("edited twice", "edited")
    assert folder.git("show", "stash@{0}^2:a") == "edited"
    assert restored.stash == folder.git("rev-parse", "stash@{0}")
    assert "`main` is checked out again" in restored.message
    assert MARK in restored.message
    assert "`git stash pop`" in restored.message
    folder.git("checkout", "-q", "feature")
    folder.git("stash", "pop", "--quiet", "--index")
    assert folder.git("diff", "--cached", "--name-only") == "a"


async def test_an_edit_stays_where_the_branch_under_review_was_checked_out(
    folder: RepositoryFolder,
) -> None:
    folder.git("checkout", "-q", "feature")
    await review(folder)
    folder.write("a", "edited\n")
    restored = await finish(folder)
    assert (restored.head.branch, restored.stash) == ("feature", "")
    assert folder.git("status", "--porcelain") == " M a"
    assert "Changed files are left as they are" in restored.message


@pytest.mark.parametrize("name", ["gone", "later"])
async def test_a_new_file_where_the_original_branch_has_one_is_in_the_stash(
    folder: RepositoryFolder, name: str
) -> None:
    await review(folder)
    folder.write(name, "untracked\n")
    await finish(folder)
    require_home(folder)
    assert stashed(folder, name) == "untracked"


async def test_an_ignored_file_where_the_original_branch_has_one_is_in_the_stash(
    folder: RepositoryFolder,
) -> None:
    folder.write("kept.log", "main's\n")
    folder.git("add", "--force", "kept.log")
    folder.git("commit", "-qm", "log")
    await review(folder)
    folder.write("kept.log", "ignored here\n")
    await finish(folder)
    require_home(folder)
    assert stashed(folder, "kept.log") == "ignored here"
    assert (folder.root / "kept.log").read_text() == "main's\n"


async def test_a_folder_where_the_original_branch_has_a_file_is_in_the_stash(
    folder: RepositoryFolder,
) -> None:
    await review(folder)
    folder.write("gone/deep/x", "untracked\n")
    folder.write("later/y.log", "ignored\n")
    await finish(folder)
    require_home(folder)
    assert stashed(folder, "gone/deep/x") == "untracked"
    assert stashed(folder, "later/y.log") == "ignored"


async def test_what_took_the_place_of_a_tracked_file_or_folder_is_in_the_stash(
    folder: RepositoryFolder,
) -> None:
    folder.write("d/x", "1\n")
    folder.commit("a folder")
    folder.git("branch", "-q", "-f", "feature")
    folder.git("reset", "-q", "--hard", "HEAD~1")
    await review(folder)
    shutil.rmtree(folder.root / "d")
    folder.write("d", "a file\n")
    (folder.root / "same").unlink()
    folder.write("same/below", "in a folder\n")
    await finish(folder)
    require_home(folder)
    assert (stashed(folder, "d"), stashed(folder, "same/below")) == ("a file", "in a folder")


async def test_a_file_that_was_taken_out_of_the_index_or_only_announced_to_it(
    folder: RepositoryFolder,
) -> None:
    await review(folder)
    folder.write("new", "edited\n")
    folder.git("rm", "-q", "--force", "--cached", "new")
    folder.write("announced", "x\n")
    folder.git("add", "--intent-to-add", "announced")
    await finish(folder)
    require_home(folder)
    assert stashed(folder, "new") == "edited"
    assert stashed(folder, "announced") == "x"


async def test_unstaging_everything_is_no_edit(folder: RepositoryFolder) -> None:
    await review(folder)
    folder.git("reset", "-q")
    folder.write("new", "edited\n")
    await finish(folder)
    require_home(folder)
    assert stashed(folder, "new") == "edited"
    assert stashed(folder, "a") == "2"


@pytest.mark.parametrize("how", [("reset", "-q", "--hard"), ("stash", "push", "-qm", "by hand")])
async def test_throwing_the_review_away_by_hand(
    folder: RepositoryFolder, how: tuple[str, ...]
) -> None:
    await review(folder)
    folder.git(*how)
    assert (await finish(folder)).stash == ""
    require_home(folder)


async def test_commits_on_the_detached_head_get_a_branch(folder: RepositoryFolder) -> None:
    await review(folder)
    folder.write("a", "committed\n")
    made = folder.commit("mine")
    folder.write("a", "and edited\n")
    restored = await finish(folder)
    require_home(folder)
    assert folder.git("rev-parse", restored.new_branch) == made
    assert f"`{restored.new_branch}`" in restored.message
    assert stashed(folder, "a") == "and edited"


async def test_commits_on_a_branch_made_by_hand_need_no_other(folder: RepositoryFolder) -> None:
    await review(folder)
    folder.git("checkout", "-q", "-b", "mine")
    made = folder.commit("mine")
    assert (await finish(folder)).new_branch == ""
    require_home(folder)
    assert folder.git("rev-parse", "mine") == made


async def test_going_back_by_hand_takes_the_staged_review_along_and_the_end_takes_it_away(
    folder: RepositoryFolder,
) -> None:
    await review(folder)
    main = folder.git("rev-parse", "main")
    folder.git("switch", "-q", "main")
    assert folder.git("diff", "--cached", "--name-only").split() == ["a", "new"]
    folder.write("a", "edited\n")
    await finish(folder)
    require_home(folder)
    assert folder.git("rev-parse", "main") == main
    assert stashed(folder, "a") == "edited"


async def test_no_branch_is_moved_when_the_user_went_by_hand_to_one_at_the_parent(
    folder: RepositoryFolder,
) -> None:
    journal = await review(folder)
    folder.git("switch", "-q", "-c", "by-hand")
    restored = await finish(folder)
    require_home(folder)
    assert restored.stash == ""
    assert folder.git("rev-parse", "by-hand") == journal.parent_commit


async def test_what_the_user_did_after_going_back_by_hand_stays(folder: RepositoryFolder) -> None:
    await review(folder)
    folder.git("reset", "-q", "--hard")
    folder.git("switch", "-q", "main")
    folder.write("same", "mine\n")
    folder.git("add", "same")
    assert (await finish(folder)).stash == ""
    assert folder.git("status", "--porcelain") == "M  same"
    assert not (folder.root / ".git/review.json").exists()


async def test_work_on_another_branch_is_stashed_before_the_original_one_comes_back(
    folder: RepositoryFolder,
) -> None:
    folder.git("branch", "other", "main~1")
    await review(folder)
    folder.git("reset", "-q", "--hard")
    folder.git("switch", "-q", "other")
    other = folder.commit("mine")
    folder.write("same", "mine\n")
    await finish(folder)
    require_home(folder)
    assert stashed(folder, "same") == "mine"
    assert folder.git("rev-parse", "other") == other


async def test_the_reviewed_branch_was_deleted(folder: RepositoryFolder) -> None:
    await review(folder)
    folder.git("branch", "-q", "-D", "feature")
    folder.write("a", "edited\n")
    await finish(folder)
    require_home(folder)
    assert stashed(folder, "a") == "edited"


async def test_the_reviewed_commit_is_gone_altogether(folder: RepositoryFolder) -> None:
    journal = await review(folder)
    folder.write("a", "edited\n")
    folder.git("branch", "-q", "-D", "feature")
    folder.git("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    folder.git("prune", "--expire=now")
    folder.git("cat-file", "-e", journal.branch_tip, ok=(1, 128))
    await finish(folder)
    require_home(folder)
    assert (stashed(folder, "a"), stashed(folder, "new")) == ("edited", "1")


async def test_the_original_branch_was_deleted(folder: RepositoryFolder) -> None:
    main = folder.git("rev-parse", "main")
    await review(folder)
    folder.git("branch", "-q", "-D", "main")
    restored = await finish(folder)
    assert (restored.head.branch, restored.head.sha) == (None, main)
    assert "The branch `main` no longer exists" in restored.message


async def test_the_original_branch_was_moved(folder: RepositoryFolder) -> None:
    await review(folder)
    folder.git("branch", "-q", "-f", "main", "main~1")
    restored = await finish(folder)
    assert restored.head.branch == "main"
    assert folder.git("status", "--porcelain") == ""


async def test_the_original_branch_is_in_another_worktree(folder: RepositoryFolder) -> None:
    await review(folder)
    folder.write("a", "edited\n")
    folder.git("worktree", "add", "-q", "../other", "main")
    with pytest.raises(GitError, match="`git switch main`"):
        await finish(folder)
    assert stashed(folder, "a") == "edited"
    folder.git("worktree", "remove", "../other")
    assert (await finish(folder)).stash == folder.git("rev-parse", "stash@{0}")
    require_home(folder)


async def test_the_end_waits_for_a_merge(folder: RepositoryFolder) -> None:
    await review(folder)
    folder.git("reset", "-q", "--hard")
    folder.git("merge", "-q", "--no-ff", "--no-commit", "main")
    with pytest.raises(Conflict, match="merge is in progress"):
        await finish(folder)
    folder.git("merge", "--abort")
    await finish(folder)
    require_home(folder)


async def test_the_end_waits_for_a_conflict(folder: RepositoryFolder) -> None:
    folder.write("a", "stashed before\n")
    folder.git("stash", "push", "-q")
    await review(folder)
    folder.git("commit", "-qm", "so that a stash comes upon another text")
    folder.git("stash", "pop", "-q", ok=(1,))
    with pytest.raises(Conflict, match="'a' is in conflict"):
        await finish(folder)
    folder.git("add", "a")
    await finish(folder)
    require_home(folder)
    assert "<<<<<<<" in stashed(folder, "a")


async def test_an_index_that_another_git_holds(folder: RepositoryFolder) -> None:
    await review(folder)
    folder.write("a", "edited\n")
    (folder.root / ".git/index.lock").touch()
    os.utime(folder.root / ".git/index.lock", (0, 0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("jupyter_ac.git.write_commands.LOCK_WAIT_S", 0.0)
        with pytest.raises(Busy, match=r"index\.lock"):
            await finish(folder)
    (folder.root / ".git/index.lock").unlink()
    await finish(folder)
    require_home(folder)
    assert stashed(folder, "a") == "edited"


async def test_a_journal_of_another_repository_moves_nothing(folder: RepositoryFolder) -> None:
    folder.write("a", "mine\n")
    foreign = ReviewJournal("feature", "1" * 40, "2" * 40, "3" * 40, "main", "4" * 40)
    review_journal.write(await discover(folder.root), foreign)
    with pytest.raises(Conflict, match=r"remove \.git/review\.json"):
        await finish(folder)
    assert folder.git("status", "--porcelain") == " M a"


async def test_a_journal_of_the_version_before_this_one(folder: RepositoryFolder) -> None:
    await review(folder)
    place = folder.root / ".git/review.json"
    stored = json.loads(place.read_text())
    del stored["since"]
    place.write_text(json.dumps(stored))
    await finish(folder)
    require_home(folder)


async def test_a_journal_that_can_not_be_read_is_said(folder: RepositoryFolder) -> None:
    await review(folder)
    place = folder.root / ".git/review.json"
    stored = place.read_text()
    place.write_text(stored[:40])
    with pytest.raises(Conflict, match="git switch BRANCH"):
        await finish(folder)
    place.write_text(stored)
    await finish(folder)
    require_home(folder)


async def test_two_hosts_end_one_review(folder: RepositoryFolder) -> None:
    await review(folder)
    folder.write("a", "edited\n")
    results = await asyncio.gather(finish(folder), finish(folder), return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["Conflict", "ReviewEnd"]
    require_home(folder)
    assert stashed(folder, "a") == "edited"


async def test_a_review_in_a_linked_worktree_is_that_ones_alone(
    folder: RepositoryFolder, tmp_path: Path
) -> None:
    folder.git("worktree", "add", "-q", "-b", "side", "../side", "main")
    side = RepositoryFolder(tmp_path / "side")
    await review(side)
    assert review_journal.read(await discover(folder.root)) is None
    side.write("a", "edited\n")
    assert (await finish(side)).head.branch == "side"
    assert stashed(folder, "a") == "edited"
    await review(side)
    shutil.rmtree(side.root)
    folder.git("worktree", "prune")
    folder.git("worktree", "add", "-q", "../side", "side")
    assert review_journal.read(await discover(side.root)) is None
    await review(folder)
    await finish(folder)
    require_home(folder)


async def test_a_second_review_does_not_tell_of_the_stash_of_the_first(
    folder: RepositoryFolder,
) -> None:
    await review(folder)
    folder.write("a", "edited\n")
    assert (await finish(folder)).stash != ""
    journal = await review(folder)
    later = replace(journal, since="2033-01-01T00:00:00+00:00")
    review_journal.write(await discover(folder.root), later)
    assert (await finish(folder)).stash == ""


def test_the_stash_needs_no_name_of_the_user(folder: RepositoryFolder) -> None:
    """git would ask who commits; nobody is there to answer."""
    folder.git("config", "user.useConfigOnly", "true")
    code = subprocess.run(
        [sys.executable, "-m", "tests.support.dying_review", str(folder.root), "99"],
        cwd=ROOT,
        env={k: v for k, v in git_environment().items() if not k.startswith("GIT_AUTHOR")},
        check=False,
        timeout=60,
    ).returncode
    assert code == 0
    require_edits(folder)
