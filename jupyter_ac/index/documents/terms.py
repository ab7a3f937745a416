"""Extracts the words of a document's sections, from which keywords are chosen.

They depend on the document alone, so that they can be cached by the hash of its content.
"""

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

import orjson

from jupyter_ac.index.records import Heading

_WORDS: Final = """
whichever whoever became elsewhere longest shortest anyway somehow sees shall till yourself
able about above according across actually add added adding additional additionally adds after
again against ago all allow allowed allows almost along already also although always among and
another any anyone anything apart appear appears are aren't around aside ask available avoid away
back based basic because become becomes been before begin beginning begins behind being below
beside besides best better between beyond big both bring but call called calling calls came can
can't cannot case certain clear clearly come comes common consider contain containing contains
correct could couldn't course create created creates creating current currently deal depending
describe described describes despite detail details did didn't different directly does doesn't
doing don't done down due during each easily easy either else end ends enough entire especially
etc even ever every everything exactly example except fact false far few find finds first follow
followed following follows for former found four from full fully further gave general generally
get gets getting give given gives giving goes going good got great had handle has hasn't have
haven't having hence her here high him himself his hold holds how however idea immediately
important include included includes including inside instead into isn't issue item itself just
keep keeps kept kind kinds know known large last later latter least leave left less let lets like
likely list little long longer look looking looks lot low made mainly make makes making many mark
may maybe mean means meant might more moreover most mostly much must name named namely near
necessarily necessary need needed needs neither never nevertheless new next nobody none nor normal
normally not note notes nothing now number obtain obtained off often old once one ones only onto
order other others otherwise our out outside over own part particular particularly parts per
perhaps place please possible possibly present previous previously probably provide provided
provides providing put quite rather really recent regardless related relevant require required
requires respectively rest result results return returned returning returns right said same saw
say says second see seem seems seen self sense set sets several shall she should shouldn't show
shown shows side similar similarly simple simply since single six small some somebody something
sometimes soon sort specific specified specify start started starts states still such supply
support supported supports sure take taken takes taking tell ten than thank thanks that that's the
their theirs them themselves then there thereby therefore these they thing things think third this
those though three through throughout thus till times to together too took toward towards tried
true try trying turn turned twice two under unless unlike until upon use used useful user users
uses using usual usually value various very via want wants was wasn't way ways well went were
weren't what whatever when whenever where whereas wherever whether which while who whole whom
whose why will wish with within without won't work working works would wouldn't write yes yet you
your yours zero he'll it's i'm you're we're they're let's doesn isn aren don won etc e.g i.e use
via
"""

STOP_WORDS: Final = frozenset(_WORDS.split())


MAX_SECTIONS: Final = 400
MAX_CHARACTERS: Final = 20_000
"""Of a section; what stands behind says the same once more, or is data."""

MIN_CHARACTERS: Final = 50
"""A section with less text has no keywords."""

