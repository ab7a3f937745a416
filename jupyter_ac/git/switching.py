"""Switches branches."""

import asyncio
from contextlib import suppress
from typing import Final

from jupyter_ac.errors import Conflict, GitError, NotFound
from jupyter_ac.git.branches import Branch, local_branches, remote_branches
from jupyter_ac.git.filtered_paths import refuse_checkout
from jupyter_ac.git.head import Head, current_branch, is_clean, last_commit
from jupyter_ac.git.in_progress import unfinished_operation
from jupyter_ac.git.review.journal import refuse_while_open
from jupyter_ac.git.write_commands import HOOKS_S, Git

_SWITCH: Final = ("switch", "--quiet", "--no-guess")


async def switch_branch(git: Git, name: str) -> Head:
    """Check out a branch and return the new HEAD.

    For a remote's branch the local one of the same name is checked out, and created if necessary.

    Args:
        git: with exclusive access to the repository.
        name: of a local branch, or of a remote's, with the remote's name first.

    Raises:
        NotFound: there is no such branch.
        Conflict: tracked files have changes, or a review, a merge or another operation is in
            progress, or a file would pass through a filter that may not run.
        GitError: git fails: an untracked file is in the way, another worktree has the branch.
    """
    repository = git.repository
    await asyncio.to_thread(refuse_while_open, repository, "you switch branches")
    operation = unfinished_operation(repository)
    if operation is not None:
        raise Conflict(
            f"A git {operation} is in progress; finish or abort it before switching branches."
        )
    if not (await is_clean(repository) or await _is_clean_filtered(git)):
        raise Conflict("Tracked files have changes; commit or discard them before switching.")
    local = {branch.name for branch in await local_branches(repository)}
    if name in local:
        return await _switch(git, f"refs/heads/{name}", *_SWITCH, name)
    remote = _named(await remote_branches(repository), name)
    if remote is None and not await last_commit(repository):
        raise NotFound("There is no commit yet, and so no branch to switch to; make one first.")
    if remote is None:
        raise NotFound(f"There is no branch {name!r}; `git fetch` it first if a remote has it.")
    short = name.partition("/")[2]
    # `--track` would fail if no configured remote fetches the branch.
    create = ("-c", "branch.autoSetupMerge=true", *_SWITCH, "--create", short)
    how = (*_SWITCH, short) if short in local else (*create, f"refs/remotes/{name}")
    commit = f"refs/heads/{short}" if short in local else f"refs/remotes/{name}"
    return await _switch(git, commit, *how)


async def _switch(git: Git, commit: str, *command: str) -> Head:
    await refuse_checkout(git, commit, "nothing was switched")
    await git.run(*command, timeout_s=HOOKS_S)
    return await current_branch(git.repository)


async def _is_clean_filtered(git: Git) -> bool:
    """Return whether files are unchanged after all allowed filters; reading omits some of them."""
    with suppress(GitError):
        await git.run("update-index", "-q", "--refresh", ok=(0, 1))
    return await is_clean(git.repository)


def _named(branches: list[Branch], name: str) -> Branch | None:
    return next((branch for branch in branches if branch.name == name), None)
