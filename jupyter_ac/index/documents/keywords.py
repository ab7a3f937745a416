"""Extracts keywords of sections: terms that are more frequent in one section than in all others.

Words and phrases of two words are weighted by BM25 over all sections of all documents.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from jupyter_ac.index.documents.terms import MIN_CHARACTERS, SectionTerms, stem_of
from jupyter_ac.index.records import Heading

Keywords: TypeAlias = tuple[tuple[str, ...], ...]
"""Those of each heading of a document, the most telling first."""

TOP: Final = 3
MORE: Final = 2
LONG_LINES: Final = 15
"""A section of so many lines has `MORE` keywords."""

MAX_SHARE: Final = 0.6
"""A term in a larger share of the sections doesn't distinguish them."""

_MIN_SECTIONS: Final = 4
_SATURATION: Final = 2.0
_LENGTH_WEIGHT: Final = 0.3
_DAMPING: Final = 3.0
_LEAST: Final = 0.05
_PHRASE_WEIGHT: Final = 1.2
_ONCE_WEIGHT: Final = 0.6
# Participles and adverbs tell what happens, rarely what it is about.
_FLOWING: Final = re.compile(r"(?:ed|ly|ing|est)$")
_FLOWING_WEIGHT: Final = 0.7


class Corpus:
    """In how many sections of a repository's documents each word stands."""

    def __init__(self) -> None:
        self.sections = 0
        self._words = 0
        self._holding: Counter[str] = Counter()

    def add(self, sections: Sequence[SectionTerms]) -> None:
        """Count a document in."""
        self._count(sections, 1)

    def remove(self, sections: Sequence[SectionTerms]) -> None:
        """Count a document out that was counted in with the same sections."""
        self._count(sections, -1)

    @property
    def mean_length(self) -> float:
        """Words of a section."""
        return self._words / self.sections if self.sections else 1.0

    def share(self, stem: str) -> float:
        """Return the share of the sections in which a word stands."""
        return self._holding[stem] / self.sections if self.sections else 0.0

    def weight(self, stem: str) -> float:
        """Return how much a word tells: more when fewer sections have it."""
        held = self._holding[stem]
        return math.log(1 + max(self.sections - held, 0) / (held + _DAMPING)) + _LEAST

    def is_elsewhere(self, stem: str) -> bool:
        """Tell whether more than one section has a word or phrase."""
        return self._holding[stem] > 1

    def _count(self, sections: Sequence[SectionTerms], sign: int) -> None:
        for section in sections:
            self.sections += sign
            self._words += sign * section.length
            for stem, _, _ in (*section.words, *section.phrases):
                self._holding[stem] += sign
                if not self._holding[stem]:
                    del self._holding[stem]


class _Candidate(NamedTuple):
    score: float
    stems: tuple[str, ...]
    shown: str


def keywords_of(
    headings: Sequence[Heading], sections: Sequence[SectionTerms], corpus: Corpus
) -> Keywords:
    """Choose the keywords of a document's sections.

    Args:
        headings: of the document.
        sections: the words below each of them, as far as they were looked at.
        corpus: of the repository, this document included.
    """
    here: Counter[str] = Counter()
    for section in sections:
        here.update(stem for stem, _, _ in section.words)
    common = {
        stem
        for stem, held in here.items()
        if (len(sections) >= _MIN_SECTIONS and held > MAX_SHARE * len(sections))
        or (corpus.sections >= _MIN_SECTIONS and corpus.share(stem) > MAX_SHARE)
    }
    chosen = [
        _chosen(heading, section, corpus, common)
        for heading, section in zip(headings, sections, strict=False)
    ]
    return tuple(chosen) + ((),) * (len(headings) - len(chosen))


def _chosen(
    heading: Heading, section: SectionTerms, corpus: Corpus, common: set[str]
) -> tuple[str, ...]:
    if section.characters < MIN_CHARACTERS:
        return ()
    is_long = heading.last_line - heading.line + 1 >= LONG_LINES
    limit = TOP + MORE * is_long
    said = {stem_of(word.strip("()[]{}.,:;!?\"'`")) for word in heading.text.split()}
    candidates = sorted(_candidates(section, corpus), key=lambda one: -one.score)
    taken: set[str] = set(said)
    found: list[str] = []
    for one in candidates:
        if (
            len(found) < limit
            and not taken.intersection(one.stems)
            and not common.issuperset(one.stems)
        ):
            found.append(one.shown)
            taken.update(one.stems)
    if not found and candidates:
        found.append(candidates[0].shown)
    return tuple(found)


def _candidates(section: SectionTerms, corpus: Corpus) -> Iterator[_Candidate]:
    longer = section.length / corpus.mean_length if corpus.mean_length else 1.0
    slack = _SATURATION * (1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * longer)
    for stem, shown, count in section.words:
        weight = corpus.weight(stem) * (_FLOWING_WEIGHT if _FLOWING.search(stem) else 1.0)
        if count == 1 and not corpus.is_elsewhere(stem):
            weight *= _ONCE_WEIGHT
        yield _Candidate(weight * count / (count + slack), (stem,), shown)
    for stem, shown, count in section.phrases:
        if count > 1 or corpus.is_elsewhere(stem):
            stems = tuple(stem.split(" "))
            weight = _PHRASE_WEIGHT * sum(corpus.weight(part) for part in stems) / len(stems)
            yield _Candidate(weight * count / (count + slack), stems, shown)
