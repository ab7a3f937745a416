"""Computes completions at a position."""

from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from operator import attrgetter
from typing import Final

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.languages.registry import SELF_NAMES, described
from jupyter_ac.index.navigation.implicit_scope import ImplicitScope
from jupyter_ac.index.navigation.rows import Completion
from jupyter_ac.index.navigation.scopes import (
    WHOLE,
    Goal,
    Scopes,
    around,
    bound_name,
    children,
    class_around,
)
from jupyter_ac.index.navigation.source_text import SourceText, TextPosition, Typed
from jupyter_ac.index.project.path_tree import folder_of
from jupyter_ac.index.records import NOBODY, FileRecord
from jupyter_ac.index.view import IndexView

MOST: Final = 50


def completions(
    view: IndexView,
    path: RepoPath,
    place: TextPosition,
    source: SourceText,
    prefix: str,
    owner: Goal | None = None,
) -> list[Completion]:
    """Return what could be written at a place, the best first.

    Args:
        view: the index.
        path: of the file.
        place: in it.
        source: its text.
        prefix: the beginning of the name; "" takes what stands before the place.
        owner: the class whose member is written, as far as the code around the place tells.
    """
    record = view.record(path)
    if record is None or not source.has(place):
        return []
    typed = source.typed(place)
    word = prefix or typed.word
    if typed.is_member:
        return best(_members(view, path, place, typed, owner), word)
    known = ImplicitScope(view, path, record).known(place.line, word)
    elsewhere = (_row(each.record, each.symbol) for each in known)
    return best(chain(_visible(record, place), elsewhere), word)


def best(offered: Iterable[Completion], word: str) -> list[Completion]:
    """Return those that begin with a word, each label once, in a fixed order, at most `MOST`."""
    folded = word.casefold()
    fitting: dict[str, Completion] = {}
    for each in offered:
        if each["label"].casefold().startswith(folded):
            fitting.setdefault(each["label"], each)

    def order(label: str) -> tuple[bool, bool, str, str]:
        return not label.startswith(word), label.startswith("_"), label.casefold(), label

    return [fitting[label] for label in sorted(fitting, key=order)[:MOST]]


def _visible(record: FileRecord, place: TextPosition) -> Iterator[Completion]:
    for parent in (*around(record, place.line), NOBODY):
        for at in children(record, parent):
            yield _row(record, at)
    for line in record.imports:
        if whole := bound_name(line):
            yield {"label": whole, "kind": "import", "detail": f"import {line.module}"}
        origin = "." * line.level + line.module
        for here in (here for there, here in line.names if there != WHOLE):
            yield {"label": here, "kind": "import", "detail": f"from {origin}"}


def _members(
    view: IndexView, path: RepoPath, place: TextPosition, typed: Typed, known: Goal | None
) -> Iterator[Completion]:
    scopes = Scopes(view)
    owner = known or _owner(view, scopes, path, place, typed.base)
    members = scopes.members(owner) if owner is not None else ()
    yield from _rows(view, chain(members, _in_package(view, path, typed.base)))


def _rows(view: IndexView, goals: Iterable[Goal]) -> Iterator[Completion]:
    for path, there in groupby(goals, attrgetter("path")):
        record = view.record(path)
        if record is not None:
            yield from (_row(record, goal.symbol) for goal in there)


def _in_package(view: IndexView, path: RepoPath, base: str) -> Iterator[Goal]:
    """Give what stands at top level in an imported package, where one is a folder of files."""
    record = view.record(path)
    if record is None or not described(record.language).names.imports_folders:
        return
    for position, line in enumerate(record.imports):
        target = view.imported(path, position)
        if target is None or base not in {line.alias, line.module.rpartition("/")[2]}:
            continue
        folder = folder_of(target)
        files = (each for each in view.paths() if folder_of(each) == folder)
        for file in files:
            there = view.record(file)
            if there is not None and there.language == record.language:
                yield from (Goal(file, at) for at in children(there, NOBODY))


def _owner(
    view: IndexView, scopes: Scopes, path: RepoPath, place: TextPosition, base: str
) -> Goal | None:
    record = view.record(path)
    if record is not None and base in SELF_NAMES:
        within = class_around(record, place.line)
        return Goal(path, within) if within != NOBODY else None
    return scopes.visible(path, base, place.line) if base else None


def _row(record: FileRecord, at: int) -> Completion:
    symbol = record.symbols[at]
    detail = f"{symbol.name}{symbol.signature}" if symbol.signature else symbol.detail
    return {"label": symbol.name, "kind": symbol.kind, "detail": detail}
