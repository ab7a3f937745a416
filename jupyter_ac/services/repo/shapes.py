"""What `Repo` answers, where it is more than the domain's own views."""

from typing import Literal, TypedDict


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


class FileWritten(TypedDict):
    """The file is on disk.

    Attributes:
        path: in its one spelling.
        hash: SHA-256 of its bytes, for the `expected_hash` of the next write.
    """

    status: Literal["ok"]
    path: str
    hash: str
