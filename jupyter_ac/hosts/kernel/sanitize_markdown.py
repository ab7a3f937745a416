"""Sanitizes a model's Markdown before a notebook shows it.

JupyterLab sanitises the Markdown of a saved notebook but trusts that of a cell which has just run:
its tags are inserted unchanged, and their scripts run. A model may repeat text of a hostile file of
the repository. So the result has no tags, no external pictures, no links of unusual schemes, and no
links with another address as their text. Each rule applies everywhere in the text, so another
Markdown parser can't undo it; only fenced code stays unchanged, inside fences that are rewritten.
"""

import re
from collections.abc import Iterator
from typing import Final

from jupyter_ac.hosts.kernel.link_targets import show_targets
from jupyter_ac.terminal import terminal_text

_FENCE: Final = re.compile(
    r"(?P<indent>[ \t]*)(?P<fence>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)", re.DOTALL
)
_NEARLY_FENCE: Final = re.compile(r"\s*(?:```|~~~)")
_LANGUAGE: Final = re.compile(r"[\w+#.-]{1,40}")
_DIAGRAM: Final = "mermaid"
_FETCHES: Final = re.compile(r"//|url\s{0,9}\(|@import|\\", re.IGNORECASE)
"""JupyterLab draws a diagram in the page: none that names an address, or may hide one, is drawn."""

_LONGEST_DIAGRAM: Final = 20_000
_RUNS: Final = re.compile(r"`+")
_INVISIBLE: Final = "\u200b"

_TAG: Final = re.compile(r"<(?=[A-Za-z/!?])")
_MATH: Final = re.compile(r"\$[^$\n]+\$")
_FORMULA: Final = re.compile(r"(?<![\\$])\$(?=[^\s$])[^$\n]*(?<=[^\s\\])\$(?![\d$])")
"""By pandoc's rule, which the panel has too. Jupyter takes any two dollar signs for one."""

_PRICE: Final = re.compile(r"(?<![^\s(|])\$(?=\d)")
_SIGN: Final = "\0"
_NO_FORMULA: Final = "<span>&#36;</span>"
"""A dollar sign with which, wherever Jupyter looks for formulas, none begins."""

_INDENTED: Final = re.compile(r" {4}| {0,3}\t")
_ROUND: Final = re.compile(r"(?<!\\)\\\(((?:[^$\\]|\\[^()])+)\\\)")
"""Jupyter knows no formulas but those between dollar signs; Markdown would take the backslashes."""

_SQUARE: Final = re.compile(r"(?<!\\)\\\[((?:[^$\\]|\\[^\[\]])+)\\\]")
_DISPLAY_SIGN: Final = re.compile(r"^[ \t]{0,20}\\[\[\]][ \t]{0,20}$")
_PICTURE: Final = re.compile(r"!(?=\[)")
_DEFINITION: Final = re.compile(r"\](?=:)")
_UNUSUAL_LINK: Final = re.compile(
    r"\](?=\()(?!\(\s*(?:https?://|mailto:|#|[\w./~%-]+(?:#[\w-]*)?[\s)]))", re.IGNORECASE
)
_SYNTAX: Final = re.compile(r"([\\`*_{}\[\]()#+!|<>~$&-])")


def inert(markdown: str) -> str:
    """Return Markdown with the same display and no active content; open code blocks are closed."""
    shown: list[str] = []
    is_math = False
    lines = iter(terminal_text(markdown).split("\n"))
    for line in lines:
        opening = _FENCE.fullmatch(line)
        if opening is None:
            written = _DISPLAY_SIGN.sub("$$", line)
            shown.append(_text(written, is_math=is_math))
            is_math ^= written.count("$$") % 2 == 1
            continue
        is_math = False
        code = []
        is_whole = False
        for inner in lines:
            is_whole = _closes(inner, opening["fence"])
            if is_whole:
                break
            code.append(inner.removeprefix(opening["indent"]))
        shown += _fenced(opening["info"], code, is_whole=is_whole)
    return "\n".join(shown)


