"""Wire types of a review, in events and in answers."""

from typing import Literal, TypedDict


class ReviewState(TypedDict):
    """The state of a review; all null if there is none.

    Attributes:
        active: a review is in progress, started by any host.
        phase: `at_parent`: the files are those before the branch; `reviewing`: the branch's;
            `leaving`: it was being ended.
        branch: the reviewed branch, as named by the user.
        branch_tip: the branch's last commit at the start of the review.
        base_commit: the first commit of the review.
        parent_commit: the commit that the review compares with.
        original_branch: the branch checked out before; null if it was a commit.
        original_sha: the commit checked out before.
        since: its start, ISO 8601; null if unknown.
        message: a sentence for the user; "" for none.
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
