"""Converts git's standard error to messages that can be shown.

git's messages contain absolute paths (its configuration files, the working tree), which must not
leave the process.
"""

import re
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AccessDenied, AcError, Busy, GitError, TooLarge
from jupyter_ac.terminal import terminal_text, without_sequences

MAX_CHARS: Final = 2000
_HEAD_CHARS: Final = 500
"""Length of the displayed beginning of a long message; the essential part is mostly at its end."""

SILENCE: Final = "it gave no reason"

_ASIDE: Final = ("hint:", "warning:")
# git's last words if a program that it ran has already reported the problem.
_EMPTY_WORDS: Final = ("the remote end hung up unexpectedly", "gpg failed to sign the data")
_PARTIAL: Final = (
    "The clone is a partial one, and reading never fetches; "
    "fetch it once in a terminal, with `git show` or `git diff`."
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
"""git has one exit code for all of these."""

_PREFIX: Final = re.compile(r"^(?:fatal|error|warning|hint): ?", re.IGNORECASE)
_ABSOLUTE: Final = re.compile(r"(?<![\w.:/])(?:/[^\s'\":/]+)+/([^\s'\":/]+)/?")


def complaint(stderr: bytes, root: Path) -> str:
    """Extract the message of a failed command on one line, without absolute paths.

    Starts at the first `fatal:` or `error:` line; uses all lines if there is no such line, or if it
    only says that another program failed.

    Args:
        stderr: standard error.
        root: the directory of the command; its path is removed from the message.
    """
    text = without_sequences(stderr.decode("utf-8", "replace"))
    # A carriage return also ends a line here.
    shown_lines = (terminal_text(line).strip() for line in text.splitlines())
    lines = [line for line in shown_lines if line]
    messages = [line for line in lines if not line.lower().startswith(_ASIDE)] or lines
    marks = (
        at for at, line in enumerate(messages) if line.lower().startswith(("fatal:", "error:"))
    )
    first = next(marks, 0)
    if any(words in line for line in messages for words in _EMPTY_WORDS):
        first = 0
    text = " ".join(_PREFIX.sub("", line) for line in messages[first:])
    if "promisor remote" in text:
        return f"{shown(text, root)}. {_PARTIAL}"
    return shown(text, root) or SILENCE


def failure(command: str, message: str) -> AcError:
    """Return the error for a failed command, with a more specific type for system errors.

    Args:
        command: git's subcommand.
        message: its error message.
    """
    text = f"`git {command}` failed: {message}"
    for words, kind, remedy in _OF_THE_SYSTEM:
        if words.search(message):
            return kind(f"{text.rstrip('.')}. {remedy}")
    return GitError(text)


def shown(text: str, root: Path) -> str:
    """Remove the root's path from a text, and shorten other absolute paths to their name."""
    inside = text.replace(f"{root}/", "").replace(str(root), root.name)
    message = _ABSOLUTE.sub(r"\1", inside)
    if len(message) > MAX_CHARS:
        return f"{message[:_HEAD_CHARS]} … {message[_HEAD_CHARS + 3 - MAX_CHARS :]}"
    return message
