"""A tree of documents and code, indexed in memory."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.graph import DocumentGraph, is_document
from jupyter_ac.index.documents.outline import outline
from jupyter_ac.index.indexing.file_reader import blob_hash
from jupyter_ac.index.languages.registry import language_of
from jupyter_ac.index.records import NOBODY, FileRecord, Kind, Symbol
from jupyter_ac.index.view import Definition, Spot


class DocumentTree:
    """Implements `IndexView`, as far as documents need it, and `Tree`."""

    def __init__(self, texts: Mapping[str, str], symbols: Mapping[str, Iterable[str]] = {}) -> None:
        self.texts = {RepoPath(path): text for path, text in texts.items()}
        self._symbols = symbols
        self.decoded: list[str] = []

    @property
    def view(self) -> "DocumentTree":
        return self

    @property
    def generation(self) -> str:
        return blob_hash(repr(sorted(self.texts.items())).encode())

    def blob(self, path: RepoPath) -> str:
        return blob_hash(self.texts[path].encode("utf-8", "surrogateescape"))

    async def text(self, path: RepoPath, blob: str) -> str | None:
        return self.texts[path] if self.blob(path) == blob else None

    @property
    def version(self) -> int:
        return 0

    def changed_since(self, version: int) -> Collection[RepoPath] | None:
        del version
        return None

    def content(self, path: RepoPath) -> str:
        return self.blob(path) if path in self.texts else ""

    def paths(self) -> Sequence[RepoPath]:
        return sorted({*self.texts, *map(RepoPath, self._symbols)})

    def record(self, path: RepoPath) -> FileRecord | None:
        self.decoded.append(path)
        if is_document(path):
            language = language_of(path)
            return FileRecord(language, outline=outline(language, self.texts[path]))
        return FileRecord("python", tuple(_symbols(self._symbols.get(path, ()))))

    def record_without_uses(self, path: RepoPath) -> FileRecord | None:
        return self.record(path)

    def skipped(self) -> Mapping[RepoPath, str]:
        return {}

    def defining(self, name: str) -> Sequence[Definition]:
        return [
            Definition(RepoPath(path), at)
            for path in sorted(self._symbols)
            for at, symbol in enumerate(_symbols(self._symbols[path]))
            if symbol.name == name
        ]

    def meaning(self, path: RepoPath, use: int) -> Definition | None:
        del path, use
        return None

    def imported(self, path: RepoPath, position: int) -> RepoPath | None:
        del path, position
        return None

    def in_package(self, path: RepoPath, package: str, name: str) -> Definition | None:
        del path, package, name
        return None

    def in_known_packages(self, path: RepoPath) -> Iterator[RepoPath]:
        del path
        return iter(())

    def opened_classes(self, path: RepoPath) -> Sequence[Definition]:
        del path
        return ()

    def parts(self, definition: Definition) -> Sequence[Definition]:
        del definition
        return ()

    def bound(self, path: RepoPath, name: str) -> Definition | None:
        del path, name
        return None

    def exported(self, path: RepoPath, name: str) -> Definition | None:
        del path, name
        return None

    def bases(self, definition: Definition) -> Sequence[Definition]:
        del definition
        return ()

    def references(self, definition: Definition) -> Sequence[Spot]:
        del definition
        return ()

    def targets(self, path: RepoPath) -> Mapping[RepoPath, int]:
        del path
        return {}

    def sources(self, path: RepoPath) -> Mapping[RepoPath, int]:
        del path
        return {}

    def fame(self, path: RepoPath) -> int:
        del path
        return 0

    def popularity(self) -> Mapping[RepoPath, int]:
        return {}

    def holders(self, word: str) -> Sequence[RepoPath]:
        del word
        return ()


def _symbols(names: Iterable[str]) -> Iterable[Symbol]:
    """Make functions, and methods of a class that stands before them: `Class`, `Class.method`."""
    classes: dict[str, int] = {}
    for at, name in enumerate(names):
        owner, _, own = name.rpartition(".")
        classes[name] = at
        kind: Kind = "method" if owner else "function"
        yield Symbol(own, kind, at + 1, 0, at + 1, at + 1, classes.get(owner, NOBODY))


def graph_of(
    texts: Mapping[str, str] | Mapping[RepoPath, str], others: Iterable[str] = ()
) -> DocumentGraph:
    """Make the graph of some documents, among other files."""
    outlines = {
        RepoPath(path): outline(language_of(path), text)
        for path, text in sorted(texts.items())
        if is_document(path)
    }
    return DocumentGraph(outlines, sorted(map(RepoPath, {*texts, *others})))
