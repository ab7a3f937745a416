"""Making commits, and going back to the last one."""

import re
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import GitError, InvalidParams
from jupyter_ac.git.changing import HOOKS_S, Git

MAX_MESSAGE_BYTES: Final = 1024 * 1024

# Lines that begin with `#` are the message's own: nobody edits it.
_COMMIT: Final = ("commit", "--quiet", "--cleanup=whitespace", "--file=-")
_NOBODY: Final = re.compile(
    r"tell me who you are|empty ident name|auto-detect(?:ion)? |no (?:name|email) was given",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Committed:
    """A commit that was made.

    Attributes:
        sha: its full hash.
        message: as it was given.
    """

    sha: str
    message: str


async def commit(git: Git, message: str) -> Committed:
    """Commit what is staged, with the user's hooks.

    Raises:
        InvalidParams: the message is blank, too long, or holds half a character.
        GitError: nothing is staged, files are in conflict, a hook refuses, git doesn't know who
            commits, or can't sign.
        TimedOut: a hook takes too long.
    """
    data = _encoded(message)
    try:
        await git.run(*_COMMIT, stdin=data, timeout_s=HOOKS_S)
    except GitError as error:
        raise _explained(error) from error
    head = await git.run("rev-parse", "--verify", "HEAD^{commit}")
    return Committed(head.data.decode("ascii").strip(), message)


async def reset_hard(git: Git) -> None:
    """Make index and tracked files hold the last commit; untracked files stay.

    Raises:
        GitError: there is no commit yet, or git can't write.
    """
    head = await git.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}", ok=(0, 1))
    if head.exit_code != 0:
        raise GitError("There is no commit yet to go back to; make one first.")
    await git.run("reset", "--hard", "--quiet", "HEAD", "--")


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


def _explained(error: GitError) -> GitError:
    said = error.message
    if "nothing to commit" in said or "nothing added to commit" in said or "no changes" in said:
        return GitError("Nothing is staged; stage the changes that the commit is to hold.")
    if "unmerged files" in said or "unresolved conflict" in said:
        return GitError("Files are in conflict; resolve and stage them before the commit.")
    if _NOBODY.search(said):
        return GitError(
            "git does not know who you are; run `git config --global user.name NAME` and "
            "`git config --global user.email ADDRESS`."
        )
    return error
