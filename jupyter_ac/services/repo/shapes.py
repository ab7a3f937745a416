"""Response types of `Repo` that are not views of the domain."""

from typing import Literal, NotRequired, TypedDict


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


class FileData(TypedDict):
    """A file's bytes as `data:KIND;base64,…`."""

    data_uri: str


class CommitName(TypedDict):
    """A commit by its full hash and the shortest that git gives it."""

    sha: str
    short_sha: str


class CommitRow(CommitName):
    """One commit.

    Attributes:
        message: the first paragraph of its message, on one line.
        author: the author's name.
        date: when it was written, ISO 8601.
    """

    message: str
    author: str
    date: str


class GraphRow(CommitRow):
    """One commit and where it hangs.

    Attributes:
        relative_date: the date in words.
        parents: full hashes, that of the branch it was made on first.
    """

    relative_date: str
    parents: list[str]


class BranchRow(TypedDict):
    """A branch and its last commit.

    Attributes:
        name: a remote's with the remote's name before it.
        sha: of the last commit.
        message: the first paragraph of its message.
        is_current: whether it is checked out here.
        is_remote: whether it is a remote's, as last fetched.
    """

    name: str
    sha: str
    message: str
    is_current: bool
    is_remote: bool


class Branches(TypedDict):
    """The repository's own branches.

    Attributes:
        branches: by name.
        current: null when no branch is checked out.
    """

    branches: list[BranchRow]
    current: str | None


class CommitGraph(TypedDict):
    """A page of the commits, and the branches to mark in it.

    Attributes:
        commits: children before parents.
        has_more: whether a further page has any.
    """

    commits: list[GraphRow]
    branches: list[BranchRow]
    has_more: bool


class Diff(TypedDict):
    """A unified diff, "" when nothing differs."""

    diff: str


class Done(TypedDict):
    """It was done."""

    status: Literal["ok"]


class StagedAll(Done):
    """What has changed is in the index.

    Attributes:
        left_out: tracked files in whose place a pipe, a socket or a device stands now; git can't
            hold these. Not there when nothing was left out.
    """

    left_out: NotRequired[list[str]]


class CommitMade(TypedDict):
    """A commit that was made.

    Attributes:
        sha: its full hash.
        message: as it was given.
        hooks: the hooks that git found for it.
        hooks_folder: where they are; "" for none there.
    """

    sha: str
    message: str
    hooks: list[str]
    hooks_folder: str


class CommitHooksRow(TypedDict):
    """What a commit runs beside git.

    Attributes:
        hooks: the hooks that git finds, by name.
        folder: where they are; "" for none there.
        commands: of hooks that the configuration names, and of the program that signs.
        refusal: why a commit would be refused: the program that signs may not run; "" for none.
    """

    hooks: list[str]
    folder: str
    commands: list[str]
    refusal: str


class ProgramRow(TypedDict):
    """A program that git's configuration names.

    Attributes:
        kind: filter, signing, hooks (a folder), include (a further file of configuration), hook,
            fsmonitor, diff, merge, alias, credential, transport, editor, pager, tool or submodule.
        name: a filter's own name; of others the key in git's configuration.
        command: as the configuration has it; several of one filter in a line each.
        scope: of the configuration: system, global, local, worktree, command.
        files: of the working tree that it names, also such as don't exist.
        state: `trusted`: the user configured it for all repositories; `allowed`: for this one;
            `changed`: it, or a file that it names, isn't as it was allowed; `never_run`: git is
            never let start it, hooks of a commit apart.
        reason: in words; "" when there is nothing to say.
    """

    kind: str
    name: str
    command: str
    scope: str
    files: list[str]
    state: Literal["trusted", "allowed", "not_allowed", "changed", "never_run"]
    reason: str


class BranchSwitched(Done):
    """A branch was checked out.

    Attributes:
        sha: of its last commit.
    """

    branch: str
    sha: str


class ReviewBegun(TypedDict):
    """What was before the branch is checked out.

    Attributes:
        branch_tip: the branch's last commit.
        base_commit: the first commit of the review.
        parent_commit: what the review compares with.
        original_branch: what was checked out before; null when it was a commit.
    """

    branch: str
    branch_tip: str
    base_commit: str
    parent_commit: str
    original_branch: str | None
    phase: Literal["at_parent"]


class ReviewReady(TypedDict):
    """The branch's files are on disk, and all that it changes is staged."""

    status: Literal["review_ready"]


class ReviewRestored(TypedDict):
    """What was checked out before is checked out again.

    Attributes:
        branch: null when it is a commit.
        stashed: what was changed during the review is in `git stash`.
        stash: the stash's commit; null when there is none.
        kept: the branch that was made for commits of the user's; null when there is none.
        message: sentences for the user: where this is, what was kept and how to get at it.
    """

    status: Literal["restored"]
    branch: str | None
    sha: str
    stashed: bool
    stash: str | None
    kept: str | None
    message: str


class ReviewFileDiff(TypedDict):
    """What a review changes in one file, as a unified diff."""

    path: str
    diff: str
