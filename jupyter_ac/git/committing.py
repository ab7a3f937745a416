"""Creates commits, and resets the working tree to the last commit."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import Conflict, GitError, InvalidParams
from jupyter_ac.git.commit_hooks import CommitHooks, commit_hooks
from jupyter_ac.git.descriptor_entries import prune
from jupyter_ac.git.discarding import refuse_overwriting, remove_files
from jupyter_ac.git.environment import Level
from jupyter_ac.git.filtered_paths import refuse_hooks, refuse_restoring
from jupyter_ac.git.in_progress import applies_patches, is_at_pick, unfinished_operation
from jupyter_ac.git.made_commit import record_commit
from jupyter_ac.git.output_parsers import names_in
from jupyter_ac.git.program_policy import REMEDY
from jupyter_ac.git.refs import last_commit
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.restoring import last_versions, restore
from jupyter_ac.git.review.journal import refuse_while_open
from jupyter_ac.git.runner import GitOutput
from jupyter_ac.git.stderr import SILENCE
from jupyter_ac.git.write_commands import HOOKS_S, Git

MAX_MESSAGE_BYTES: Final = 1024 * 1024

# Lines that begin with `#` belong to the message, because no editor adds comments.
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
class CommitResult:
    """The result of a commit.

    Attributes:
        sha: its full hash.
        message: the given message.
        ran: the hooks that git found for it.
    """

    sha: str
    message: str
    ran: CommitHooks


async def commit(git: Git, message: str) -> CommitResult:
    """Commit the staged changes and run the user's hooks.

    Raises:
        InvalidParams: the message is blank, too long, or contains half a character.
        Conflict: a review is in progress, or git is applying a patch and must make the commit
            itself, or the signing program may not run, or hooks would run while a changed file
            belongs to a filter that may not run.
        GitError: nothing is staged, files are in conflict, a hook refuses, git doesn't know the
            committer, or signing fails.
        TimedOut: a hook takes too long.
    """
    data = _encoded(message)
    await asyncio.to_thread(refuse_while_open, git.repository, "a commit")
    if applies_patches(git.repository):
        operation = unfinished_operation(git.repository)
        raise Conflict(
            "git stopped at a patch that did not apply: stage the result, then run "
            f"`git {operation} --continue` in a terminal. So the commit keeps the patch's author "
            "and message."
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
    await asyncio.to_thread(record_commit, git.repository, sha)
    return CommitResult(sha, message, hooks)


async def reset_hard(git: Git) -> None:
    """Reset the index and the tracked files to the last commit; untracked files stay.

    Raises:
        Conflict: a review is in progress, or an untracked file is in the way, or a file would pass
            through a filter that may not run.
        GitError: there is no commit yet, or git can't read it, or can't write.
    """
    await asyncio.to_thread(refuse_while_open, git.repository, "you throw its changes away")
    if not await last_commit(git.repository):
        raise GitError("There is no commit yet to go back to; make one first.")
    changed = names_in((await git.run(*_CHANGED)).data)
    staged = names_in((await git.run(*_CHANGED, "--cached")).data)
    differing = sorted({*changed, *staged})
    committed = await last_versions(git, differing)
    restored = {name: committed[name] for name in differing if name in committed}
    added = [name for name in differing if name not in restored]
    await refuse_overwriting(git, restored, added)
    await refuse_restoring(git, restored, "nothing was discarded")
    await asyncio.to_thread(_remove, git.repository, added)
    await restore(git, restored, restored)
    # Not `--hard`: git writes by path, and would follow a folder that is replaced by a link.
    await git.run("reset", "--quiet", "HEAD", "--")


def _remove(repository: Repository, names: Sequence[str]) -> None:
    """Remove files, and the folders that become empty."""
    remove_files(repository, names)
    for folder in dict.fromkeys((repository.root / name).parent for name in names):
        prune(repository, folder)


async def _commit(git: Git, command: Sequence[str], message: bytes, *, strict: bool) -> GitOutput:
    """Run `git commit`; retry if another git process emptied the message.

    Every git process in the repository writes its message to the same file and reads it again after
    the hooks, some without holding the index lock.

    Args:
        git: the repository.
        command: the command line.
        message: for standard input.
        strict: a missing filter is an error also for a git process that a hook starts.
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
    """Return the options that preserve the author of a commit at which a rebase stopped.

    git preserves the author of a cherry-pick, but not here.
    """
    if not await asyncio.to_thread(is_at_pick, git.repository):
        return []
    picked = await git.run("log", "--max-count=1", "--format=%an <%ae>%x00%aD", "REBASE_HEAD")
    name, _, date = picked.data.decode("utf-8", "surrogateescape").strip().partition("\0")
    return [f"--author={name}", f"--date={date}"]


def _encoded(message: str) -> bytes:
    if not message.strip():
        raise InvalidParams("The commit message is blank; describe the change.")
    try:
        data = message.encode()
    except UnicodeEncodeError:
        raise InvalidParams("The message contains half of a character.") from None
    if len(data) > MAX_MESSAGE_BYTES or b"\0" in data:
        raise InvalidParams("The message is over 1 MiB long, or holds a NUL; shorten it.")
    return data


def _refusal(output: GitOutput) -> GitError:
    """Return why nothing was committed; hooks write to standard error."""
    if _NOTHING.search(output.data.decode("utf-8", "replace")):
        return GitError("Nothing is staged; stage the changes for the commit.")
    if output.complaint == SILENCE:
        return GitError(
            "A hook refused the commit and gave no reason; look at pre-commit, prepare-commit-msg "
            "and commit-msg in .git/hooks or core.hooksPath."
        )
    return GitError(f"The commit was refused: {output.complaint}")


def _explained(error: GitError) -> GitError:
    text = error.message
    if "unmerged files" in text or "unresolved conflict" in text:
        return GitError("Files are in conflict; resolve and stage them before the commit.")
    if _NOBODY.search(text):
        return GitError(
            "git does not know who you are; run `git config --global user.name NAME` and "
            "`git config --global user.email ADDRESS`."
        )
    if _UNSIGNED.search(text):
        return GitError(
            f"{text}. The commit can't be signed; make the key usable without a prompt, with its "
            "agent, or switch signing off by `git config commit.gpgsign false`."
        )
    return error
