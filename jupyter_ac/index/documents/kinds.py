"""Classifies a document by its folder, its name and its headings."""

import re
from pathlib import PurePosixPath
from typing import Final, Literal, TypeAlias

from jupyter_ac.index.records import Outline

DocType: TypeAlias = Literal[
    "readme",
    "changelog",
    "decision",
    "spec",
    "guide",
    "reference",
    "notes",
    "notebook",
    "drawing",
    "unknown",
]

_BY_SUFFIX: Final[dict[str, DocType]] = {".svg": "drawing", ".ipynb": "notebook"}
_CHANGES: Final = re.compile(
    r"change(s|log)([-_].*)?|history|news|releases?|whatsnew|what[-_]?s[-_]new"
    r"|(.*[-_])?release[-_ ]notes?"
)
_BY_NAME: Final[tuple[tuple[re.Pattern[str], DocType], ...]] = (
    (
        re.compile(
            r"contributing|install(ation|ing)?|quick[-_]?start|tutorial|getting[-_]?started"
        ),
        "guide",
    ),
    (re.compile(r"usage|how[-_]?to|faq|guide|walkthrough|hacking|development"), "guide"),
    (re.compile(r"api|reference|glossary|cli|configuration|settings"), "reference"),
    (re.compile(r"spec(ification)?|design|architecture|requirements|rfc|protocol|roadmap"), "spec"),
    (re.compile(r"notes?|todo|ideas|journal|scratch|minutes"), "notes"),
    (re.compile(r"adr[-_]?\d+"), "decision"),
)
_BY_FOLDER: Final[dict[str, DocType]] = {
    **dict.fromkeys(("decisions", "decision", "adr", "adrs"), "decision"),
    **dict.fromkeys(("spec", "specs", "specification", "rfcs", "rfc", "proposals"), "spec"),
    **dict.fromkeys(("design", "designs", "requirements", "peps", "enhancements"), "spec"),
    **dict.fromkeys(("guide", "guides", "howto", "how-to", "howtos", "tutorial"), "guide"),
    **dict.fromkeys(("tutorials", "getting-started", "getting_started", "user_guide"), "guide"),
    **dict.fromkeys(("examples", "usage", "cookbook", "recipes"), "guide"),
    **dict.fromkeys(("reference", "ref", "references", "api", "apidoc", "man"), "reference"),
    **dict.fromkeys(("notes", "note", "meetings", "journal", "blog"), "notes"),
    **dict.fromkeys(("changelog", "changes", "whatsnew", "news", "releases"), "changelog"),
}
_NUMBERED: Final = re.compile(r"\d+(?:\.\d+)*[.):]?\s")
_DECIDED: Final = frozenset({"decision", "consequences"})
_GUIDING: Final = frozenset(
    {"installation", "usage", "getting started", "quick start", "quickstart"}
)
_REFERRING: Final = frozenset({"parameters", "methods", "api", "api reference", "options"})
_MIN_NUMBERED: Final = 3


def doc_type(path: str, outline: Outline) -> DocType:
    """Return what kind of document a file is."""
    place = PurePosixPath(path)
    if (form := _BY_SUFFIX.get(place.suffix.lower())) is not None:
        return form
    stem = place.stem.lower().split(".", 1)[0]
    if stem.startswith("readme"):
        return "readme"
    if _CHANGES.fullmatch(stem):
        return "changelog"
    for folder in reversed(place.parts[:-1]):
        if (found := _BY_FOLDER.get(folder.lower())) is not None:
            return found
    named = (kind for pattern, kind in _BY_NAME if pattern.fullmatch(stem))
    return next(named, None) or _by_headings(outline)


def _by_headings(outline: Outline) -> DocType:
    texts = [heading.text.lower() for heading in outline.headings]
    found = {re.sub(r"^[\d.]+\s+", "", text) for text in texts}
    if "status" in found and found & _DECIDED:
        return "decision"
    numbered = sum(1 for text in texts if _NUMBERED.match(text))
    if numbered >= _MIN_NUMBERED and 2 * numbered >= len(texts):
        return "spec"
    if found & _GUIDING:
        return "guide"
    if found & _REFERRING:
        return "reference"
    return "unknown"
