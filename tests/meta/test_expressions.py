"""Every regular expression of the package takes linear time, whatever it is applied to.

Each is fed with texts made from its own parts: first short ones of every kind, then the worst of
these, longer. What is measured is processor time of this thread as a multiple of what a simple
expression takes over a text as long; super-linear is a multiple of hundreds.
"""

import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final, cast

import pytest

from jupyter_ac.git import stderr
from jupyter_ac.index.documents import markdown
from jupyter_ac.index.navigation import source_text
from tests.support.patterns import AnyPattern, Use, attacks, sized, uses

SIZES: Final = ((24, 1000), (1000, 4), (16_000, 1))
"""Lengths of texts, and how many of the worst go on to the next length."""

LONG: Final = 32_000
"""The last length: what is quadratic takes twice as long for each character as before."""

LONGEST: Final = 1_000_000

MOST: Final = 25.0
"""Times the reference; the slowest linear expression takes about ten."""

MOST_BOUNDED: Final = 120.0
"""For short texts in which a quadratic expression does no harm: some hundredths of a second."""

BOUNDED: Final = {
    "git/write_commands.py:_LOCKED": stderr.MAX_CHARS,
    "index/documents/markdown.py:_HEADING_CODE": markdown.MAX_HEADING,
    "index/documents/markdown.py:_LOW_LINES": markdown.MAX_HEADING,
    "index/documents/markdown.py:_STARS": markdown.MAX_HEADING,
    "index/documents/markdown.py:_HEADING_TAG": markdown.MAX_HEADING,
    "index/navigation/source_text.py:_BEFORE": source_text.REACH,
    "index/navigation/source_text.py:_DOTTED_BEFORE": source_text.REACH,
}
"""Expressions that never see a longer text, by the constant that cuts it."""

_REFERENCE: Final = re.compile(".")
_KILL_S: Final = 5.0
_TRIES: Final = 4


class _Endless(Exception):
    """An expression has taken all the processor time that a test may."""


@contextmanager
def _limited() -> Iterator[None]:
    """End what takes more than `_KILL_S` of this process's time, in the middle of a match."""

    def end(*_: object) -> None:
        raise _Endless

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, _KILL_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _apply(pattern: AnyPattern, method: str, given: str | bytes) -> None:
    # Typed for texts; an expression of bytes gets bytes.
    pattern_of_any, subject = cast("re.Pattern[str]", pattern), cast("str", given)
    if method == "finditer":
        for _ in pattern_of_any.finditer(subject):
            pass
    elif method == "matches":
        at = 0
        while (match := pattern_of_any.match(subject, at)) is not None and match.end() > at:
            at = match.end()
    elif method == "match":
        pattern_of_any.match(subject)
    else:
        pattern_of_any.fullmatch(subject)


def _spent(pattern: AnyPattern, method: str, given: str | bytes) -> float:
    begun = time.thread_time()
    _apply(pattern, method, given)
    return time.thread_time() - begun


def _multiple(use: Use, given: str | bytes, most: float) -> float:
    """Return how many times the reference it takes; the least of several when that is too much."""
    reference = _usual(len(given) + 24)
    found = float("inf")
    for _ in range(_TRIES):
        try:
            with _limited():
                spent = _spent(use.pattern, use.method, given)
        except _Endless:
            return float("inf")
        found = min(found, spent / reference)
        if found <= most:
            break
        # It may be the machine that has become slower.
        reference = max(reference, _reference(len(given)))
    return found


def _reference(size: int) -> float:
    return _spent(_REFERENCE, "finditer", "a" * size)


@cache
def _usual(size: int) -> float:
    rounded = 1 << size.bit_length()
    return min(_reference(rounded) for _ in range(_TRIES)) * size / rounded


def _fault(use: Use, longest: int = LONG) -> str:
    """Return what a slow expression is slow on; "" for one that isn't."""
    limit = BOUNDED.get(use.place)
    most = MOST if limit is None else MOST_BOUNDED
    tried = attacks(use.pattern)
    for size, kept in (*SIZES, (longest, 0)):
        if limit is not None and size > limit:
            break
        ranked = []
        for attack in tried:
            multiple = _multiple(use, sized(use.pattern, attack, size), most)
            if multiple > most:
                return f"{use.place}: {multiple:.0f} times at {size} characters of {attack!r}"
            ranked.append((multiple, attack))
        tried = [attack for _, attack in sorted(ranked, reverse=True)[:kept]]
    return ""


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("longest", [LONG, pytest.param(LONGEST, marks=pytest.mark.soak)])
def test_every_expression_takes_linear_time(longest: int) -> None:
    faults = [fault for use in _distinct() if (fault := _fault(use, longest))]
    assert not faults, "\n".join(faults)


def _distinct() -> list[Use]:
    return list({(use.pattern, use.method): use for use in reversed(uses())}.values())


def test_expressions_for_short_texts_are_there() -> None:
    assert BOUNDED.keys() <= {use.place for use in uses()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("expression", "method"),
    [
        (r"<think>.*?</think>", "finditer"),
        (r"```(?:json)?\s*\n(.*?)\n?```", "finditer"),
        (r"(?:[^\n]*:\s*\n)?`{3,}[^\n`]*\n(.*?)\n?`{3,}\s*", "fullmatch"),
        (r"\s+$", "finditer"),
        (r"(a+)+b", "match"),
        (r"(?:\w\w|\w)+-", "match"),
        (r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", "finditer"),
    ],
)
def test_slow_ones_are_found(expression: str, method: str) -> None:
    assert _fault(Use("here", re.compile(expression, re.DOTALL), method))