_MAX_TERMS: Final = 50
_MAX_PHRASES: Final = 30
_FENCE: Final = re.compile(
    r"^[ >]*(```+|~~~+).*?(?:^[ >]*\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
_INDENTED: Final = re.compile(r"(?:(?<=\n)|\A)[ \t]*\n(?:(?: {4}|\t).*(?:\n|\Z)|[ \t]*\n)+")
_CODE: Final = re.compile(r"(?<!`)(`++)[^`]{1,500}+\1")
_FRONT: Final = re.compile(r"\A---[ \t]*\n(?:.*\n){0,200}?---[ \t]*\n")
_TARGETS: Final = re.compile(
    r"\]\([^()\s]{0,1000}+[^()]{0,200}+\)|\]\[[^\[\]]{0,200}+\]|<[^<>]{0,1000}+>"
)
_URLS: Final = re.compile(r"\b(?:https?|ftp)://\S+|(?<![\w.])[\w.]++@[\w.]+\b")
# The last form is of a role before its backtick, with what stands immediately before it.
_DIRECTIVES: Final = re.compile(
    r"^[^\S\n]*+\.\. .*$|^[^\S\n]*+:[\w -]++:.*$"
    r"|(?<![\w:+.-])([\w+.-]*+):[\w:+.-]{2,}+(?<=:)(?=`)",
    re.MULTILINE,
)
_WORD: Final = re.compile(r"[^\W\d_][\w]*(?:[-'\u2019][^\W\d_]\w*)*")
_RUNS: Final = re.compile(r"[^\w\s'\u2019-]|\n\s*\n|\s-+\s|^\s*[-*+]\s|\|", re.MULTILINE)
_POSSESSIVE: Final = re.compile("['\u2019]s$")
_MIN_WORD: Final = 3
_MAX_WORD: Final = 40


class SectionTerms(NamedTuple):
    """The words of one section.

    Attributes:
        characters: of its text, code and targets of links left out.
        length: its words, those that say nothing included.
        words: (stem, as written first, how often), the most frequent first, then in order.
        phrases: (two stems, as written first, how often), in the same order.
    """

    characters: int
    length: int
    words: tuple[tuple[str, str, int], ...]
    phrases: tuple[tuple[str, str, int], ...]


def terms_of(text: str, headings: Iterable[Heading]) -> list[SectionTerms]:
    """Collect the words below each heading.

    Args:
        text: the document, or the lines of which its outline speaks.
        headings: of its outline.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [
        _terms("\n".join(lines[heading.line : heading.last_line])[:MAX_CHARACTERS])
        for heading, _ in zip(headings, range(MAX_SECTIONS), strict=False)
    ]


def encode_terms(sections: list[SectionTerms]) -> bytes:
    """Serialize terms for the cache."""
    return zlib.compress(orjson.dumps([tuple(section) for section in sections]), 1)


def decode_terms(data: bytes) -> list[SectionTerms]:
    """Read what `encode_terms` gave.

    Raises:
        ValueError: it is something else.
        TypeError: the same.
        zlib.error: the same.
    """
    rows = orjson.loads(zlib.decompress(data))
    if not isinstance(rows, list):
        raise TypeError("not a list")
    return [
        SectionTerms(
            characters,
            length,
            tuple((stem, shown, count) for stem, shown, count in words),
            tuple((stem, shown, count) for stem, shown, count in phrases),
        )
        for characters, length, words, phrases in rows
    ]


def stem_of(word: str) -> str:
    """Return the form in which words are compared: lower case, without a plural's s."""
    low = _POSSESSIVE.sub("", word.lower())
    if len(low) > _MIN_WORD + 1 and low.endswith("ies"):
        return low[:-3] + "y"
    if len(low) > _MIN_WORD and low.endswith("s") and not low.endswith(("ss", "us", "is")):
        return low[:-1]
    return low


def prose_of(text: str) -> str:
    """Return the text without code, targets of links, tags and addresses."""
    plain = _INDENTED.sub("\n\n", _FENCE.sub("\n\n", _FRONT.sub("", text)))
    plain = _DIRECTIVES.sub(r"\1 ", plain)
    return _URLS.sub(" . ", _TARGETS.sub(" ", _CODE.sub(" . ", plain)))


def _terms(text: str) -> SectionTerms:
    prose = prose_of(text)
    shown: dict[str, str] = {}
    words: Counter[str] = Counter()
    phrases: Counter[str] = Counter()
    length = 0
    for run in _RUNS.split(prose):
        found = [word for word in _WORD.findall(run) if len(word) <= _MAX_WORD]
        length += len(found)
        stems = [stem_of(word) for word in found]
        for word, stem in zip(found, stems, strict=True):
            if _counts(stem):
                words[stem] += 1
                shown.setdefault(stem, _as_shown(word))
        for (one, first), (other, second) in pairwise(zip(found, stems, strict=True)):
            if _counts(first) and _counts(second) and first != second:
                pair = f"{first} {second}"
                phrases[pair] += 1
                shown.setdefault(pair, f"{_as_shown(one)} {_as_shown(other)}")
    return SectionTerms(
        len(" ".join(prose.split())),
        length,
        tuple(_most(words, shown, _MAX_TERMS)),
        tuple(_most(phrases, shown, _MAX_PHRASES)),
    )


_STOPPED: Final = STOP_WORDS | {stem_of(word) for word in STOP_WORDS}


def _counts(stem: str) -> bool:
    return len(stem) >= _MIN_WORD and stem not in _STOPPED


def _as_shown(word: str) -> str:
    """Return a word as keywords show it: a capital at its beginning alone means nothing."""
    bare = _POSSESSIVE.sub("", word)
    return bare.lower() if bare[1:].islower() else bare


def _most(
    counts: Counter[str], shown: dict[str, str], limit: int
) -> Iterator[tuple[str, str, int]]:
    for stem, count in sorted(counts.items(), key=lambda item: -item[1])[:limit]:
        yield stem, shown[stem], count
