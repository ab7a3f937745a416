"""Converts definitions and references to JSON locations."""

import re
from collections.abc import Iterable

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.graph import DocumentGraph
from jupyter_ac.index.navigation.rows import Range, Target
from jupyter_ac.index.navigation.scopes import Goal
from jupyter_ac.index.navigation.source_text import units
from jupyter_ac.index.navigation.symbol_at import SymbolAt
from jupyter_ac.index.records import NOBODY
from jupyter_ac.index.view import Definition, IndexView, Spot


def definition(view: IndexView, found: SymbolAt) -> Target:
    """Return where what was found at a place is defined; the beginning of a whole file."""
    if found.goal.local is not None:
        line, column = found.goal.local
        end = column + units(found.word.text)
        return _target(Spot(found.goal.path, line, column, end))
    return _target(_spot(view, found.goal))


def references(view: IndexView, found: SymbolAt, more: Iterable[Spot] = ()) -> list[Target]:
    """Return where what was found at a place is referred to, sorted, each place once.

    A line as a whole gives way to a name on it.

    Args:
        view: the index.
        found: what stands there.
        more: places that mean the same: in documents that lead there, in code that was looked at.
    """
    spots = {*_spots(view, found.goal), *more}
    named = {spot[:2] for spot in spots if spot.column != spot.end_column}
    shown = (spot for spot in spots if spot.column != spot.end_column or spot[:2] not in named)
    return [_target(spot) for spot in sorted(shown)]


def names_of(view: IndexView, goal: Goal) -> list[str]:
    """Return the names that lines name a symbol or a file by, the likeliest first."""
    record = view.record(goal.path)
    if record is not None and goal.symbol != NOBODY:
        return [record.symbols[goal.symbol].name]
    folder, _, name = goal.path.rpartition("/")
    return [name, name.partition(".")[0], folder.rpartition("/")[2]]


def on_its_line(target: Target, line: str, names: Iterable[str]) -> Target:
    """Return a place that is a whole line as that of a name on it, or of what stands there."""
    number = target["range"]["startLineNumber"]
    for name in names:
        found = [*re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", line)] if name else []
        if found:
            start, end = units(line[: found[-1].start()]), units(line[: found[-1].end()])
            return {"file": target["file"], "range": range_of(number, start, end)}
    shown = line.strip()
    start = units(line[: len(line) - len(line.lstrip())])
    return {"file": target["file"], "range": range_of(number, start, start + units(shown))}


def linking(graph: DocumentGraph, goal: Goal) -> list[Spot]:
    """Return the links of documents that lead to a file, or to a section of one."""
    if goal.symbol != NOBODY or goal.local is not None:
        return []
    return [
        Spot(path, reference.line, 0, 0)
        for path in graph.sources(goal.path)
        for reference in graph.references(path)
        if reference.target == goal.path and goal.heading in {NOBODY, reference.heading}
    ]


def range_of(line: int, column: int, end_column: int) -> Range:
    """Return a stretch of one line: 1-based line, 0-based columns, end excluded."""
    return {
        "start": {"line": line - 1, "character": column},
        "end": {"line": line - 1, "character": end_column},
        "startLineNumber": line,
        "startColumn": column + 1,
        "endLineNumber": line,
        "endColumn": end_column + 1,
    }


def _target(spot: Spot) -> Target:
    return {"file": spot.path, "range": range_of(spot.line, spot.column, spot.end_column)}


def _spot(view: IndexView, goal: Goal) -> Spot:
    record = view.record(goal.path)
    if record is not None and goal.symbol != NOBODY:
        symbol = record.symbols[goal.symbol]
        end = symbol.column + units(symbol.name)
        return Spot(goal.path, symbol.line, symbol.column, end)
    if record is not None and record.outline is not None and goal.heading != NOBODY:
        return Spot(goal.path, record.outline.headings[goal.heading].line, 0, 0)
    return Spot(goal.path, 1, 0, 0)


def _spots(view: IndexView, goal: Goal) -> list[Spot]:
    if goal.symbol != NOBODY:
        return list(view.references(Definition(goal.path, goal.symbol)))
    return _imports_of(view, goal.path) if goal.is_file else []


def _imports_of(view: IndexView, path: RepoPath) -> list[Spot]:
    """Return the imports that lead to a file."""
    found = []
    for source in view.sources(path):
        record = view.record(source)
        for position, line in enumerate(record.imports if record is not None else ()):
            if view.imported(source, position) == path:
                found.append(Spot(source, line.line, 0, 0))
    return found
