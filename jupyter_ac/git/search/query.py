"""Translates a search query to options of `git grep`.

Also corrects git's matching of whole words, and chooses the faster byte mode where it is safe.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import InvalidParams

MAX_QUERY_CHARS: Final = 4096
MAX_CONTEXT_LINES: Final = 20

_ESCAPED: Final = re.compile(r"\\[^A-Za-z0-9<>`']")
_ABOUT_LETTERS: Final = re.compile(r"[^\x00-\x7f]|\\|\[\^|\[[:.=]|\.(?!\*)")
# Any number of letters except a few: the number of bytes doesn't matter.
_SKIPPED: Final = re.compile(r"\[\^\]?[^]\[\\]*\]\*")
_SKIPPED_ONCE: Final = re.compile(r"(?:\[\^\]?[^]\[\\]*\]|\.)\+")


@dataclass(frozen=True, slots=True)
class Query:
    """A search query.

    Attributes:
        text: one line; a POSIX extended regular expression if `use_regex`.
        whole_word: the match must not be next to a letter, digit or `_`; for an expression only
            ASCII letters count.
        use_regex: read `text` as an expression instead of literally.
        ignore_case: treat upper and lower case as equal.
        context_lines: number of lines before and after a match.
    """

    text: str
    whole_word: bool = False
    use_regex: bool = False
    ignore_case: bool = True
    context_lines: int = 1


def check(query: Query) -> None:
    """Validate a query.

    Raises:
        InvalidParams: the query is too long, or contains NUL or a line end.
    """
    if len(query.text) > MAX_QUERY_CHARS:
        raise InvalidParams(f"The query is longer than {MAX_QUERY_CHARS} characters; shorten it.")
    if "\0" in query.text:
        raise InvalidParams("The query contains a NUL character; no text line does.")
    if "\n" in query.text:
        raise InvalidParams("The query has several lines; search for one line at a time.")


def acceptance(query: Query) -> Callable[[bytes], bool] | None:
    """Return a filter for whole words, since for git letters beyond ASCII are no letters.

    If Python finds no occurrence in a line at all, git's result is accepted.
    """
    if query.use_regex or not query.whole_word:
        return None
    flags = re.IGNORECASE if query.ignore_case else re.NOFLAG
    anywhere = re.compile(re.escape(query.text), flags)
    alone = re.compile(rf"(?<!\w){anywhere.pattern}(?!\w)", flags)

    def accepts(line: bytes) -> bool:
        if line.isascii():
            return True
        text = line.decode("utf-8", "replace")
        return alone.search(text) is not None or anywhere.search(text) is None

    return accepts


def is_bytewise(query: Query) -> bool:
    """Return whether an expression finds the same lines if each byte is a character.

    This is twice as fast. A letter beyond ASCII must not count as one anywhere: `.*` may skip any
    number of bytes, but `.` or `[^x]` stands for one letter. One `.+` is allowed: two of them mean
    at least two letters, but two bytes may be only one.
    """
    if not query.use_regex:
        return False
    text = query.text
    if not query.whole_word and "{" not in text:
        text = _SKIPPED_ONCE.sub("", _SKIPPED.sub("", text), count=1)
    return _ABOUT_LETTERS.search(_ESCAPED.sub("", text)) is None


def switches_of(query: Query) -> list[str]:
    """Return the options and the pattern for `git grep`, without the files."""
    context = min(max(0, query.context_lines), MAX_CONTEXT_LINES)
    switches = {
        "--ignore-case": query.ignore_case,
        "--word-regexp": query.whole_word,
        f"--context={context}": context > 0,
    }
    return [
        *("-n", "-z", "-I", "-H", "--full-name", "--no-color", "--column", "--no-textconv"),
        *("--no-heading", "--no-break", "--no-recurse-submodules"),
        *(switch for switch, wanted in switches.items() if wanted),
        "--extended-regexp" if query.use_regex else "--fixed-strings",
        *("-e", query.text),
    ]
