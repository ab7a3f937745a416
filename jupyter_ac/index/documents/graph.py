"""The graph of references from documents to each other and to code."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Self

from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.link_targets import DocumentTarget, LinkTargets, looks_like_path
from jupyter_ac.index.languages.registry import DOCUMENTS, TEXT, language_of
from jupyter_ac.index.records import NOBODY, DocumentLink, Outline

_PARTS: Final = re.compile(r"::|[.#]")


class Reference(NamedTuple):
    """A link of a document that leads to a file of the tree.

    Attributes:
        source: the document.
        section: index of the heading that it stands under, `NOBODY` before the first.
        line: where it stands.
        target: file that it leads to.
        heading: index of the heading there that it names, `NOBODY` for the file as a whole.
    """

    source: RepoPath
    section: int
    line: int
    target: RepoPath
    heading: int


class DocumentGraph:
    """The documents of a tree, as of one moment.

    Args:
        outlines: of the documents.
        paths: all files of the tree.
    """

    def __init__(self, outlines: Mapping[RepoPath, Outline], paths: Sequence[RepoPath]) -> None:
        self.outlines = outlines
        self.paths = paths
        self.files = LinkTargets(paths)
        self._slugs = {
            path: {heading.slug: at for at, heading in enumerate(outline.headings)}
            for path, outline in self.outlines.items()
        }
        self._labels = _unique_labels(self._slugs)
        self._references = {
            path: tuple(self._resolved(path, outline)) for path, outline in self.outlines.items()
        }
        self._naming: dict[str, list[tuple[RepoPath, DocumentLink]]] = defaultdict(list)
        for path, outline in outlines.items():
            for link in outline.links:
                if link.is_code:
                    self._naming[parts_of(link.target)[-1]].append((path, link))
        self._sources: dict[RepoPath, Counter[RepoPath]] = defaultdict(Counter)
        self._incoming: dict[tuple[RepoPath, int], int] = Counter()
        for reference in self._all():
            self._sources[reference.target][reference.source] += 1
            self._incoming[reference.target, reference.heading] += 1

    def without(self, excluded: ExcludedPaths) -> Self:
        """Return the graph as if excluded files weren't there."""
        outlines = {
            path: outline for path, outline in self.outlines.items() if not excluded.covers(path)
        }
        return type(self)(outlines, excluded.sent(self.paths))

    def references(self, path: RepoPath) -> tuple[Reference, ...]:
        """Return the links and paths of a document that lead to other files.

        In order, each once per section.
        """
        return self._references.get(path, ())

    def naming(self, name: str) -> Sequence[tuple[RepoPath, DocumentLink]]:
        """Return the names in backticks whose last part is this one, each with its document."""
        return self._naming.get(name, ())

    def targets(self, path: RepoPath) -> Mapping[RepoPath, int]:
        """Return the files that a document links to, each with the number of its links."""
        return Counter(reference.target for reference in self.references(path))

    def sources(self, path: RepoPath) -> Mapping[RepoPath, int]:
        """Return the documents that link to a file, each with the number of its links."""
        return self._sources.get(path, {})

    def incoming(self, path: RepoPath, heading: int = NOBODY) -> int:
        """Count the sections of other documents that link to a heading.

        Args:
            path: the document.
            heading: index of the heading, `NOBODY` for the document as a whole.
        """
        return self._incoming.get((path, heading), 0)

    def _all(self) -> Iterator[Reference]:
        for references in self._references.values():
            yield from references

    def _resolved(self, path: RepoPath, outline: Outline) -> Iterator[Reference]:
        seen: set[tuple[int, RepoPath, int]] = set()
        for link in outline.links:
            place = self._place(path, link)
            if place is None or place.path == path:
                continue
            heading = self._slugs.get(place.path, {}).get(place.slug, NOBODY)
            key = (link.heading, place.path, heading)
            if key not in seen:
                seen.add(key)
                yield Reference(path, link.heading, link.line, place.path, heading)

    def _place(self, path: RepoPath, link: DocumentLink) -> DocumentTarget | None:
        if link.is_code:
            named = looks_like_path(link.target) and self.files.named(path, link.target)
            return DocumentTarget(named, "") if named else None
        if link.target.startswith("#") and path.endswith(".rst"):
            slug = link.target[1:]
            own = slug in self._slugs[path]
            return DocumentTarget(path, slug) if own else self._labels.get(slug)
        return self.files.link(path, link.target)


def is_document(path: str) -> bool:
    """Tell whether a file is read as a document, by its name."""
    name = path.rpartition("/")[2]
    dot = name.rfind(".")
    end = name[dot:].lower() if dot > 0 else ""
    return end in DOCUMENTS or (end == ".txt" and language_of(path) == TEXT)


def parts_of(name: str) -> list[str]:
    """Split `Class.method()`, `module::function` and the like."""
    return _PARTS.split(name.removesuffix("()"))


def _unique_labels(slugs: Mapping[RepoPath, Iterable[str]]) -> dict[str, DocumentTarget]:
    """Find the labels that Sphinx's `:ref:` can name from anywhere."""
    places: dict[str, DocumentTarget | None] = {}
    for path, names in slugs.items():
        if path.endswith(".rst"):
            for name in names:
                places[name] = None if name in places else DocumentTarget(path, name)
    return {name: place for name, place in places.items() if place is not None}
