"""RPC methods for commits, branches and HEAD."""

from typing import Final

from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.git.branches import Branch, all_branches, local_branches
from jupyter_ac.git.commits import Commit, commits_between, search_commits
from jupyter_ac.git.graph import Graph
from jupyter_ac.git.refs import (
    NamedCommit,
    current_branch,
    first_parent,
    is_clean,
    merge_base,
    resolve_commit,
)
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.task_groups import grouped
from jupyter_ac.rpc.context import CALLER
from jupyter_ac.rpc.methods import Access, Refusal, method
from jupyter_ac.services.repo.shapes import (
    Branches,
    BranchRow,
    CommitGraph,
    CommitName,
    CommitRow,
    CurrentBranch,
    GraphRow,
)


class BranchMethods:
    """`Repo` methods about branches and HEAD."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    @method(Access.READ)
    async def get_current_branch(self) -> CurrentBranch:
        """Return the branch and the commit that are checked out."""
        head = await current_branch(self._repository)
        return {"branch": head.branch, "sha": head.sha, "detached": head.detached}

    @method(Access.READ)
    async def is_clean(self) -> bool:
        """Tell whether no tracked file differs from the last commit."""
        return await is_clean(self._repository)

    @method(Access.READ)
    async def list_branches(self) -> Branches:
        """Return the repository's own branches by name, and which is checked out."""
        head = await current_branch(self._repository)
        found = await local_branches(self._repository)
        return {"branches": [branch_row(branch) for branch in found], "current": head.branch}

    @method(Access.READ)
    async def list_all_branches(self) -> list[BranchRow]:
        """Return local branches, then those of remotes, each newest commit first."""
        return [branch_row(branch) for branch in await all_branches(self._repository)]


def branch_row(branch: Branch) -> BranchRow:
    """Serialize a branch."""
    return {
        "name": branch.name,
        "sha": branch.sha,
        "message": branch.subject,
        "is_current": branch.is_current,
        "is_remote": branch.is_remote,
    }


_LIMIT: Final = 100


class CommitHistoryMethods:
    """`Repo` methods about commits."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._graph = Graph(repository)

    @method(Access.READ)
    async def search_commits(
        self, query: str, branch: str | None = None, limit: int = _LIMIT
    ) -> list[CommitRow]:
        """Return the commits whose message or author holds a text, newest first.

        A query that names a commit gives that one; without `branch` all refs are searched.
        """
        found = await search_commits(
            self._repository,
            query,
            branch or None,
            limit,
        )
        return [commit_row(commit) for commit in found]

    @method(Access.READ)
    async def get_commit_log(
        self, base: str, head: str = "HEAD", limit: int = _LIMIT
    ) -> list[CommitRow]:
        """Return the commits that `head` has and `base` has not, newest first."""
        found = await commits_between(self._repository, base, head, limit)
        return [commit_row(commit) for commit in found]

    @method(Access.READ)
    async def get_commit_graph(
        self, limit: int = _LIMIT, offset: int = 0, include_remote: bool = False
    ) -> CommitGraph:
        """Return a page of the commits, children before parents, and the branches.

        Further pages go on from what the caller's last first page (`offset` 0) began with.
        """
        caller = CALLER.get(None)
        reader = self if caller is None else caller.peer
        list_branches = all_branches if include_remote else local_branches
        async with grouped() as tasks:
            branches = tasks.create_task(list_branches(self._repository))
            page = await self._graph.page(reader, limit, offset, every_ref=include_remote)
        return {
            "commits": [_graph_row(commit) for commit in page.commits],
            "branches": [branch_row(branch) for branch in branches.result()],
            "has_more": page.has_more,
        }

    @method(Access.READ, refusal=Refusal, refused=(NotFound, InvalidParams))
    async def get_commit_parent(self, commit: str) -> CommitName:
        """Return the commit that this one was made on."""
        found = await first_parent(self._repository, commit)
        return _name(found, f"{commit!r} is the first commit; it has no parent.")

    @method(Access.READ, refusal=Refusal, refused=(NotFound, InvalidParams))
    async def get_merge_base(self, ref1: str, ref2: str | None = None) -> CommitName:
        """Return the best common ancestor of two refs; without `ref2`, of `ref1` and the trunk."""
        found = await merge_base(self._repository, ref1, ref2 or None)
        return _name(found, f"{ref1!r} and {ref2 or 'the trunk'!r} have no commit in common.")

    @method(Access.READ)
    async def resolve_ref(self, ref: str) -> str | None:
        """Return the full hash of the commit that a name stands for; null when there is none."""
        try:
            return await resolve_commit(self._repository, ref)
        except (NotFound, InvalidParams):
            return None


def commit_row(commit: Commit) -> CommitRow:
    """Serialize a commit."""
    return {
        "sha": commit.sha,
        "short_sha": commit.short_sha,
        "message": commit.subject,
        "author": commit.author,
        "date": commit.date,
    }


def _graph_row(commit: Commit) -> GraphRow:
    return {**commit_row(commit), "relative_date": commit.age, "parents": list(commit.parents)}


def _name(found: NamedCommit | None, otherwise: str) -> CommitName:
    if found is None:
        raise NotFound(otherwise)
    return {"sha": found.sha, "short_sha": found.short_sha}
