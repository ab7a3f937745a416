"""Reviews under the names of the seeds' clients, from the check to the end."""

from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.git.review.state import NO_REVIEW
from jupyter_ac.services.llm.review import LlmReviewMethods
from jupyter_ac.services.repo.history import CommitHistoryMethods
from jupyter_ac.services.repo.review import ReviewMethods
from tests.support.changing import service_of
from tests.support.conformance import refusal_of
from tests.support.repositories import RepositoryFolder, make_repository

NOTHING = {**NO_REVIEW, "commits": [], "changed_files": [], "stats": None}


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    """A repository with a branch of two commits, and main checked out."""
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.git("checkout", "-q", "-b", "feature")
    folder.write("a", "1\n2\n")
    folder.commit("one")
    folder.write("b", "1\n")
    folder.commit("two")
    folder.git("checkout", "-q", "main")
    return folder


async def methods(folder: RepositoryFolder) -> tuple[LlmReviewMethods, ReviewMethods]:
    repository = await discover(folder.root)
    part = service_of(repository).review
    return LlmReviewMethods(repository, part, CommitHistoryMethods(repository)), part


async def test_a_review_from_begin_to_end(folder: RepositoryFolder) -> None:
    review, part = await methods(folder)
    assert await review.check_review_ready() == {"clean": True}
    assert await review.get_review_state() == NOTHING
    begun = await review.start_review("feature")
    assert begun["status"] == "review_active"
    assert begun["branch"] == "feature"
    assert [commit["message"] for commit in begun["commits"]] == ["two", "one"]
    assert [file["path"] for file in begun["changed_files"]] == ["a", "b"]
    assert begun["stats"] == {
        "commit_count": 2,
        "files_changed": 2,
        "additions": 2,
        "deletions": 0,
    }
    assert "+2" in (await review.get_review_file_diff("a"))["diff"]
    assert folder.git("diff", "--cached", "--name-only").split() == ["a", "b"]
    assert (await part.get_review_state())["active"]
    assert (await review.end_review()).get("status") == "restored"
    assert await review.get_review_state() == NOTHING
    assert folder.git("branch", "--show-current") == "main"


async def test_from_one_of_its_commits(folder: RepositoryFolder) -> None:
    review, _ = await methods(folder)
    begun = await review.start_review("feature", folder.git("rev-parse", "feature"))
    assert [file["path"] for file in begun["changed_files"]] == ["b"]
    await review.end_review()


async def test_one_review_whichever_namespace_began_it(folder: RepositoryFolder) -> None:
    review, part = await methods(folder)
    tip, parent = folder.git("rev-parse", "feature"), folder.git("rev-parse", "main")
    await part.checkout_review_parent("feature")
    await part.setup_review_soft_reset(tip, parent)
    assert (await review.get_review_state())["active"]
    assert "is in progress; end it" in await refusal_of(review.start_review, "feature")
    ready = await review.check_review_ready()
    assert not ready["clean"]
    assert "A review of 'feature' is in progress" in ready["message"]
    folder.write(".git/MERGE_HEAD", tip)
    stuck = await review.end_review()
    assert stuck.get("status") == "partial"
    assert "merge is in progress" in str(stuck)
    (folder.root / ".git/MERGE_HEAD").unlink()
    assert (await review.end_review()).get("status") == "restored"
    assert await refusal_of(review.end_review) == "No review is in progress here."


async def test_what_is_in_the_way_is_said_and_nothing_changes(folder: RepositoryFolder) -> None:
    review, _ = await methods(folder)
    folder.write("a", "changed\n")
    ready = await review.check_review_ready()
    assert ready == {
        "clean": False,
        "message": "Tracked files have changes; commit or discard them before a review.",
    }
    assert await refusal_of(review.start_review, "feature") == ready["message"]
    folder.git("checkout", "-q", "a")
    assert "'gone'" in await refusal_of(review.start_review, "gone")
    assert await refusal_of(review.start_review, "feature", "gone")
    assert folder.git("status", "--porcelain") == ""
    assert folder.git("branch", "--show-current") == "main"


async def test_the_graph_is_that_of_the_repository(folder: RepositoryFolder) -> None:
    review, _ = await methods(folder)
    graph = await review.get_commit_graph(2)
    assert [row["message"] for row in graph["commits"]] == ["two", "one"]
    assert graph["has_more"]
