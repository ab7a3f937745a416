"""Decides whether a line is a path or prose.

A line that might be either is prose when the file isn't there: a block without a path is refused,
one with a wrong path might make a file of that name.
"""

import re
from collections.abc import Callable
from typing import Final

_LONGEST: Final = 200
_LONGEST_QUOTED: Final = 4096

_NO_PATH_STARTS_SO: Final = ("#", "//", "*", "-", ">", "```", "~~~")
_QUOTED: Final = re.compile(r"(?P<ticks>`{1,2})(?!`)(?P<path>.*[^`])(?P=ticks)", re.DOTALL)
_BOLD: Final = re.compile(r"\*\*(?P<inner>[^*]+)\*\*")
_LABEL: Final = re.compile(
    r"(?:\*\*)?(?:file|path|file ?name|file ?path)(?::\*\*|\*\*:|:)\s*(?P<inner>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_MARKED: Final = re.compile(
    r"(?:#{1,6}|//|--|;|<!--|/\*|[*+-]|\d{1,3}[.)]) (?P<inner>[^ ].*?)(?: (?:-->|\*/))?", re.DOTALL
)
_MENTIONED: Final = re.compile(r"`([^`]+)`")

_ATTRIBUTE: Final = re.compile(r"(?:file|filename|name|path|title)=", re.IGNORECASE)

_EXTENSION: Final = re.compile(r"\w[\w+-]*")
_DOTFILE: Final = re.compile(r"\.\w[\w.+-]*")
_BARE: Final = re.compile(r"\w[\w@+~#%=()\[\]{}-]*")
_ENDS_LIKE_PROSE: Final = (".", ",", ";", ":", "!", "?", "…")

_EXTENSIONLESS: Final = re.compile(
    r"(?:Make|Docker|Vagrant|Gem|Rake|Proc|Brew|Just)file|LICENSE|README|CHANGELOG"
)

_BREAKS_A_SENTENCE: Final = re.compile(r"[.,;:!?…]\s")
_SAID_FIRST: Final = re.compile(
    r"(?:add|chang|creat|delet|edit|fix|modif|mov|open|remov|renam|replac|updat|us|writ)"
    r"(?:|e|ed|ied|ing|y)"
    r"|also|and|but|finally|first|for|from|next|rewrite|see|so"
)
_SAID_ANYWHERE: Final = re.compile(
    r"(?:i|we|you|it)(?:'\w+)?|me|your|let(?:'s)?|here(?:'s)?|now|then|this|these|that|the"
    r"|is|are|was|were|be|been|will|would|should|must|can|could|ha[sd]|have|needs?|please"
    r"|in|into|to"
)


def path_of(line: str, exists: Callable[[str], bool]) -> str:
    """Return the path that a line names, "" when it names none.

    Args:
        line: ends and blanks around it don't matter.
        exists: whether there is a file of this name; only asked about names with blanks.
    """
    line = line.strip()
    if len(line) >= _LONGEST_QUOTED:
        return ""
    if quoted := _quoted(line):
        return quoted
    if _is_path(line, exists):
        return line
    inner = _undecorated(line)
    if quoted := _quoted(inner):
        return quoted
    return inner if inner != line and _is_surely_path(inner, exists) else ""


def marked_path(line: str) -> str:
    """Return the path that is all of a heading, a comment or an item of a list, "" when none is.

    Args:
        line: without blanks at its ends.
    """
    match = _MARKED.fullmatch(line) if len(line) < _LONGEST else None
    inner = _undecorated(match["inner"].strip()) if match else ""
    inner = _quoted(inner) or inner
    return inner if _is_surely_path(inner, _is_never_there) else ""


def mentioned_path(line: str) -> str:
    """Return the one path that a sentence has in backticks, "" when it has none or several.

    Args:
        line: without blanks at its ends.
    """
    if len(line) >= _LONGEST_QUOTED:
        return ""
    names = {name for name in _MENTIONED.findall(line) if _is_surely_path(name, _is_never_there)}
    return names.pop() if len(names) == 1 else ""


def path_in_info(info: str) -> str:
    """Return the one path in the info string of a code fence, "" when it has none or several.

    It stands alone, behind the language and a blank or a colon, or is the value of an attribute
    such as `title="src/a.py"`.
    """
    if len(info) >= _LONGEST:
        return ""
    words = (_ATTRIBUTE.sub("", word.strip("{}")).strip("\"'") for word in info.split())
    names = {word.rpartition(":")[2] for word in words}
    paths = {name for name in names if _is_surely_path(name, _is_never_there)}
    return paths.pop() if len(paths) == 1 else ""


def is_more_than_a_word(path: str) -> bool:
    """Whether a path has a folder or an extension."""
    return _is_separated(path) or _has_extension(path)


def _is_never_there(_: str) -> bool:
    return False


def _quoted(line: str) -> str:
    """Return what a line wholly in backticks has between them."""
    match = _QUOTED.fullmatch(line)
    if match is None or match["ticks"] in match["path"].strip("`"):
        return ""
    return match["path"] if match["path"].strip() else ""


def _is_path(line: str, exists: Callable[[str], bool]) -> bool:
    if not line or len(line) >= _LONGEST:
        return False
    if re.search(r"\s", line):
        return exists(line) or (_may_start(line) and _is_name_with_blanks(line))
    return _may_start(line) and _is_name_without_blanks(line)


def _is_name_without_blanks(name: str) -> bool:
    if name.endswith(_ENDS_LIKE_PROSE):
        return False
    if _is_separated(name) or _DOTFILE.fullmatch(name) or _BARE.fullmatch(name):
        return True
    return _has_extension(name) and "://" not in name


def _is_name_with_blanks(name: str) -> bool:
    """Whether a name that no file has ends in an extension and is no sentence."""
    if not _has_extension(name) or _BREAKS_A_SENTENCE.search(name) or "`" in name:
        return False
    words = re.sub(r"[\u2018\u2019]", "'", name.lower()).split()
    return not _SAID_FIRST.fullmatch(words[0]) and not any(map(_SAID_ANYWHERE.fullmatch, words))


def _is_surely_path(name: str, exists: Callable[[str], bool]) -> bool:
    """Whether what was decorated is a path; one word of prose is decorated too."""
    if re.search(r"\s", name):
        return exists(name)
    if _EXTENSIONLESS.fullmatch(name) is not None:
        return True
    has_form = _is_separated(name) or _has_extension(name) or _DOTFILE.fullmatch(name) is not None
    return has_form and _is_path(name, exists)


def _is_separated(name: str) -> bool:
    """Whether it consists of names with separators between, has no blank and is no address."""
    if "://" in name or (name.startswith("<") and name.endswith(">")):
        return False
    is_joined = "/" in name or "\\" in name
    return is_joined and re.search(r"\w", name) is not None and re.search(r"\s", name) is None


def _has_extension(name: str) -> bool:
    stem, _, extension = name.rpartition(".")
    is_named = stem != "" and not stem[-1].isspace() and stem[-1] != "."
    return is_named and _EXTENSION.fullmatch(extension) is not None


def _undecorated(line: str) -> str:
    """Take off a colon at the end, bold type and a label such as `File:`, in any order."""
    line = line.removesuffix(":").rstrip()
    if bold := _BOLD.fullmatch(line):
        line = bold["inner"].strip().removesuffix(":").rstrip()
    if label := _LABEL.fullmatch(line):
        line = label["inner"]
    return line


def _may_start(line: str) -> bool:
    return not line.startswith(_NO_PATH_STARTS_SO)
