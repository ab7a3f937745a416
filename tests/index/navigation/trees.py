"""Small trees with a real index of them, without a repository or a disk."""

from collections.abc import Mapping, Sequence
from functools import cache

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.link_targets import LinkTargets
from jupyter_ac.index.graph.record_codec import seal
from jupyter_ac.index.graph.state import LoadedIndex
from jupyter_ac.index.indexing.file_reader import blob_hash
from jupyter_ac.index.languages.registry import described
from jupyter_ac.index.navigation.member_resolution import Resolver
from jupyter_ac.index.navigation.references import ReferenceFilter, defined, files_to_look_at
from jupyter_ac.index.navigation.source_text import SourceText, TextPosition, units
from jupyter_ac.index.navigation.symbol_at import SymbolAt, find
from jupyter_ac.index.occurrences.find_occurrences import occurrence_at, occurrences_of
from jupyter_ac.index.occurrences.occurrence import Occurrence
from jupyter_ac.index.parsing import language_of, parse


class Tree:
    """Files by path, indexed; places in them are named by texts."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = dict(texts)
        self.view = LoadedIndex()
        for path, text in texts.items():
            data, language = text.encode(), language_of(path)
            sealed = seal(parse(language, data)) if language else b""
            self.view.put(RepoPath(path), blob_hash(data, 40), sealed)
        self.view.update()

    def source(self, path: str) -> SourceText:
        """The text of a file."""
        record = self.view.record(RepoPath(path))
        return SourceText(self.texts[path], described(record.language if record else "").reading)

    def place(self, path: str, mark: str, nth: int = 0) -> TextPosition:
        """The place of the sign `|` in a text that the file holds without it."""
        before, _, after = mark.partition("|")
        text, at = self.texts[path], -1
        for _ in range(nth + 1):
            at = text.index(before + after, at + 1)
        at += len(before)
        start = text.rfind("\n", 0, at) + 1
        return TextPosition(text.count("\n", 0, at) + 1, units(text[start:at]))

    def found(self, path: str, mark: str, nth: int = 0) -> SymbolAt | None:
        """What stands there."""
        files = LinkTargets(self.view.paths())
        place = self.place(path, mark, nth)
        return find(self.view, files, RepoPath(path), place, self.source(path))

    def goal(self, path: str, mark: str, nth: int = 0) -> str:
        """What is meant there: `path`, `path:symbol` or `path#slug`; "" for nothing."""
        found = self.found(path, mark, nth)
        if found is None:
            return ""
        goal, record = found.goal, self.view.record(found.goal.path)
        if record is not None and goal.symbol >= 0:
            return f"{goal.path}:{record.symbols[goal.symbol].name}"
        if record is not None and record.outline is not None and goal.heading >= 0:
            return f"{goal.path}#{record.outline.headings[goal.heading].slug}"
        return goal.path

    def occurrence(self, path: str, mark: str, nth: int = 0) -> Occurrence | None:
        """What is seen of the name there."""
        place = self.place(path, mark, nth)
        word, record = self.source(path).word_at(place), self.view.record(RepoPath(path))
        assert word is not None
        assert record is not None
        data = self.texts[path].encode()
        return occurrence_at(record.language, data, word.text, place.line, word.column)

    def meant(self, path: str, mark: str, nth: int = 0) -> str:
        """What the code around says is meant: `path:line what`; "" for nothing."""
        occurrence = self.occurrence(path, mark, nth)
        found = (
            Resolver(self.view).meaning(RepoPath(path), occurrence)
            if occurrence is not None
            else None
        )
        if found is None:
            return ""
        goal = defined(self.view, found[0])
        if goal.local is not None:
            return f"{goal.path}:{goal.local[0]} {found[1]}"
        record = self.view.record(goal.path)
        is_symbol = record is not None and goal.symbol >= 0
        line = record.symbols[goal.symbol].line if record is not None and is_symbol else 1
        return f"{goal.path}:{line} {found[1]}"

    def named(self, path: str, mark: str, nth: int = 0) -> list[str]:
        """Where the symbol that is defined at a place is named: `path:line:column-end`."""
        found = self.found(path, mark, nth)
        assert found is not None
        places = ReferenceFilter(self.view, found.goal)
        spots = (
            at
            for file, names in files_to_look_at(self.view, found.goal)
            for at in places.among(file, self._occurrences(file, names))
        )
        return [f"{at.path}:{at.line}:{at.column}-{at.end_column}" for at in sorted(spots)]

    def _occurrences(self, path: str, names: Sequence[str]) -> list[Occurrence]:
        record = self.view.record(RepoPath(path))
        language = record.language if record is not None else ""
        return occurrences_of(language, self.texts[path].encode(), names)


PYTHON = {
    "app/__init__.py": "from app.client import Client\n",
    "app/base.py": '''class Base:
    """What all clients share."""

    def close(self) -> None:
        """Let go."""
''',
    "app/client.py": '''import json
from app.base import Base
from app.shapes import (
    Shape,
    area as size,
)


# Not a docstring.
class Client(Base):
    def fetch_page(self, url: str, n: int = 3) -> "Shape":
        """Get it from `url`.

        More.
        """
        self.close()
        return self.draw(json.loads(url), n)

    def draw(self, x, n):
        return size(x)


DEFAULT = Client()
''',
    "app/shapes.py": """class Shape:
    sides = 3


def area(shape: Shape) -> int:
    return shape.sides
""",
    "main.py": """import app.shapes as shapes
from app import Client

client = Client()
client.fetch_page("http://é😀", 2)
shapes.area(1)
handler = shapes.area
""",
}

DOCUMENTS = {
    "README.md": """# The tool

See [the guide](docs/guide.md#first-steps) and `run_all`.
[Gone](docs/none.md) and [all](docs/guide.md)

## More of it
""",
    "docs/guide.md": """# Guide

## First steps

Back to [the tool](../README.md). `tool.py` does it.
""",
    "tool.py": "def run_all():\n    pass\n",
}


@cache
def python_tree() -> Tree:
    """A few Python files."""
    return Tree(PYTHON)


@cache
def document_tree() -> Tree:
    """A few documents, and a file of code."""
    return Tree(DOCUMENTS)
