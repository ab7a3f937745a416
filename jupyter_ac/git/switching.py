"""Checking out another branch."""

from typing import Final

from jupyter_ac.errors import Conflict, NotFound
from jupyter_ac.git.branch_lists import Branch, local_branches, remote_branches
from jupyter_ac.git.branches import Head, current_branch, is_clean
from jupyter_ac.git.changing import HOOKS_S, Git
from jupyter_ac.git.operations import under_way

_SWITCH: Final = ("switch", "--quiet", "--no-guess")


async def switch_branch(git: Git, name: str) -> Head:
    """Check a branch out and return where HEAD is then.

    A remote's branch becomes the local one of its name, made when there is none.

    Args:
        git: alone with the repository.
        name: of a local branch, or of a remote's with the remote's name before it.

    Raises:
        NotFound: there is no such branch.
        Conflict: tracked files have changes, or a merge or the like is under way.
        GitError: git can't: an untracked file stands in the way, another worktree has the branch.
    """
    repository = git.repository
    operation = under_way(repository)
    if operation is not None:
        raise Conflict(f"A {operation} is under way; finish or abort it before switching branches.")
    if not await is_clean(repository):
        raise Conflict("Tracked files have changes; commit or discard them before switching.")
    local = {branch.name for branch in await local_branches(repository)}
    if name in local:
        await git.run(*_SWITCH, name, timeout_s=HOOKS_S)
        return await current_branch(repository)
    remote = _named(await remote_branches(repository), name)
    if remote is None:
        raise NotFound(f"There is no branch {name!r}; `git fetch` it first if a remote has it.")
    short = name.partition("/")[2]
    how = (short,) if short in local else ("--create", short, "--track", name)
    await git.run(*_SWITCH, *how, timeout_s=HOOKS_S)
    return await current_branch(repository)


def _named(branches: list[Branch], name: str) -> Branch | None:
    return next((branch for branch in branches if branch.name == name), None)
