"""Finds a block's old text in a file's bytes and replaces it: whole lines, exactly, at one place.

Nothing is guessed. Lines that old and new text have in common at their two ends keep their bytes,
and so does everything around; written lines get the line ends of the lines that they replace.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from jupyter_ac.chat.edit_blocks.blocks import Near
from jupyter_ac.chat.edit_blocks.matching.correction import correct
from jupyter_ac.chat.edit_blocks.matching.diagnosis import diagnose
from jupyter_ac.chat.edit_blocks.matching.lines import LF, Lines, ended, fold, places, split
from jupyter_ac.edit_rows import ErrorType, MissCause

# Line pairs up to which the changes within a block are separated from the lines between them.
_COMPARED_PAIRS: Final = 250_000
_NAMED_PLACES: Final = 5
_SHOWN_PLACES: Final = 3
# Lines that are shown before a place, and behind it.
_LINES_AROUND: Final = 3
_BOM: Final = "\ufeff"


@dataclass(frozen=True, slots=True)
class Replaced:
    """The old text stands there once and was replaced.

    Attributes:
        data: the file's bytes afterwards.
        line: the first changed line, from 1.
        added: lines that came.
        removed: lines that went.
        start: where the replaced bytes began in the bytes before; all before it is unchanged.
        end: where they ended; all from there on is unchanged.
    """

    data: bytes
    line: int
    added: int
    removed: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Already:
    """The new text stands there and nothing is left to replace; `line` is its first, from 1."""

    line: int


@dataclass(frozen=True, slots=True)
class Missed:
    """The old text stands nowhere, or at several places.

    Attributes:
        error_type: which of the two; VALIDATION_ERROR when the block itself cannot be carried out.
        message: a sentence with the likely cause, the place and the remedy.
        cause: the likely one of an old text that was not found.
        near: the closest place.
        around: the likely places with the lines around them.
        correction_old: the old text that fits, when a uniform shift of the indentation is all that
            was wrong; only the user's click applies it.
        correction_new: the new text, shifted likewise.
    """

    error_type: ErrorType
    message: str
    cause: MissCause = MissCause.NONE
    near: Near | None = None
    around: tuple[Near, ...] = ()
    correction_old: tuple[str, ...] | None = None
    correction_new: tuple[str, ...] | None = None


def replace_lines(
    data: bytes, old: Sequence[str], new: Sequence[str]
) -> Replaced | Already | Missed:
    """Put `new` in the place of `old`.

    Args:
        data: the file's bytes.
        old: lines without their ends, which must stand in the file once, as whole lines.
        new: lines without their ends; none deletes the old ones.

    Returns:
        What became of it. Without old lines only an empty file is written.
    """
    lines = split(data)
    old, new = _without_mark(lines, old, new)
    try:
        written = [line.encode() for line in new]
    except UnicodeEncodeError:
        return Missed(
            ErrorType.VALIDATION_ERROR,
            "The new text holds half a character (a lone surrogate), which no text file can hold. "
            "Write the whole character.",
        )
    if not old or (_is_blank(old) and not lines.texts):
        return _fill(lines, written)
    wanted = [line.encode("utf-8", "surrogatepass") for line in old]
    found = places(lines.texts, wanted)
    standing = places(lines.texts, written)
    # Empty lines stand everywhere; that they do doesn't say that the old text has been replaced.
    is_told = bool(found) or not _is_blank(new)
    if standing and is_told and _is_done(found, wanted, standing, written):
        return Already(standing[0] + 1)
    if not found:
        return _missed(data, lines, wanted, (old, new))
    if len(found) > 1:
        around = tuple(_around(lines, at, len(wanted)) for at in found[:_SHOWN_PLACES])
        return Missed(ErrorType.AMBIGUOUS_ANCHOR, _ambiguity(found), around=around)
    return _replace(data, lines, found[0], wanted, written)


def _without_mark(
    lines: Lines, old: Sequence[str], new: Sequence[str]
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the texts without a byte order mark, which a model copies with the file's first line.

    An edit neither brings a mark nor takes one away; only a new file may begin with one.
    """
    if lines.bom and old:
        old = [old[0].removeprefix(_BOM), *old[1:]]
    is_copied = old[0].startswith(_BOM) if old else not lines.bom
    if new and not is_copied:
        new = [new[0].removeprefix(_BOM), *new[1:]]
    return old, new


def _is_blank(text: Sequence[str]) -> bool:
    """Return whether a text has no visible character."""
    return not any(line.strip() for line in text)


def _fill(lines: Lines, written: list[bytes]) -> Replaced | Already | Missed:
    """Write an empty file; one that has lines is not written over."""
    if lines.texts == written:
        return Already(1)
    if lines.texts:
        return Missed(
            ErrorType.VALIDATION_ERROR,
            "The file exists and has text, and the block has no old text. "
            "Quote the lines that the new ones are to replace.",
        )
    data = lines.bom + b"".join(ended(line, LF) for line in written)
    return Replaced(data, 1, len(written), 0, len(lines.bom), len(lines.bom))


