"""The state of a review as sent to the front end."""

import asyncio
import os
from typing import Final

from jupyter_ac.errors import Conflict
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review import journal as review_journal
from jupyter_ac.review_rows import ReviewState
from jupyter_ac.store.stamped_cache import StampedCache, take_stamp
from jupyter_ac.store.state_paths import is_local

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
    """Return the state of the review; reads one file and doesn't run git."""
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
        "message": f"A review of `{journal.branch}` is open; ending it restores `{original}`.",
    }


class ReviewStates:
    """Reads the state of the review, cached while the journal is unchanged.

    Args:
        repository: the repository.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._paths = (os.fspath(repository.git_dir / review_journal.NAME),)
        self._states = StampedCache[ReviewState]()
        self._is_local: bool | None = None

    async def read(self) -> ReviewState:
        """Return the result of `review_state`."""
        known = self._states.get(self._paths)
        if known is not None:
            return known
        if self._is_local is None:
            self._is_local = await asyncio.to_thread(is_local, self._repository.git_dir)
        before = take_stamp(self._paths) if self._is_local else None
        state = await asyncio.to_thread(review_state, self._repository)
        self._states.put(self._paths, before, state, 1)
        return state
