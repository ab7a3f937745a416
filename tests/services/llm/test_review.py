from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.git.review.state import NO_REVIEW
from jupyter_ac.services.llm.review import OpenReviewMethods
from tests.support.changing import service_of
from tests.support.conformance import refusal_of
from tests.support.repositories import make_repository


async def test_the_review_under_the_names_of_the_seeds_clients(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.git("checkout", "-q", "-b", "feature")
    folder.write("a", "1\n2\n")
    folder.commit("one")
    folder.write("b", "1\n")
    tip = folder.commit("two")
    folder.git("checkout", "-q", "main")
    repository = await discover(folder.root)
    part = service_of(repository).review
    review = OpenReviewMethods(repository, part.leave)
    nothing = {**NO_REVIEW, "commits": [], "changed_files": [], "stats": None}
    assert await review.get_review_state() == nothing
    assert await refusal_of(review.end_review) == "No review is in progress here."
    await part.checkout_review_parent("feature")
    await part.setup_review_soft_reset(tip, folder.git("rev-parse", "main"))
    state = await review.get_review_state()
    assert [commit["message"] for commit in state["commits"]] == ["two", "one"]
    assert [file["path"] for file in state["changed_files"]] == ["a", "b"]
    assert state["stats"] == {
        "commit_count": 2,
        "files_changed": 2,
        "additions": 2,
        "deletions": 0,
    }
    assert "+2" in (await review.get_review_file_diff("a"))["diff"]
    folder.write(".git/MERGE_HEAD", tip)
    stuck = await review.end_review()
    assert stuck.get("status") == "partial"
    assert "merge is in progress" in str(stuck)
    (folder.root / ".git/MERGE_HEAD").unlink()
    assert (await review.end_review()).get("status") == "restored"
    assert await review.get_review_state() == nothing
