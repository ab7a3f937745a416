"""Makes of a model's answer the text that is inserted at the cursor."""

import re
from collections.abc import Mapping
from typing import Final

from jupyter_ac.chat.commit_text import without_thoughts
from jupyter_ac.chat.inline.code_place import CodePlace

MOST_LINES: Final = 20
_MOST_OVERLAP: Final = 400
_LEAST_LINE_CHARS: Final = 3
_FENCE: Final = re.compile(r"```[^\n`]*\n")
_PLACEHOLDER: Final = "[secret "
_MARKS: Final = ("</before_cursor>", "<behind_cursor>", "<|", "</cells_")
_PAIRS: Final[Mapping[str, str]] = {")": "(", "]": "[", "}": "{", ">": "<"}
_CLOSING: Final = frozenset(")]}>\"'`,;: \t")


def tidied(answer: str, place: CodePlace, *, is_cut: bool = False) -> str:
    """Return what of an answer belongs at the cursor; "" for nothing.

    Args:
        answer: of the model.
        place: where the completion was wanted.
        is_cut: the answer was ended by its limit.
    """
    text = _unfenced(without_thoughts(answer).replace("\r\n", "\n"))
    for mark in _MARKS:
        text = text.partition(mark)[0]
    text = _without_line(text, place.line)
    if set(place.rest_of_line) - _CLOSING:
        text = text.partition("\n")[0]
    text = _without_suffix(text, place.suffix)
    lines = text.split("\n")
    secret = next((at for at, line in enumerate(lines) if _PLACEHOLDER in line), len(lines))
    if is_cut and secret == len(lines) and len(lines) > 1:
        lines = lines[:-1]
    text = "\n".join(lines[: min(secret, MOST_LINES)]).rstrip()
    return text if text.strip() else ""


def _unfenced(text: str) -> str:
    """Return what stands in the first fence; the text itself if it doesn't begin with one."""
    opening = _FENCE.match(text.lstrip())
    if opening is None:
        return text
    inside = text.lstrip()[opening.end() :]
    return inside.partition("\n```")[0] if "\n```" in inside else inside.removesuffix("```")


def _without_line(text: str, line: str) -> str:
    """Take away a repetition of what the cursor's line has before the cursor."""
    if not line.strip():
        # The cursor stands behind the indentation already.
        return text.removeprefix(line) if line else text
    for known in (line, line.lstrip()):
        if text.startswith(known) and len(known) >= _LEAST_LINE_CHARS:
            return text[len(known) :]
    return text


def _without_suffix(text: str, suffix: str) -> str:
    """Take away what would stand twice: the beginning of what is behind the cursor."""
    following = [line for line in suffix.split("\n")[:_MOST_OVERLAP] if line.strip()]
    first = following[0].rstrip() if following else ""
    if len(first.strip()) >= _LEAST_LINE_CHARS:
        lines = text.split("\n")
        for at, line in enumerate(lines):
            if at and line.rstrip() == first:
                text = "\n".join(lines[:at])
                break
    longest = min(len(text), len(suffix), _MOST_OVERLAP)
    for size in range(longest, 0, -1):
        common = suffix[:size]
        if text.endswith(common) and common.strip() and _is_double(text, common):
            return text[:-size]
    return text


def _is_double(text: str, common: str) -> bool:
    """Say whether the end of a text repeats what is behind the cursor.

    A closing bracket that the text has opened itself is its own.
    """
    if len(common.strip()) > 1 or common.strip() not in _PAIRS:
        return True
    return text.count(common.strip()) > text.count(_PAIRS[common.strip()])
