"""The map of a tree's documents within a token budget."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.graph import DocumentGraph
from jupyter_ac.index.documents.keywords import Keywords
from jupyter_ac.index.documents.kinds import DocType, doc_type
from jupyter_ac.index.documents.rendering import (
    LEGEND,
    Detail,
    folder_line,
    plain_or_quoted,
    render,
)

_WORTH: Final[dict[DocType, float]] = {
    "readme": 3.0,
    "guide": 2.0,
    "spec": 2.0,
    "reference": 2.0,
    "decision": 1.5,
    "unknown": 1.0,
    "notebook": 1.0,
    "notes": 0.7,
    "changelog": 0.5,
    "drawing": 0.2,
}
_ASIDE: Final = frozenset(
    {"vendor", "vendored", "third_party", "node_modules", "external", "extern"}
    | {"test", "tests", "testdata", "fixtures", ".github", "licenses"}
)
_INCOMING_WEIGHT: Final = 1.5
_DEPTH_WEIGHT: Final = 0.3
_ASIDE_WEIGHT: Final = 2.0
_MISSES: Final = 20
"""So many documents in a row that have no room end a round."""

_NAMES_SHARE: Final = 0.6
"""Of the room, at most for bare names; the rest is for titles and headings."""

_GROUPS_SHARE: Final = 0.4
"""Of the room, at most for the lines of folders; with more, folders are counted together."""


class DocumentMap(NamedTuple):
    """A map.

    Attributes:
        text: folder by folder; "" when there are no documents.
        legend: what its signs mean.
        tokens: of both.
        files: how many documents it names.
    """

    text: str
    legend: str
    tokens: int
    files: int


def document_map(
    graph: DocumentGraph,
    keywords: Callable[[RepoPath], Keywords],
    budget_tokens: int,
    count: Callable[[str], int],
) -> DocumentMap:
    """Write the map; the same for the same documents and keywords.

    Args:
        graph: the documents.
        keywords: of a document's headings; empty when they aren't known.
        budget_tokens: at most as many, the legend among them.
        count: counts tokens.
    """
    room = budget_tokens - count(LEGEND)
    made = _Map(graph, keywords, count)
    target = 0 if made.is_empty else room
    while target > 0:
        made.fill(target)
        text = made.text()
        used = count(text)
        if used <= room:
            return DocumentMap(text, LEGEND, used + count(LEGEND), made.named)
        # Pieces were counted one by one; together they may come to a little more.
        target -= max(used - room, target // 50, 1)
    return DocumentMap("", "", 0, 0)


class _Map:
    def __init__(
        self,
        graph: DocumentGraph,
        keywords: Callable[[RepoPath], Keywords],
        count: Callable[[str], int],
    ) -> None:
        paths = [path for path in graph.outlines if _says_something(path, graph)]
        self._graph = graph
        self._keywords = keywords
        self._count = count
        self._order = sorted(paths, key=lambda path: (-_worth(path, graph), path))
        self._folders: dict[str, list[RepoPath]] = defaultdict(list)
        for path in sorted(paths):
            self._folders[_folder_of(path)].append(path)
        self._pieces: dict[tuple[RepoPath, Detail], tuple[str, int]] = {}
        # Of documents that are shown with more than their name.
        self._shown: dict[RepoPath, Detail] = {}
        # Folders that have a line, and those of which all names are listed.
        self._present: set[str] = set()
        self._named: set[str] = set()
        self._group: dict[str, str] = {}

    @property
    def named(self) -> int:
        """How many documents the text names."""
        bare = sum(1 for path in self._shown if _folder_of(path) not in self._named)
        return bare + sum(len(self._folders[folder]) for folder in self._named)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to tell."""
        return not self._order

    def fill(self, room: int) -> None:
        """Choose the level of detail of each document, the most important first."""
        self._shown.clear()
        self._named.clear()
        left = room - self._group_folders(room)
        left -= self._name(room * _NAMES_SHARE - (room - left))
        for detail in list(Detail)[1:]:
            misses = 0
            for path in self._order:
                extra = self._extra(path, detail)
                if extra > left:
                    misses += 1
                    if misses == _MISSES:
                        break
                    continue
                misses = 0
                left -= extra
                self._shown[path] = detail
                self._present.add(_folder_of(path))

    def text(self) -> str:
        """Write what was chosen."""
        untold: Counter[str] = Counter()
        for folder, paths in self._folders.items():
            if folder not in self._named:
                untold[self._group[folder]] += sum(path not in self._shown for path in paths)
        folders = sorted(self._present)
        return "".join(self._folder(folder, untold[folder]) for folder in folders)

    def _group_folders(self, room: int) -> int:
        """Group folders that are too many to be listed; return the tokens of their lines."""
        deepest = max(len(_parts(folder)) for folder in self._folders)
        taken = 0
        for depth in range(deepest, -1, -1):
            self._group = {one: "/".join(_parts(one)[:depth]) for one in self._folders}
            self._present = set(self._group.values())
            taken = sum(self._count(_head(group, (), 100)) for group in self._present)
            if taken <= room * _GROUPS_SHARE:
                break
        return taken

    def _name(self, room: float) -> int:
        """Tell the names in the folders of the most important documents; return what they take."""
        taken = 0
        for folder in dict.fromkeys(_folder_of(path) for path in self._order):
            extra = self._count(_head(folder, self._folders[folder], 0))
            extra -= self._count(_head(folder, (), 100)) if folder in self._present else 0
            if taken + extra <= room:
                taken += extra
                self._named.add(folder)
                self._present.add(folder)
        return taken

    def _extra(self, path: RepoPath, detail: Detail) -> int:
        """Return how many tokens more a document takes with more detail."""
        before = self._shown.get(path)
        cost = self._piece(path, detail)[1]
        if before is not None:
            return cost - self._piece(path, before)[1]
        folder = _folder_of(path)
        return cost + (0 if folder in self._present else self._count(_head(folder, (), 0)))

    def _piece(self, path: RepoPath, detail: Detail) -> tuple[str, int]:
        known = self._pieces.get((path, detail))
        if known is None:
            words = self._keywords(path) if detail >= Detail.HEADINGS else ()
            text = render(path, self._graph, words, detail)
            known = self._pieces[path, detail] = text, self._count(text)
        return known

    def _folder(self, folder: str, untold: int) -> str:
        paths = self._folders.get(folder, ())
        names = [path for path in paths if path not in self._shown]
        head = _head(folder, names if folder in self._named else (), untold)
        told = (path for path in paths if path in self._shown)
        return head + "".join(self._piece(path, self._shown[path])[0] for path in told)


