from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.git.review import journal as review_journal
from jupyter_ac.git.review.journal import Phase, ReviewJournal
from jupyter_ac.git.review.state import NO_REVIEW, review_state
from tests.support.repositories import make_repository


async def test_what_a_page_is_told(tmp_path: Path) -> None:
    repository = await discover(make_repository(tmp_path / "r").root)
    assert review_state(repository) == NO_REVIEW
    since = "2026-11-22T08:00:00+00:00"
    journal = ReviewJournal(
        "feature", "1" * 40, "2" * 40, "3" * 40, None, "4" * 40, Phase.REVIEWING, since
    )
    review_journal.write(repository, journal)
    assert review_state(repository) == {
        "active": True,
        "phase": "reviewing",
        "branch": "feature",
        "branch_tip": "1" * 40,
        "base_commit": "2" * 40,
        "parent_commit": "3" * 40,
        "original_branch": None,
        "original_sha": "4" * 40,
        "since": since,
        "message": "A review of `feature` is open; ending it restores `4444444444`.",
    }


async def test_what_is_no_journal_is_said(tmp_path: Path) -> None:
    repository = await discover(make_repository(tmp_path / "r").root)
    (repository.git_dir / "review.json").write_text("rubbish")
    state = review_state(repository)
    assert state == {**NO_REVIEW, "message": state["message"]}
    assert ".git/review.json can't be used" in state["message"]
