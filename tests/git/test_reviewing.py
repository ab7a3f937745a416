from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, Conflict, GitError, NotFound
from jupyter_ac.git import review_journal
from jupyter_ac.git.changing import Changer
from jupyter_ac.git.repository import discover
from jupyter_ac.git.review_journal import Journal
from jupyter_ac.git.reviewing import Restored, begin, end, show_branch
from tests.support.changing import changer_of
from tests.support.repositories import RepositoryFolder, make_repository


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    """`main` with two files; `feature`, two commits further, changes, adds and removes."""
    folder = make_repository(tmp_path / "r", {"a": "1\n", "gone": "1\n", "same": "1\n"})
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    folder.git("checkout", "-q", "-b", "feature")
    folder.write("a", "2\n")
    folder.commit("change")
    folder.write("new", "1\n")
    (folder.root / "gone").unlink()
    folder.commit("more")
    folder.git("checkout", "-q", "main")
    return folder


async def changer(folder: RepositoryFolder) -> Changer:
    return changer_of(await discover(folder.root))


async def review(folder: RepositoryFolder, branch: str = "feature", base: str = "") -> Journal:
    doing = await changer(folder)
    begun = await doing.change(lambda git: begin(git, branch, base))
    return await doing.change(lambda git: show_branch(git, begun.branch_tip, begun.parent_commit))


async def finish(folder: RepositoryFolder) -> Restored:
    return await (await changer(folder)).change(end)


def staged(folder: RepositoryFolder) -> str:
    return folder.git("status", "--porcelain", "--no-renames")


async def test_all_that_a_branch_changes_is_staged_and_then_as_before(
    folder: RepositoryFolder,
) -> None:
    folder.write("untracked", "mine\n")
    tip = folder.git("rev-parse", "feature")
    journal = await review(folder)
    assert staged(folder) == "M  a\nD  gone\nA  new\n?? untracked"
    assert (folder.root / "a").read_text() == "2\n"
    assert folder.git("rev-parse", "HEAD") == journal.parent_commit
    assert folder.git("rev-parse", "main") == journal.parent_commit
    restored = await finish(folder)
    assert (restored.head.branch, restored.stashed) == ("main", False)
    assert staged(folder) == "?? untracked"
    assert (folder.root / "a").read_text() == "1\n"
    assert folder.git("rev-parse", "feature") == tip
    assert not (folder.root / ".git/review.json").exists()


async def test_in_between_the_files_are_those_before_the_branch(folder: RepositoryFolder) -> None:
    doing = await changer(folder)
    journal = await doing.change(lambda git: begin(git, "feature", ""))
    assert (folder.root / "gone").exists()
    assert folder.git("rev-parse", "HEAD") == journal.parent_commit
    assert (await finish(folder)).head.branch == "main"


async def test_the_chosen_commit_is_part_of_the_review(folder: RepositoryFolder) -> None:
    journal = await review(folder, base="feature")
    assert staged(folder) == "D  gone\nA  new"
    assert journal.parent_commit == folder.git("rev-parse", "feature~1")
    await finish(folder)


async def test_a_review_from_the_first_commit_shows_that_commit_too(
    folder: RepositoryFolder,
) -> None:
    first = folder.git("rev-list", "--max-parents=0", "HEAD")
    await review(folder, base=first)
    assert staged(folder) == "A  a\nA  new\nA  same"
    assert (await finish(folder)).head.branch == "main"


async def test_the_branch_that_is_checked_out_can_be_reviewed(folder: RepositoryFolder) -> None:
    folder.git("checkout", "-q", "feature")
    await review(folder)
    assert staged(folder) == "M  a\nD  gone\nA  new"
    assert (await finish(folder)).head.branch == "feature"


async def test_a_detached_start_goes_back_to_its_commit(folder: RepositoryFolder) -> None:
    folder.git("checkout", "-q", "--detach", "main")
    before = folder.git("rev-parse", "HEAD")
    await review(folder)
    restored = await finish(folder)
    assert (restored.head.sha, restored.head.detached) == (before, True)


async def test_what_was_edited_meanwhile_is_stashed(folder: RepositoryFolder) -> None:
    await review(folder)
    folder.write("a", "edited in the review\n")
    restored = await finish(folder)
    assert restored.stashed
    assert (folder.root / "a").read_text() == "1\n"
    assert "during the review of feature" in folder.git("stash", "list")
    assert "+edited in the review" in folder.git("stash", "show", "-p")


async def test_another_host_ends_what_one_has_begun(folder: RepositoryFolder) -> None:
    await review(folder)
    found = review_journal.read(await discover(folder.root))
    assert found is not None
    assert (found.branch, found.original_branch) == ("feature", "main")
    assert (await finish(folder)).head.branch == "main"


@pytest.mark.parametrize("left", ["checked out", "not yet reset"])
async def test_a_host_that_died_between_two_steps_is_no_harm(
    folder: RepositoryFolder, left: str
) -> None:
    journal = await (await changer(folder)).change(lambda git: begin(git, "feature", ""))
    if left == "not yet reset":
        folder.git("checkout", "-q", "--detach", journal.branch_tip)
    assert (await finish(folder)).head.branch == "main"
    assert staged(folder) == ""


@pytest.mark.parametrize(
    ("branch", "base", "error"),
    [
        ("nowhere", "", NotFound),
        ("feature", "nowhere", NotFound),
        ("main", "", Conflict),
        ("main", "feature", Conflict),
        ("--orphan", "", AcError),
    ],
)
async def test_what_can_not_be_reviewed_changes_nothing(
    folder: RepositoryFolder, branch: str, base: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        await review(folder, branch, base)
    assert folder.git("symbolic-ref", "--short", "HEAD") == "main"
    assert not (folder.root / ".git/review.json").exists()


async def test_changes_a_merge_or_another_review_forbid_one(folder: RepositoryFolder) -> None:
    folder.write("a", "dirty\n")
    with pytest.raises(Conflict, match="have changes"):
        await review(folder)
    folder.git("checkout", "-q", "--", "a")
    folder.git("bisect", "start")
    with pytest.raises(Conflict, match="bisect"):
        await review(folder)
    folder.git("bisect", "reset")
    await review(folder)
    with pytest.raises(Conflict, match="review is under way"):
        await review(folder)
    await finish(folder)
    with pytest.raises(Conflict, match="No review"):
        await finish(folder)


async def test_a_checkout_that_fails_goes_back(folder: RepositoryFolder) -> None:
    folder.write("new", "untracked and in the way\n")
    with pytest.raises(GitError):
        await review(folder)
    restored = await finish(folder)
    assert restored.head.branch == "main"
    assert (folder.root / "new").read_text() == "untracked and in the way\n"


async def test_only_the_review_that_was_begun_is_shown(folder: RepositoryFolder) -> None:
    doing = await changer(folder)
    journal = await doing.change(lambda git: begin(git, "feature", ""))
    with pytest.raises(Conflict, match="Another review"):
        await doing.change(lambda git: show_branch(git, journal.parent_commit, journal.branch_tip))
    await finish(folder)


async def test_when_the_way_back_is_blocked_nothing_is_lost(folder: RepositoryFolder) -> None:
    await review(folder)
    (folder.root / "gone").write_text("untracked now\n")
    with pytest.raises(GitError, match="git switch main"):
        await finish(folder)
    assert (folder.root / "gone").read_text() == "untracked now\n"
    (folder.root / "gone").unlink()
    assert (await finish(folder)).head.branch == "main"
