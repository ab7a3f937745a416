"""Splits the text of a command into its arguments; what only a shell understands is refused.

No shell runs, so that the arguments that the user sees are those that the program gets. A pipe or a
redirection would reach the program as an argument and do something else than was meant.
"""

import re
import shlex
from collections.abc import Iterator
from typing import Final

from jupyter_ac.errors import InvalidParams

MAX_CHARS: Final = 8000
MAX_ARGUMENTS: Final = 500

_ONE_COMMAND: Final = "make a call for each command, and look at their output yourself"
_OPERATORS: Final = {
    "|": f"a pipe; {_ONE_COMMAND}",
    "&": f"`&&` or a background job; {_ONE_COMMAND}, with `background` for what goes on",
    ";": f"a sequence of commands; {_ONE_COMMAND}",
    "\n": f"a second line; {_ONE_COMMAND}",
    "\r": f"a second line; {_ONE_COMMAND}",
    ">": "a redirection; read the output of the call, and write files by an edit",
    "<": "a redirection; standard input is empty, so name the file as an argument",
    "(": "a subshell; put it in quotes if it is meant as text",
    ")": "a subshell; put it in quotes if it is meant as text",
    "*": "a pattern; name the files or their folder, or put it in quotes if it is meant as text",
    "?": "a pattern; name the files or their folder, or put it in quotes if it is meant as text",
}
_SUBSTITUTION: Final = (
    "a substitution or a variable; write the value itself, or put it in single quotes if it is "
    "meant as text"
)
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_EXPANDED: Final = re.compile(r"[A-Za-z0-9_({@*#?$!-]")
"""What makes a `$` before it more than a character."""


def split_command(text: str) -> tuple[str, ...]:
    """Return the arguments of a command, the program first.

    Quotes and backslashes have their usual meaning.

    Args:
        text: one command, as it would be typed in a shell.

    Raises:
        InvalidParams: it is empty or too long, a quote is open, or it needs a shell; the message
            says what to do in its place.
    """
    if len(text) > MAX_CHARS:
        raise InvalidParams(f"The command has more than {MAX_CHARS:,} characters; write a script.")
    if "\0" in text:
        raise InvalidParams("The command contains a NUL character; leave it out.")
    text = text.strip()
    for meaning in _of_a_shell(text):
        raise InvalidParams(f"No shell runs the command, and it contains {meaning}.")
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise InvalidParams("A quote or a backslash at the command's end is left open.") from error
    if not words or not words[0]:
        raise InvalidParams("The command is empty; name a program.")
    if len(words) > MAX_ARGUMENTS:
        raise InvalidParams(f"The command has more than {MAX_ARGUMENTS} arguments; name a folder.")
    if _ASSIGNMENT.match(words[0]):
        raise InvalidParams(
            f"No shell runs the command, so {words[0]!r} doesn't set a variable; begin with `env`."
        )
    return tuple(words)


def _of_a_shell(text: str) -> Iterator[str]:
    """Yield what in a text has a meaning for a shell only, in the order of the text."""
    quote, at = "", 0
    while at < len(text):
        character = text[at]
        if character == "\\" and quote != "'":
            following = text[at + 1 : at + 2]
            # shlex would keep the backslash or the line end, which a shell removes.
            if following == "\n" or (quote and following in {"$", "`"}):
                yield _OPERATORS["\n"] if following == "\n" else _SUBSTITUTION
            at += 2
            continue
        if quote:
            if character == quote:
                quote = ""
            elif quote == '"':
                yield from _substitution(text, at)
        elif character in {"'", '"'}:
            quote = character
        else:
            yield from _unquoted(text, at)
        at += 1


def _unquoted(text: str, at: int) -> Iterator[str]:
    character = text[at]
    if character in _OPERATORS:
        yield _OPERATORS[character]
    yield from _substitution(text, at)
    begins_word = at == 0 or text[at - 1].isspace()
    if begins_word and character == "~":
        yield "`~` for a home folder; write the path, relative to the repository"
    if begins_word and character == "#":
        yield "a comment; leave it out, or put it in quotes if it is meant as text"


def _substitution(text: str, at: int) -> Iterator[str]:
    if text[at] == "`" or (text[at] == "$" and _EXPANDED.match(text, at + 1)):
        yield _SUBSTITUTION