def _is_done(
    found: list[int], wanted: list[bytes], standing: list[int], written: list[bytes]
) -> bool:
    """Tell whether no place of the old text lies outside the places of the new one.

    Only where lines are put in, and all others stay, can the old text lie inside the new one. There
    it is enough that the two touch: the block has been applied, and would go in once more.
    """
    is_insertion = sum(_common(wanted, written)) == len(wanted) or bool(places(written, wanted))
    return not found or (
        is_insertion and all(_touches(place, wanted, standing, written) for place in found)
    )


def _touches(place: int, wanted: list[bytes], standing: list[int], written: list[bytes]) -> bool:
    """Tell whether a place of the old text shares lines with one of the new text."""
    first = bisect_left(standing, place - len(written) + 1)
    return first < len(standing) and standing[first] < place + len(wanted)


def _common(wanted: list[bytes], written: list[bytes]) -> tuple[int, int]:
    """Return how many lines the texts have in common at the start and at the end.

    The end is compared first, so that a last line without a line end is preserved if possible.
    """
    shorter = min(len(wanted), len(written))
    tail = 0
    while tail < shorter and wanted[-1 - tail] == written[-1 - tail]:
        tail += 1
    head = 0
    while head < shorter - tail and wanted[head] == written[head]:
        head += 1
    return head, tail


def _replace(
    data: bytes, lines: Lines, place: int, wanted: list[bytes], written: list[bytes]
) -> Replaced:
    """Return the file with the lines that differ replaced."""
    head, tail = _common(wanted, written)
    first, last = place + head, place + len(wanted) - tail
    put = written[head : len(written) - tail]
    changes = _changes(wanted[head : len(wanted) - tail], put)
    ends = [
        end
        for start, stop, count, _ in changes
        for end in _ends(lines, first + start, first + stop, count)
    ]
    lead = b""
    if put and lines.is_open and last == len(lines.texts):
        if first == last:
            lead = ended(lines.texts[-1], lines.end_at(last))[len(lines.texts[-1]) :]
        if put[-1]:
            ends[-1] = b""
    start, end = lines.offset(first), lines.offset(last)
    return Replaced(
        data=data[:start] + lead + b"".join(map(ended, put, ends)) + data[end:],
        line=first + 1,
        added=sum(count for _, _, count, is_kept in changes if not is_kept),
        removed=sum(stop - start for start, stop, _, is_kept in changes if not is_kept),
        start=start,
        end=end,
    )


def _changes(gone: list[bytes], put: list[bytes]) -> list[tuple[int, int, int, bool]]:
    """Return the replaced parts: first line, line after the last, new lines, are they unchanged.

    Long texts are one part: comparing their lines takes the product of their lengths.
    """
    if len(gone) * len(put) > _COMPARED_PAIRS:
        return [(0, len(gone), len(put), False)]
    matcher = SequenceMatcher(None, gone, put, autojunk=False)
    return [
        (start, stop, to - begin, tag == "equal")
        for tag, start, stop, begin, to in matcher.get_opcodes()
    ]


def _ends(lines: Lines, start: int, stop: int, count: int) -> list[bytes]:
    """Return the ends of `count` lines in the place of lines `start` to `stop`."""
    own = [end for end in lines.ends[start:stop] if end]
    spare = own[-1] if own else lines.end_at(start)
    return [*own, *[spare] * count][:count]


def _ambiguity(found: list[int]) -> str:
    """Return the sentence about several places."""
    named = ", ".join(str(place + 1) for place in found[:_NAMED_PLACES])
    more = f" and {len(found) - _NAMED_PLACES} more" if len(found) > _NAMED_PLACES else ""
    return (
        f"The old text stands at {len(found)} places (lines {named}{more}). "
        "Quote more of the lines around it, until only one place fits."
    )


def _around(lines: Lines, place: int, count: int) -> Near:
    """Return the lines of a place, which is counted from 0, and some around them."""
    start = max(place - _LINES_AROUND, 0)
    shown = lines.texts[start : place + count + _LINES_AROUND]
    return Near(start + 1, tuple(line.decode(errors="replace") for line in shown))


def _missed(
    data: bytes, lines: Lines, wanted: list[bytes], texts: tuple[Sequence[str], Sequence[str]]
) -> Missed:
    """Return why the old text was not found, and the corrected block if there is one."""
    folded = fold(lines.texts), fold(wanted)
    diagnosis = diagnose(lines.texts, folded, texts[0])
    correction = correct(lines.texts, folded, *texts)
    if correction and not isinstance(replace_lines(data, correction.old, correction.new), Replaced):
        correction = None
    near = diagnosis.near
    return Missed(
        ErrorType.ANCHOR_NOT_FOUND,
        f"{diagnosis.message} Shifted like that, the block fits."
        if correction
        else diagnosis.message,
        diagnosis.cause,
        near,
        (_around(lines, near.line - 1, len(near.text)),) if near else (),
        correction.old if correction else None,
        correction.new if correction else None,
    )