def literally(text: str) -> str:
    """Return Markdown that shows exactly this text, on one line."""
    return _SYNTAX.sub(r"\\\1", terminal_text(" ".join(text.split())))


def _text(line: str, *, is_math: bool) -> str:
    """Disarm a line outside of code blocks; inside a code span an entity would be shown as such.

    Args:
        line: without its end.
        is_math: whether it begins inside of a formula that has lines of its own.
    """
    honest = show_targets(line)
    broken = f"{_INVISIBLE}{honest}" if _NEARLY_FENCE.match(honest) else honest
    for pattern in (_PICTURE, _DEFINITION, _UNUSUAL_LINK):
        broken = pattern.sub(rf"\g<0>{_INVISIBLE}", broken)
    pieces, at = [], 0
    for start, end in _code_spans(broken):
        pieces.append(_prose(broken[at:start], is_math=is_math))
        pieces.append(_TAG.sub(f"<{_INVISIBLE}", broken[start:end]))
        at = end
    pieces.append(_prose(broken[at:], is_math=is_math))
    return "".join(pieces)


def _code_spans(line: str) -> Iterator[tuple[int, int]]:
    """Yield where code spans begin and end: each with the next run of as many backticks."""
    runs = [run.span() for run in _RUNS.finditer(line)]
    following: dict[int, int] = {}
    closing: list[int | None] = [None] * len(runs)
    for at in range(len(runs) - 1, -1, -1):
        length = runs[at][1] - runs[at][0]
        closing[at] = following.get(length)
        following[length] = at
    at = 0
    while at < len(runs):
        closed = closing[at]
        if closed is not None:
            yield runs[at][0], runs[closed][1]
        at = at + 1 if closed is None else closed + 1


def _prose(text: str, *, is_math: bool) -> str:
    """Disarm tags in what is no code; TeX reads no entities, and a blank changes nothing in it."""
    if is_math:
        return _TAG.sub("< ", text)
    text = _ROUND.sub(lambda found: f"${found[1].strip()}$", text)
    text = _mark_prices(_SQUARE.sub(lambda found: f"$${found[1].strip()}$$", text))
    pieces, at = [], 0
    for formula in _MATH.finditer(text):
        pieces += [_TAG.sub("&lt;", text[at : formula.start()]), _TAG.sub("< ", formula[0])]
        at = formula.end()
    pieces.append(_TAG.sub("&lt;", text[at:]))
    return "".join(pieces).replace(_SIGN, _NO_FORMULA)


def _mark_prices(text: str) -> str:
    """Put a sign of ours, which no text has, for the dollar signs of prices."""
    if _INDENTED.match(text):  # perhaps code, in which a tag would be seen
        return text
    pieces, at = [], 0
    for formula in _FORMULA.finditer(text):
        pieces += [_PRICE.sub(_SIGN, text[at : formula.start()]), formula[0]]
        at = formula.end()
    return "".join([*pieces, _PRICE.sub(_SIGN, text[at:])])


def _closes(line: str, fence: str) -> bool:
    mark = line.strip()
    return len(mark) >= len(fence) and set(mark) == set(fence)


def _fenced(info: str, code: list[str], *, is_whole: bool) -> list[str]:
    """Write a code block that nothing in it can end, and that nothing before it can hold."""
    language = _LANGUAGE.match(info.strip())
    name = language[0] if language else ""
    if name.lower() == _DIAGRAM and not (is_whole and _may_be_drawn(code)):
        name = "text"
    longest = max((len(run) for line in code for run in _RUNS.findall(line)), default=0)
    fence = "`" * max(3, longest + 1)
    return ["", fence + name, *code, fence, ""]


def _may_be_drawn(code: list[str]) -> bool:
    source = "\n".join(code)
    return len(source) <= _LONGEST_DIAGRAM and _FETCHES.search(source) is None
