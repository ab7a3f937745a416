"""A commit of all changes, in two steps: stage everything, then commit with a message."""

import asyncio
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import Conflict, GitError
from jupyter_ac.git.commit_hooks import CommitHooks
from jupyter_ac.git.committing import commit
from jupyter_ac.git.diffs import staged_diff
from jupyter_ac.git.output_parsers import names_in
from jupyter_ac.git.review.journal import refuse_while_open
from jupyter_ac.git.staging import stage_all
from jupyter_ac.git.write_commands import Git

_NAMED: Final = 3
_ADDED: Final = (
    *("diff", "--cached", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-relative"),
    *("--ignore-submodules=dirty", "--diff-filter=A", "--name-only", "-z"),
)
_CHANGED: Final = (
    *("log", "--max-count=1", "--format=", "--first-parent", "-m", "--root"),
    "--no-show-signature",
    *("--no-renames", "--name-only", "-z"),
)


@dataclass(frozen=True, slots=True)
class MadeCommit:
    """The result of a commit.

    Attributes:
        sha: its full hash.
        short_sha: its abbreviated hash.
        message: the given message.
        files: the changed files.
        ran: the hooks that git found for it.
    """

    sha: str
    short_sha: str
    message: str
    files: list[str]
    ran: CommitHooks


async def refuse_commit(git: Git) -> None:
    """Refuse a commit that would break a review, or treat conflicts as resolved.

    Raises:
        Conflict: a review is in progress, or files are in conflict.
    """
    await asyncio.to_thread(refuse_while_open, git.repository, "a commit")
    listed = await git.run("ls-files", "--unmerged", "-z")
    entries = names_in(listed.data)
    names = list(dict.fromkeys(entry.partition("\t")[2] for entry in entries))
    if names:
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        raise Conflict(
            f"Files are in conflict: {', '.join(names[:_NAMED])}{more}; resolve and stage them "
            "before the commit."
        )


@dataclass(frozen=True, slots=True)
class Staged:
    """The changes of the next commit.

    Attributes:
        diff: of all changes; if it is very long, files are only named.
        untracked: files that git did not track before.
        left_out: tracked files that were replaced by a pipe, a socket or a device.
    """

    diff: str
    untracked: frozenset[str]
    left_out: tuple[str, ...] = ()


async def stage_everything(git: Git) -> Staged:
    """Stage all changes.

    Raises:
        Conflict: as `refuse_commit`, or a file would pass through a filter that may not run.
        GitError: nothing has changed, or git can't write the index.
        TooLarge: even the names of the files are too long.
    """
    await refuse_commit(git)
    before = names_in((await git.run(*_ADDED)).data)
    left_out = await stage_all(git)
    added = names_in((await git.run(*_ADDED)).data)
    diff = await staged_diff(git.repository)
    if not diff.strip():
        raise GitError("There is nothing to commit: nothing has changed since the last commit.")
    return Staged(diff, frozenset(added).difference(before), tuple(left_out))


async def commit_staged(git: Git, message: str) -> MadeCommit:
    """Commit what is staged, with the user's hooks; raises as `commit`."""
    made = await commit(git, message)
    short = await git.run("rev-parse", "--short", made.sha)
    changed = await git.run(*_CHANGED, made.sha, "--")
    return MadeCommit(
        made.sha, short.data.decode("ascii").strip(), made.message, names_in(changed.data), made.ran
    )
