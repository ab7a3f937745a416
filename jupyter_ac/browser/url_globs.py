"""Many globs for addresses, matched at once.

A glob is what `fnmatch` takes it for: `*`, `?` and `[…]`, upper and lower case are different. Most
contain a few letters in a row that an address must contain too. Those of each address are looked
up, so that it is compared with the few globs that can match it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Final

MAX_GLOB_CHARS: Final = 500
MAX_URL_CHARS: Final = 2048
"""Longer addresses, as `data:` ones, are compared by their beginning."""

_GRAM: Final = 4


class UrlGlobs:
    """A set of globs.

    Args:
        globs: each of at most `MAX_GLOB_CHARS`.
    """

    def __init__(self, globs: Iterable[str]) -> None:
        unique = list(dict.fromkeys(globs))
        counts = Counter(gram for glob in unique for gram in set(_required_grams(glob)))
        self._by_gram: dict[str, list[str]] = {}
        self._others: list[str] = []
        for glob in unique:
            grams = set(_required_grams(glob))
            if grams:
                # `http` and `.com` are in most: the rarest tells the most.
                rarest = min(grams, key=lambda gram: (counts[gram], gram))
                self._by_gram.setdefault(rarest, []).append(glob)
            else:
                self._others.append(glob)

    def matches(self, url: str) -> bool:
        """Whether any glob matches the whole address."""
        url = url[:MAX_URL_CHARS]
        if any(fnmatchcase(url, glob) for glob in self._others):
            return True
        by_gram = self._by_gram
        if not by_gram:
            return False
        grams = {url[at : at + _GRAM] for at in range(len(url) - _GRAM + 1)}
        return any(
            fnmatchcase(url, glob) for gram in grams & by_gram.keys() for glob in by_gram[gram]
        )


def matches_glob(url: str, glob: str) -> bool:
    """Whether a glob matches an address, in the same way as `UrlGlobs`."""
    return fnmatchcase(url[:MAX_URL_CHARS], glob)


def browser_pattern(glob: str) -> str:
    """Return a pattern of the DevTools Protocol that matches at least what a glob matches.

    Its patterns know `*`, `?` and a backslash before them, but no `[…]`.
    """
    return "".join(
        "?" if part is None else part if part in {"*", "?"} else _escaped(part)
        for part in _parts(glob)
    )


def _escaped(literal: str) -> str:
    return literal.replace("\\", "\\\\").replace("*", "\\*").replace("?", "\\?")


def _required_grams(glob: str) -> Iterator[str]:
    """The parts of `_GRAM` letters that each matching address contains."""
    for run in _runs(glob):
        yield from (run[at : at + _GRAM] for at in range(len(run) - _GRAM + 1))


def _runs(glob: str) -> list[str]:
    """The letters in a row that each matching address contains."""
    if "[" in glob:
        glob = "".join("*" if part is None else part for part in _parts(glob))
    return glob.replace("?", "*").split("*")


def _parts(glob: str) -> Iterator[str | None]:
    """Take a glob apart as `fnmatch` does: `*`, `?`, None for `[…]`, or one letter."""
    at = 0
    while at < len(glob):
        letter = glob[at]
        at += 1
        end = _class_end(glob, at) if letter == "[" else -1
        if end >= 0:
            at = end + 1
            yield None
        else:
            yield letter


def _class_end(glob: str, start: int) -> int:
    """Where the bracket closes that opens before `start`; -1 if it doesn't."""
    at = start
    if glob[at : at + 1] == "!":
        at += 1
    if glob[at : at + 1] == "]":
        at += 1
    return glob.find("]", at)
