"""What is searched for, in git's words.

Where git's own reading falls short of what is meant, or costs more than it must, is decided here.
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
# Any number of letters that are not one of a few: as many bytes, wherever it ends.
_SKIPPED: Final = re.compile(r"\[\^\]?[^]\[\\]*\]\*")
_SKIPPED_ONCE: Final = re.compile(r"(?:\[\^\]?[^]\[\\]*\]|\.)\+")


@dataclass(frozen=True, slots=True)
class Query:
    """What to search.

    Attributes:
        text: one line; a POSIX extended regular expression when `use_regex`.
        whole_word: only where no letter, digit or `_` stands before or after; beside an expression
            only ASCII letters count as such.
        use_regex: read `text` as an expression instead of literally.
        ignore_case: take upper and lower case for the same.
        context_lines: how many lines to show before and after a match.
    """

    text: str
    whole_word: bool = False
    use_regex: bool = False
    ignore_case: bool = True
    context_lines: int = 1


def check(query: Query) -> None:
    """Refuse what no line can hold.

    Raises:
        InvalidParams: the query is too long, or can't stand in one line.
    """
    if len(query.text) > MAX_QUERY_CHARS:
        raise InvalidParams(f"The query is longer than {MAX_QUERY_CHARS} characters; shorten it.")
    if "\0" in query.text:
        raise InvalidParams("The query has a NUL, which no line of text has.")
    if "\n" in query.text:
        raise InvalidParams("The query has several lines; search for one line at a time.")


def acceptance(query: Query) -> Callable[[bytes], bool] | None:
    """Return what tells the whole words among git's, for which all beyond ASCII is no letter.

    Where Python finds no occurrence in a line at all, git's word counts.
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
    """Tell whether an expression finds the same lines when bytes are taken for letters.

    That is twice as fast. A letter beyond ASCII must not count as one anywhere: what `.*` skips
    may have any number of bytes, what `.` or `[^x]` stands for may not. Of `.+` there may be one:
    two of them are two letters at least, which one of two bytes is not.
    """
    if not query.use_regex:
        return False
    text = query.text
    if not query.whole_word and "{" not in text:
        text = _SKIPPED_ONCE.sub("", _SKIPPED.sub("", text), count=1)
    return _ABOUT_LETTERS.search(_ESCAPED.sub("", text)) is None


def switches_of(query: Query) -> list[str]:
    """Return what `git grep` is told, but for the files."""
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
