"""What a page is told of a review under way."""

from typing import Final

from jupyter_ac.errors import Conflict
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review import journal as review_journal
from jupyter_ac.review_rows import ReviewState

NO_REVIEW: Final[ReviewState] = {
    "active": False,
    "phase": None,
    "branch": None,
    "branch_tip": None,
    "base_commit": None,
    "parent_commit": None,
    "original_branch": None,
    "original_sha": None,
    "since": None,
    "message": "",
}


def review_state(repository: Repository) -> ReviewState:
    """Return what is under review here; one file is read, no git runs."""
    try:
        journal = review_journal.read(repository)
    except Conflict as error:
        return {**NO_REVIEW, "message": error.message}
    if journal is None:
        return NO_REVIEW
    original = journal.original_branch or journal.original_sha[:10]
    return {
        "active": True,
        "phase": journal.phase.value,
        "branch": journal.branch,
        "branch_tip": journal.branch_tip,
        "base_commit": journal.base_commit,
        "parent_commit": journal.parent_commit,
        "original_branch": journal.original_branch,
        "original_sha": journal.original_sha,
        "since": journal.since or None,
        "message": f"A review of `{journal.branch}` is open; its end goes back to `{original}`.",
    }
