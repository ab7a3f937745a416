"""Collects headings and builds the tree of sections."""

import re
from typing import Final

from jupyter_ac.index.records import DocumentLink, Heading, Outline

MAX_TEXT: Final = 200
"""Characters of a heading that are stored."""

MAX_HEADINGS: Final = 2000
MAX_LINKS: Final = 5000
"""Of one document; those behind are left out."""

_MIN_NAME: Final = 3
_CONTENTS: Final = ("code", "table", "formula")
_NOT_IN_SLUG: Final = re.compile(r"[^\w\- ]")
_NAME: Final = re.compile(r"\w[\w./:#-]*(?:\(\))?")


class Sections:
    """Collects headings and links in the order of the text, and closes sections."""

    def __init__(self) -> None:
        self._open: list[tuple[str, int, int, str]] = []
        self._contents: list[set[str]] = []
        self._slugs: set[str] = set()
        self._counts: dict[str, int] = {}
        self._links: dict[tuple[str, bool, int], DocumentLink] = {}

    @property
    def current(self) -> int:
        """Index of the section that is open, -1 before the first."""
        return len(self._open) - 1

    def heading(self, text: str, level: int, line: int, slug: str = "") -> None:
        """Begin a section; a heading without text opens none.

        Args:
            text: without markup.
            level: 1 is the highest.
            line: of the heading.
            slug: what the document itself calls it; "" for GitHub's rule.
        """
        short = " ".join(text.split())[:MAX_TEXT]
        if not short or len(self._open) >= MAX_HEADINGS:
            return
        self._open.append((short, level, line, self._unique(slug or slug_of(short))))
        self._contents.append(set())

    def holds(self, what: str) -> None:
        """Note that the open section holds code, a table or a formula."""
        if self._contents:
            self._contents[-1].add(what)

    def link(self, target: str, line: int) -> None:
        """Note a link; one that leads out of the repository is none."""
        if target and not is_external(target):
            self._add(target, line, is_code=False)

    def name(self, text: str, line: int) -> None:
        """Note what stands in backticks, if it looks like a name or a path."""
        if _MIN_NAME <= len(text) <= MAX_TEXT and _NAME.fullmatch(text):
            self._add(text, line, is_code=True)

    def _add(self, target: str, line: int, *, is_code: bool) -> None:
        key = (target, is_code, self.current)
        if key not in self._links and len(self._links) < MAX_LINKS:
            self._links[key] = DocumentLink(target, is_code, line, self.current)

    def _unique(self, slug: str) -> str:
        found = slug
        while found in self._slugs:
            self._counts[slug] = self._counts.get(slug, 0) + 1
            found = f"{slug}-{self._counts[slug]}"
        self._slugs.add(found)
        return found

    def outline(self, last_line: int) -> Outline:
        """Close the last section.

        Args:
            last_line: of the document.
        """
        ends = [line - 1 for _, _, line, _ in self._open[1:]] + [last_line]
        headings = (
            Heading(text, level, line, max(end, line), slug, _sorted(contents))
            for (text, level, line, slug), end, contents in zip(
                self._open, ends, self._contents, strict=False
            )
        )
        return Outline(tuple(headings), tuple(self._links.values()))


def slug_of(heading: str) -> str:
    """Return GitHub's name for a heading, without the number that makes it unique."""
    return _NOT_IN_SLUG.sub("", heading.strip().lower()).replace(" ", "-")


def is_external(target: str) -> bool:
    """Tell whether a link names another place than the repository's files."""
    head = target[:40].lower()
    return head.startswith("//") or bool(re.match(r"[a-z][a-z0-9+.-]+:", head))


def _sorted(contents: set[str]) -> tuple[str, ...]:
    return tuple(kind for kind in _CONTENTS if kind in contents)


EMPTY: Final = Outline((), ())
"""Of a document without structure."""
