"""What `Repo` answers, where it is more than the domain's own views."""

from typing import TypedDict


class CurrentBranch(TypedDict):
    """What is checked out.

    Attributes:
        branch: null when no branch is checked out.
        sha: of the commit; "" when there is none yet.
        detached: a commit is checked out, not a branch.
    """

    branch: str | None
    sha: str
    detached: bool
