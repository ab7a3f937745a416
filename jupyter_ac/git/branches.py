"""Lists branches: local ones and those of remotes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from jupyter_ac.errors import GitError
from jupyter_ac.git.commits import MAX_SUBJECT_CHARS, read_log
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import read_git

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