def _head(folder: str, named: Sequence[RepoPath], untold: int) -> str:
    """Write the line of a folder.

    Args:
        folder: which one.
        named: documents in it that are listed by name only.
        untold: documents in it and below that aren't listed.
    """
    names = [plain_or_quoted(path.rpartition("/")[2]) for path in named]
    rest = [f"+{untold} more"] if untold else []
    return " ".join((folder_line(folder), *names, *rest)) + "\n"


def _folder_of(path: RepoPath) -> str:
    return path.rpartition("/")[0]


def _parts(folder: str) -> list[str]:
    return folder.split("/") if folder else []


def _says_something(path: RepoPath, graph: DocumentGraph) -> bool:
    """Tell whether there is anything to read; many a tree has icons without a word."""
    return not path.lower().endswith(".svg") or bool(graph.outlines[path].headings)


def _worth(path: RepoPath, graph: DocumentGraph) -> float:
    parts = PurePosixPath(path).parts
    kind = doc_type(path, graph.outlines[path])
    worth = _WORTH[kind]
    if kind != "changelog":  # these refer to each other
        worth += _INCOMING_WEIGHT * math.log1p(sum(graph.sources(path).values()))
    worth -= _DEPTH_WEIGHT * (len(parts) - 1)
    return worth - _ASIDE_WEIGHT * any(part.lower() in _ASIDE for part in parts[:-1])
