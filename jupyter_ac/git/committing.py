"""Making commits, and going back to the last one."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import Conflict, GitError, InvalidParams
from jupyter_ac.git.commit_hooks import CommitHooks, commit_hooks
from jupyter_ac.git.descriptor_entries import prune
from jupyter_ac.git.discarding import remove_files
from jupyter_ac.git.environment import Level
from jupyter_ac.git.filtered_paths import refuse_hooks, refuse_restoring
from jupyter_ac.git.head import last_commit
from jupyter_ac.git.in_progress import applies_patches, is_at_pick, under_way
from jupyter_ac.git.made_commit import remember
from jupyter_ac.git.name_lists import names_in
from jupyter_ac.git.program_policy import REMEDY
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.restore_conflicts import require_room
from jupyter_ac.git.restoring import last_versions, restore
from jupyter_ac.git.review.journal import refuse_while_open
from jupyter_ac.git.runner import GitOutput
from jupyter_ac.git.stderr import SILENCE
from jupyter_ac.git.write_commands import HOOKS_S, Git

MAX_MESSAGE_BYTES: Final = 1024 * 1024

# Lines that begin with `#` are the message's own: nobody edits it.
_COMMIT: Final = ("commit", "--quiet", "--cleanup=whitespace", "--file=-")
_CHANGED: Final = (
    *("diff-index", "HEAD", "--name-only", "-z"),
    *("--no-renames", "--ignore-submodules=dirty"),
)
_NOBODY: Final = re.compile(
    r"tell me who you are|empty ident name|auto-detect(?:ion)? |no (?:name|email) was given"
    r"|consists only of disallowed characters",
    re.IGNORECASE,
)
_NOTHING: Final = re.compile(r"^(?:nothing|no changes) (?:added )?to commit", re.MULTILINE)
_UNSIGNED: Final = re.compile(r"failed to sign|signing ?key|public key|gpg\.(?:ssh|format|program)")
_REFUSED: Final = 1
_EMPTIED: Final = "Aborting commit due to empty commit message"
_TRIES: Final = 3


@dataclass(frozen=True, slots=True)
class Committed:
    """A commit that was made.

    Attributes:
        sha: its full hash.
        message: as it was given.
        ran: the hooks that git found for it.
    """

    sha: str
    message: str
    ran: CommitHooks


async def commit(git: Git, message: str) -> Committed:
    """Commit what is staged, with the user's hooks.

    Raises:
        InvalidParams: the message is blank, too long, or holds half a character.
        Conflict: a review is under way, or a patch is applied, whose commit git itself makes, or
            the commit would be signed by a program that may not run, or hooks would run while a
            changed file belongs to a filter that may not.
        GitError: nothing is staged, files are in conflict, a hook refuses, git doesn't know who
            commits, or can't sign.
        TimedOut: a hook takes too long.
    """
    data = _encoded(message)
    await asyncio.to_thread(refuse_while_open, git.repository, "a commit")
    if applies_patches(git.repository):
        raise Conflict(
            f"git waits for a patch to be mended: stage the result, then run "
            f"`git {under_way(git.repository)} --continue` in a terminal. So the commit keeps the "
            "patch's author and message."
        )
    hooks = await asyncio.to_thread(commit_hooks, git.repository, await git.policy())
    if hooks.refusal:
        raise Conflict(f"Not committed: {hooks.refusal}. To let it sign, {REMEDY}.")
    if hooks.is_any:
        await refuse_hooks(git)
    command = (*_COMMIT, *await _author(git))
    try:
        output = await _commit(git, command, data, strict=hooks.is_any)
    except GitError as error:
        raise _explained(error) from error
    if output.exit_code == _REFUSED:
        raise _refusal(output)
    head = await git.run("rev-parse", "--verify", "HEAD^{commit}")
    sha = head.data.decode("ascii").strip()
    await asyncio.to_thread(remember, git.repository, sha)
    return Committed(sha, message, hooks)


async def reset_hard(git: Git) -> None:
    """Make index and tracked files hold the last commit; untracked files stay.

    Raises:
        Conflict: a review is under way, or what git doesn't know stands where a file is to be, or
            one would pass through a filter that may not run.
        GitError: there is no commit yet, or git can't read it, or can't write.
    """
    await asyncio.to_thread(refuse_while_open, git.repository, "you throw its changes away")
    if not await last_commit(git.repository):
        raise GitError("There is no commit yet to go back to; make one first.")
    changed = names_in((await git.run(*_CHANGED)).data)
    staged = names_in((await git.run(*_CHANGED, "--cached")).data)
    differing = sorted({*changed, *staged})
    committed = await last_versions(git, differing)
    kept = {name: committed[name] for name in differing if name in committed}
    added = [name for name in differing if name not in kept]
    await require_room(git, kept, added)
    await refuse_restoring(git, kept, "nothing was discarded")
    await asyncio.to_thread(_remove, git.repository, added)
    await restore(git, kept, kept)
    # Not `--hard`: git would write by path, through a folder that becomes a link meanwhile.
    await git.run("reset", "--quiet", "HEAD", "--")


def _remove(repository: Repository, names: Sequence[str]) -> None:
    """Remove files, and the folders that only they were in."""
    remove_files(repository, names)
    for folder in dict.fromkeys((repository.root / name).parent for name in names):
        prune(repository, folder)


async def _commit(git: Git, command: Sequence[str], message: bytes, *, strict: bool) -> GitOutput:
    """Commit; once more when another git took the message away.

    A hook may stage files by a git of its own, which must not do without a filter either.

    Every git in the repository writes its message to the same file and reads it again behind the
    hooks, some without the index's lock.
    """
    for _ in range(_TRIES):
        output = await git.run(
            *command,
            stdin=message,
            ok=(0, _REFUSED),
            timeout_s=HOOKS_S,
            level=Level.COMMITTING,
            strict=strict,
        )
        if _EMPTIED not in output.complaint:
            break
    return output


async def _author(git: Git) -> list[str]:
    """Return what keeps the author of a commit that a rebase has stopped at.

    git itself keeps the one of a cherry-pick, but not here.
    """
    if not await asyncio.to_thread(is_at_pick, git.repository):
        return []
    picked = await git.run("log", "--max-count=1", "--format=%an <%ae>%x00%aD", "REBASE_HEAD")
    name, _, date = picked.data.decode("utf-8", "surrogateescape").strip().partition("\0")
    return [f"--author={name}", f"--date={date}"]


def _encoded(message: str) -> bytes:
    if not message.strip():
        raise InvalidParams("The commit message is blank; say what the commit does.")
    try:
        data = message.encode()
    except UnicodeEncodeError:
        raise InvalidParams("The message holds half a character; no text can.") from None
    if len(data) > MAX_MESSAGE_BYTES or b"\0" in data:
        raise InvalidParams("The message is over 1 MiB long, or holds a NUL; shorten it.")
    return data


def _refusal(output: GitOutput) -> GitError:
    """Say why nothing was committed; what hooks write goes to standard error."""
    if _NOTHING.search(output.data.decode("utf-8", "replace")):
        return GitError("Nothing is staged; stage the changes that the commit is to hold.")
    if output.complaint == SILENCE:
        return GitError(
            "A hook refused the commit and gave no reason; look at pre-commit, prepare-commit-msg "
            "and commit-msg in .git/hooks or core.hooksPath."
        )
    return GitError(f"The commit was refused: {output.complaint}")


def _explained(error: GitError) -> GitError:
    said = error.message
    if "unmerged files" in said or "unresolved conflict" in said:
        return GitError("Files are in conflict; resolve and stage them before the commit.")
    if _NOBODY.search(said):
        return GitError(
            "git does not know who you are; run `git config --global user.name NAME` and "
            "`git config --global user.email ADDRESS`."
        )
    if _UNSIGNED.search(said):
        return GitError(
            f"{said}. The commit can't be signed; make the key usable without a question, by its "
            "agent, or switch signing off by `git config commit.gpgsign false`."
        )
    return error
