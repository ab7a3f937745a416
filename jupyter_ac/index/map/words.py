"""Splits and stems words of identifiers, paths and questions."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

_PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
_NAME: Final = re.compile(r"[^\W\d]\w+")
_ENDINGS: Final = (
    *("ations", "ation", "ings", "ing", "ions", "ion", "ers", "er", "ors", "or"),
    *("ies", "ied", "ed", "es", "s", "ly", "al", "e", "y"),
)
_KEPT_S: Final = ("ss", "us", "is")
_SHORTEST: Final = 3
_LONGEST: Final = 100
_COMMON: Final = frozenset(
    {
        *("about", "add", "added", "adds", "after", "all", "also", "an", "and", "any", "are", "as"),
        *("at", "be", "been", "before", "but", "by", "can", "could", "do", "does", "don", "each"),
        *("else", "fix", "fixed", "fixes", "for", "from", "get", "had", "has", "have", "how"),
        *("if", "in", "into", "is", "it", "its", "just", "let", "like", "made", "make", "makes"),
        *("may", "me", "more", "most", "must", "my", "no", "not", "now", "of", "off", "on"),
        *("one", "only", "or", "other", "our", "out", "please", "should", "so", "some", "such"),
        *("than", "that", "the", "their", "them", "then", "there", "these", "they", "this"),
        *("those", "to", "too", "under", "up", "upon", "us", "use", "used", "uses", "using"),
        *("very", "via", "was", "way", "we", "were", "what", "when", "where", "which", "while"),
        *("who", "whose", "why", "will", "with", "without", "would", "you", "your"),
    }
)
"""Words of questions that say nothing about code."""


def parts(identifier: str) -> list[str]:
    """Split `readHTMLFile_v2` into its words, in lower case; digits are none."""
    return [part.lower() for part in _PART.findall(identifier)]


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Take the ending off a word in lower case: parse, parser and parsing become one."""
    if len(word) <= _SHORTEST:
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            if ending == "s" and word.endswith(_KEPT_S):
                break
            word = word[: -len(ending)]
            break
    if len(word) > _SHORTEST and word[-1] == word[-2]:
        return word[:-1]
    return word


@lru_cache(maxsize=200_000)
def stems(identifier: str) -> frozenset[str]:
    """Return the words of an identifier or a path, each without its ending."""
    return frozenset(stem(part) for part in parts(identifier[:_LONGEST]) if len(part) > 1)


def asked_stems(question: str) -> frozenset[str]:
    """Return the words of a question that mean something, each without its ending."""
    found = (part for name in names(question) for part in parts(name) if part not in _COMMON)
    return frozenset(stem(part) for part in found if len(part) > 1)


def names(text: str) -> Iterator[str]:
    """Yield what may be an identifier, as written."""
    return (match.group() for match in _NAME.finditer(text))
