"""Diagnoses why an old text is nowhere in a file: the likely cause and the closest place.

One cause is a line that is a placeholder for others: "...", "# rest unchanged".
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from jupyter_ac.chat.edit_blocks.blocks import Near
from jupyter_ac.chat.edit_blocks.matching.closest_match import LineRange, nearest
from jupyter_ac.chat.edit_blocks.matching.differences import difference
from jupyter_ac.chat.edit_blocks.matching.lines import Folded, fold
from jupyter_ac.edit_rows import MissCause

_COMMENT: Final = r"(?:(?:#|//|/\*|\{/\*|--|;|%|<!--|\*)\s*)"
# Dots, alone or before words; not `...args`, which is code.
_DOTS: Final = re.compile(
    rf"\s*{_COMMENT}*+[\[(<]?(?:(?:\.{{3,}}|…)(?![\w\[({{])|(?:\.{{3}}|…)[^.…]*(?:\.{{3}}|…))"
)
_PHRASES: Final = (
    r"(?:the |other )?(?:rest|remainder) of\b",
    r"remain(?:s|ing)\b",
    r"(?:existing|previous) (?:code|lines|content)\b",
    r"unchanged\b",
    r"no changes?\b",
    r"(?:omitted|elided|snipped)\b",
    r"(?:same )?as before\b",
)
_WORDS: Final = re.compile(rf"\s*{_COMMENT}++.*\b(?:{'|'.join(_PHRASES)})", re.IGNORECASE)


def elided_line(old: Sequence[str], theirs: Folded) -> tuple[int, bool] | None:
    """Return which line, from 0, stands for left-out ones, and whether that is beyond doubt.

    Words in a comment may be meant as they stand, and dots that are in the file may be quoted; then
    it takes the parts around them to be in the file.
    """
    doubtful = None
    known: set[bytes] = set()
    for number, line in enumerate(old):
        if _DOTS.match(line):
            known = known or set(theirs.keys)
            if not known.issuperset(_folded([line]).keys):
                return number, True
        if doubtful is None and (_DOTS.match(line) or _WORDS.match(line)):
            doubtful = number
    return None if doubtful is None else (doubtful, False)


def elided_place(
    theirs: Folded, old: Sequence[str], elided: int, *, is_certain: bool
) -> tuple[int, int] | None:
    """Return the file's lines, from 0 and to the one behind, that the old text is about.

    Args:
        theirs: the file's lines, folded.
        old: the lines that were not found.
        elided: the first of them that stands for others.
        is_certain: it does; else more than one line of the file must lie at its place.

    Returns:
        None unless what stands before that line, and behind the last such, is in the file in this
        order; the closest such parts are the place.
    """
    last = max(number for number, line in enumerate(old) if number == elided or _DOTS.match(line))
    before, behind = _folded(old[:elided]), _folded(old[last + 1 :])
    if not before or not behind:
        whole = theirs.places(before or behind)
        return _span(theirs, whole[0], len(before) + len(behind)) if whole else None
    seconds = theirs.places(behind)
    pairs = []
    for first in theirs.places(before):
        after = first + len(before)
        second = bisect_left(seconds, after)
        if second < len(seconds):
            pairs.append((seconds[second] - after, first))
    gap, first = min(pairs, default=(0, -1))
    if first < 0 or (not is_certain and gap <= 1):
        return None
    return _span(theirs, first, len(before) + gap + len(behind))


def _folded(lines: Sequence[str]) -> Folded:
    return fold([line.encode(errors="replace") for line in lines])


def _span(theirs: Folded, first: int, count: int) -> tuple[int, int]:
    return theirs.numbers[first], theirs.numbers[first + count - 1] + 1


# A place counts as the old text's, changed since, when this much of it stands there.
_STALE: Final = 0.5
# Lines of the closest place that are shown, at most.
_SHOWN_LINES: Final = 60
_SHOWN_TEXT: Final = 80
# Lines of it that are looked through for the first difference.
_COMPARED: Final = 300
# Lines that are compared at look-alikes of the old text, in all.
_COMPARED_LINES: Final = 20_000
_LOOK_ALIKES: Final = 50


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The likely reason why an old text was not found.

    Attributes:
        cause: the likely one.
        message: a sentence that names cause, place and remedy.
        near: the closest place; None when nothing in the file resembles the old text.
    """

    cause: MissCause
    message: str
    near: Near | None = None


def diagnose(
    lines: Sequence[bytes], folded: tuple[Folded, Folded], old: Sequence[str]
) -> Diagnosis:
    """Return why an old text does not stand in a file.

    Args:
        lines: the file's, without their ends.
        folded: the file's lines and the old text, folded.
        old: the lines that were not found.
    """
    theirs, ours = folded
    if not lines:
        return Diagnosis(MissCause.STALE, "The file is empty. Write its text without any old text.")
    if not theirs.keys:
        return Diagnosis(
            MissCause.STALE, "The file has nothing but empty lines. Quote one of them."
        )
    if not ours.keys:
        return Diagnosis(
            MissCause.WHITESPACE,
            "The old text is nothing but empty lines, and they stand nowhere like that. "
            "Quote lines with text.",
        )
    alike = _look_alike(lines, folded, old)
    return alike or _elided(lines, theirs, old) or _other_text(lines, folded, old)


