"""A review as a front end gets it, in events and in answers."""

from typing import Literal, TypedDict


class ReviewState(TypedDict):
    """What is under review; all null when nothing is.

    Attributes:
        active: a review is under way, whichever host began it.
        phase: `at_parent`: the files are those before the branch; `reviewing`: the branch's;
            `leaving`: it was being ended.
        branch: what is reviewed, as it was named.
        branch_tip: the branch's last commit when the review began.
        base_commit: the first commit of the review.
        parent_commit: what the review compares with.
        original_branch: what was checked out before; null when it was a commit.
        original_sha: the commit that was checked out before.
        since: when it began, ISO 8601; null when that is not known.
        message: a sentence for the user; "" when there is nothing to say.
    """

    active: bool
    phase: Literal["at_parent", "reviewing", "leaving"] | None
    branch: str | None
    branch_tip: str | None
    base_commit: str | None
    parent_commit: str | None
    original_branch: str | None
    original_sha: str | None
    since: str | None
    message: str
