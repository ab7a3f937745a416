"""Lists the branches, local ones and those of remotes, and switches between them."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from jupyter_ac.errors import AlreadyExists, Conflict, GitError, InvalidParams, NotFound
from jupyter_ac.git.commits import MAX_SUBJECT_CHARS, read_log
from jupyter_ac.git.filtered_paths import refuse_checkout
from jupyter_ac.git.in_progress import unfinished_operation
from jupyter_ac.git.refs import Head, current_branch, is_clean, last_commit
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review.journal import refuse_while_open
from jupyter_ac.git.runner import read_git
from jupyter_ac.git.write_commands import HOOKS_S, Git

_REPLACED: Final = "\ufffd"
_HEADS: Final = "refs/heads/"
_REMOTES: Final = "refs/remotes/"
_FIELDS: Final = ("%(refname)", "%(objectname)", "%(symref)", "%(HEAD)", "%(contents:subject)")
_LIST: Final = ("for-each-ref", f"--format={'%00'.join(_FIELDS)}")


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch and its last commit.

    Attributes:
        name: as git shows it; of a remote, with the remote's name first.
        sha: the last commit's full hash.
        subject: the first paragraph of its message, on one line.
        is_current: whether it is checked out in this working tree.
        is_remote: whether it belongs to a remote, as last fetched.
    """

    name: str
    sha: str
    subject: str
    is_current: bool
    is_remote: bool


async def local_branches(repository: Repository) -> list[Branch]:
    """Return the local branches, sorted by name.

    Raises:
        GitError: git can't read them.
    """
    return await _list(repository, ("--sort=refname", _HEADS))


async def remote_branches(repository: Repository) -> list[Branch]:
    """Return the branches of remotes, as last fetched, sorted by name.

    Raises:
        GitError: git can't read them.
    """
    return await _list(repository, ("--sort=refname", _REMOTES))


async def all_branches(repository: Repository) -> list[Branch]:
    """Return local branches, then those of remotes, each group with the newest commit first.

    Left out are a remote's default, which is an alias of one of its branches, and a remote's branch
    if a local branch has the same name and commit.
    """
    newest_first = ("--sort=refname", "--sort=-committerdate")
    found = await _list(repository, (*newest_first, _HEADS, _REMOTES))
    local = [branch for branch in found if not branch.is_remote]
    known = {branch.name for branch in local}, {branch.sha for branch in local}
    remote = [branch for branch in found if branch.is_remote and not _is_known(branch, *known)]
    return local + remote


def _is_known(branch: Branch, names: set[str], shas: set[str]) -> bool:
    return branch.sha in shas and branch.name.partition("/")[2] in names


async def _list(repository: Repository, arguments: tuple[str, ...]) -> list[Branch]:
    output = await read_git(repository.root, (*_LIST, *arguments))
    if output.exit_code != 0:
        raise GitError(f"git can't list the branches: {output.complaint}")
    branches = list(_parsed(output.data))
    # If a message has another encoding, `for-each-ref` outputs raw bytes, but `log` decodes them.
    foreign = [branch.sha for branch in branches if _REPLACED in branch.subject]
    if foreign:
        commits = await read_log(repository, ("--no-walk=unsorted",), foreign)
        subjects = {commit.sha: commit.subject for commit in commits}
        branches = [
            replace(branch, subject=subjects.get(branch.sha, branch.subject)) for branch in branches
        ]
    return branches


def _parsed(data: bytes) -> Iterator[Branch]:
    """Parse the output: one branch per line; neither names nor subjects contain line ends."""
    for row in data.split(b"\n")[:-1]:
        ref, sha, symbolic, head, subject = row.split(b"\0", len(_FIELDS) - 1)
        name = ref.decode("utf-8", "surrogateescape")
        is_remote = name.startswith(_REMOTES)
        short = name.removeprefix(_REMOTES if is_remote else _HEADS)
        if symbolic or (is_remote and "/" not in short):
            continue
        yield Branch(
            name=short,
            sha=sha.decode("ascii"),
            subject=subject.decode("utf-8", "replace")[:MAX_SUBJECT_CHARS],
            is_current=head == b"*",
            is_remote=is_remote,
        )


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


async def create_branch(git: Git, name: str) -> Head:
    """Make a branch at the checked out commit, check it out, and return the new HEAD.

    No file and no entry of the index is touched, so changes stay as they are.

    Args:
        git: with exclusive access to the repository.
        name: of the new branch.

    Raises:
        InvalidParams: git takes no branch of this name.
        AlreadyExists: there is one.
        Conflict: a review, a merge or another operation is in progress.
        GitError: git fails.
    """
    repository = git.repository
    await asyncio.to_thread(refuse_while_open, repository, "you create a branch")
    operation = unfinished_operation(repository)
    if operation is not None:
        raise Conflict(
            f"A git {operation} is in progress; finish or abort it before creating a branch."
        )
    ref = f"{_HEADS}{name}"
    checked = await read_git(repository.root, ("check-ref-format", ref))
    if checked.exit_code != 0 or name.startswith("-") or name == "HEAD":
        raise InvalidParams(
            f"git takes no branch named {name!r}; use letters, digits, '-', '_', '.' and '/'."
        )
    if any(branch.name == name for branch in await local_branches(repository)):
        raise AlreadyExists(f"There is a branch {name!r} already; choose another name.")
    commit = await last_commit(repository)
    if commit:
        await git.run("branch", "--no-track", "--", name, commit)
    await git.run("symbolic-ref", "-m", f"checkout: moving to {name}", "HEAD", ref)
    return await current_branch(repository)


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
