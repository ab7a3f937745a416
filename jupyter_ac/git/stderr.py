"""What git wrote to standard error, in a form that can be shown.

Git's messages name absolute paths (its configuration files, the working tree); a message that
leaves the process may not.
"""

import re
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AccessDenied, AcError, Busy, GitError, TooLarge
from jupyter_ac.terminal import terminal_text

MAX_CHARS: Final = 2000
_HEAD_CHARS: Final = 500
"""So much of the beginning of a long message is shown; what counts mostly stands at its end."""

SILENCE: Final = "it gave no reason"

_ASIDE: Final = ("hint:", "warning:")
# What git says last when a program that it ran has said before what is wrong.
_EMPTY_WORDS: Final = ("the remote end hung up unexpectedly", "gpg failed to sign the data")
# Colours and the like.
_SEQUENCE: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b.")
_PARTIAL: Final = (
    "The clone is a partial one, and reading never fetches; "
    "ask for it once in a terminal, by `git show` or `git diff`."
)
_OF_THE_SYSTEM: Final = (
    (
        re.compile("No space left on device|Out of diskspace|Disk quota exceeded", re.IGNORECASE),
        TooLarge,
        "The disk is full; free some space.",
    ),
    (
        re.compile("Read-only file system", re.IGNORECASE),
        AccessDenied,
        "Nothing can be changed there; remount the disk.",
    ),
    (
        re.compile("Too many open files", re.IGNORECASE),
        Busy,
        "Close other programs or connections, or raise the limit (`ulimit -n`), and try again.",
    ),
)
"""Git ends with one exit code for all of these."""

_PREFIX: Final = re.compile(r"^(?:fatal|error|warning|hint): ?", re.IGNORECASE)
_ABSOLUTE: Final = re.compile(r"(?<![\w.:/])(?:/[^\s'\":/]+)+/([^\s'\":/]+)/?")


def complaint(stderr: bytes, root: Path) -> str:
    """Return the message of a failed command on one line, without absolute paths.

    The first `fatal:` or `error:` line and what follows it; all that there is when none is marked,
    or when the mark only says that another program failed.

    Args:
        stderr: standard error as it came.
        root: the directory that the command ran in; its path is left out of the message.
    """
    text = _SEQUENCE.sub("", stderr.decode("utf-8", "replace"))
    # A carriage return ends a line here as well.
    shown_lines = (terminal_text(line).strip() for line in text.splitlines())
    lines = [line for line in shown_lines if line]
    told = [line for line in lines if not line.lower().startswith(_ASIDE)] or lines
    marks = (at for at, line in enumerate(told) if line.lower().startswith(("fatal:", "error:")))
    first = next(marks, 0)
    if any(words in line for line in told for words in _EMPTY_WORDS):
        first = 0
    said = " ".join(_PREFIX.sub("", line) for line in told[first:])
    if "promisor remote" in said:
        return f"{shown(said, root)}. {_PARTIAL}"
    return shown(said, root) or SILENCE


def failure(command: str, said: str) -> AcError:
    """Return the error of a command that failed: of a type of its own where the disk is at fault.

    Args:
        command: git's subcommand.
        said: its complaint.
    """
    message = f"`git {command}` failed: {said}"
    for words, kind, remedy in _OF_THE_SYSTEM:
        if words.search(said):
            return kind(f"{message.rstrip('.')}. {remedy}")
    return GitError(message)


def shown(text: str, root: Path) -> str:
    """Return a text with the root's path taken out and other absolute paths cut to their name."""
    inside = text.replace(f"{root}/", "").replace(str(root), root.name)
    message = _ABSOLUTE.sub(r"\1", inside)
    if len(message) > MAX_CHARS:
        return f"{message[:_HEAD_CHARS]} … {message[_HEAD_CHARS + 3 - MAX_CHARS :]}"
    return message