def _look_alike(
    lines: Sequence[bytes], folded: tuple[Folded, Folded], old: Sequence[str]
) -> Diagnosis | None:
    """Return the diagnosis if the old text differs only in ways that are hard to see."""
    theirs, ours = folded
    alike = theirs.places(ours)
    if not alike:
        return None
    filled = old[ours.numbers[0] : ours.numbers[-1] + 1]
    looked_at = alike[: max(1, min(_LOOK_ALIKES, _COMPARED_LINES // len(filled)))]
    spans = [
        (theirs.numbers[place], theirs.numbers[place + len(ours.keys) - 1] + 1)
        for place in looked_at
    ]
    found, (start, stop) = min(
        ((difference(_decoded(lines[slice(*span)]), filled, span[0]), span) for span in spans),
        key=lambda each: each[0].gravity,
    )
    near = Near(start + 1, _decoded(lines[start : min(stop, start + _SHOWN_LINES)]))
    others = len(alike) - 1
    more = f" It looks like {others} other place{'s' * (others > 1)}, too." if others else ""
    kind = {MissCause.INDENTATION: "the indentation", MissCause.QUOTES: "quotes or dashes"}
    return Diagnosis(
        found.cause,
        f"The old text differs from the file's line{_range(near, stop)} only in "
        f"{kind.get(found.cause, 'white space')}: there {found.words}.{more} "
        "Copy the lines exactly as they stand in the file.",
        near,
    )


def _elided(lines: Sequence[bytes], theirs: Folded, old: Sequence[str]) -> Diagnosis | None:
    """Return the diagnosis of an old text that leaves lines out."""
    elided = elided_line(old, theirs)
    if elided is None:
        return None
    number, is_certain = elided
    encoded = _encoded(old)
    span = elided_place(theirs, old, number, is_certain=is_certain)
    if span is None and not is_certain:
        return None
    if span is None:
        rest = [*encoded[:number], *encoded[number + 1 :]]
        place = nearest(lines, theirs, rest, fold(rest))
        span = (place.start, place.stop)
    near = _near(lines, *span)
    where = f" (the file's line{_range(near, span[1])})" if near else ""
    return Diagnosis(
        MissCause.ELIDED_LINES,
        f"Line {number + 1} of the old text, {_shown(old[number])}, stands for lines that are left "
        f"out. Quote every line{where}, or write a block for each part that changes.",
        near,
    )


def _other_text(
    lines: Sequence[bytes], folded: tuple[Folded, Folded], old: Sequence[str]
) -> Diagnosis:
    """Return the diagnosis of an old text of which the file has something else, or nothing."""
    encoded = _encoded(old)
    if len(lines) == 1 and b"\r" in lines[0]:
        return Diagnosis(
            MissCause.UNKNOWN,
            "The file's lines end in CR alone, so all of it is one line. "
            "Give it LF or CRLF first; blocks replace whole lines.",
        )
    inside = b"\n".join(lines).find(b"\n".join(encoded))
    if inside >= 0:
        number = b"\n".join(lines).count(b"\n", 0, inside)
        near = _near(lines, number, number + len(old))
        return Diagnosis(
            MissCause.UNKNOWN,
            f"The old text is only a part of line {number + 1}. Quote whole lines, "
            "from the first character to the last.",
            near,
        )
    place = nearest(lines, folded[0], encoded, folded[1])
    near = _near(lines, place.start, place.stop)
    if near is None:
        return Diagnosis(
            MissCause.UNKNOWN,
            "The old text stands nowhere in the file, and nothing there resembles it. "
            "Read the file again and copy the lines that are to change.",
        )
    if place.likeness < _STALE:
        return Diagnosis(
            MissCause.UNKNOWN,
            "The old text stands nowhere in the file; the closest it has is "
            f"line{_range(near, place.stop)}. "
            "Read the file again and copy the lines that are to change.",
            near,
        )
    return Diagnosis(
        MissCause.STALE,
        f"The file has other text than the block by now: {_first_change(lines, place, encoded)}. "
        f"Quote the file's line{_range(near, place.stop)} exactly.",
        near,
    )


def _first_change(lines: Sequence[bytes], place: LineRange, old: Sequence[bytes]) -> str:
    """Return the first difference between a place of the file and the old text, in words."""
    theirs = [line.strip() for line in lines[place.start : place.stop]]
    ours = [line.strip() for line in old]
    matcher = SequenceMatcher(None, theirs[:_COMPARED], ours[:_COMPARED], autojunk=False)
    for tag, at, _, our, _ in matcher.get_opcodes():
        line = place.start + at + 1
        if tag == "replace":
            return (
                f"line {line} is {_shown(_text(theirs[at]))}, in the block it is "
                f"{_shown(_text(ours[our]))}"
            )
        if tag == "delete":
            return f"the block lacks line {line}, {_shown(_text(theirs[at]))}"
        if tag == "insert":
            return f"before line {line} the block has {_shown(_text(ours[our]))}, the file has not"
    return f"from line {place.start + 1} on"


def _near(lines: Sequence[bytes], start: int, stop: int) -> Near | None:
    """Return a place as it is shown."""
    shown = _decoded(lines[start : min(stop, start + _SHOWN_LINES)])
    return Near(start + 1, shown) if shown else None


def _range(near: Near, stop: int) -> str:
    """Return the line numbers of a place, behind the word `line`."""
    last = max(stop, near.line + len(near.text) - 1)
    return f" {near.line}" if last == near.line else f"s {near.line} to {last}"


def _shown(line: str) -> str:
    """Return a line as a message quotes it."""
    text = line.strip()
    return f"`{text[:_SHOWN_TEXT]}…`" if len(text) > _SHOWN_TEXT else f"`{text}`"


def _encoded(lines: Sequence[str]) -> list[bytes]:
    return [line.encode("utf-8", "surrogatepass") for line in lines]


def _decoded(lines: Sequence[bytes]) -> tuple[str, ...]:
    return tuple(_text(line) for line in lines)


def _text(line: bytes) -> str:
    return line.decode(errors="replace")
