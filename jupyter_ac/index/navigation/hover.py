"""Formats what is known of a symbol as Markdown, for a hover."""

from collections.abc import Sequence
from typing import Final

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.code_references import Mention
from jupyter_ac.index.navigation.doc_lines import doc_lines
from jupyter_ac.index.navigation.rows import Hover
from jupyter_ac.index.navigation.scopes import Goal
from jupyter_ac.index.navigation.source_text import SourceText
from jupyter_ac.index.navigation.symbol_at import SymbolAt
from jupyter_ac.index.records import NOBODY, FileRecord
from jupyter_ac.index.view import IndexView

_MOST_BASES: Final = 10
_MOST_PLACES: Final = 3
_LONGEST: Final = 200


def hover(
    view: IndexView, found: SymbolAt, source: SourceText, remarks: Sequence[str] = ()
) -> Hover:
    """Say what is known of what was found at a place.

    Args:
        view: the index.
        found: what stands there.
        source: the text of the file that is led to; empty when it can't be read.
        remarks: what is written about it elsewhere, at its declaration; for want of better.
    """
    goal = found.goal
    record = view.record(goal.path)
    if record is not None and goal.local is not None:
        return {"contents": "\n\n".join(_local(record, goal, source))}
    if record is not None and goal.symbol != NOBODY:
        parts = _symbol(record, goal, source, remarks)
    elif record is not None and goal.heading != NOBODY:
        parts = _heading(record, goal)
    else:
        parts = _file(record, goal.path)
    return {"contents": "\n\n".join(parts)}


def mentioned(mentions: Sequence[Mention]) -> list[str]:
    """Say in which documents a symbol is named; nothing when it is in none."""
    places = [quoted(f"{mention.path}:{mention.line}") for mention in mentions]
    if not places:
        return []
    more = f" and {len(places) - _MOST_PLACES} more" if len(places) > _MOST_PLACES else ""
    return [f"named in {', '.join(places[:_MOST_PLACES])}{more}"]


def fenced(language: str, code: str) -> str:
    """Return code as a block of Markdown, whatever backticks it holds."""
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}{language}\n{code}\n{fence}"


def quoted(text: str) -> str:
    """Return a name as inline code of Markdown, whatever backticks it holds."""
    fence = "`"
    while fence in text:
        fence += "`"
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _symbol(
    record: FileRecord, goal: Goal, source: SourceText, remarks: Sequence[str]
) -> list[str]:
    symbol = record.symbols[goal.symbol]
    code = symbol.detail.rstrip(" {:") or f"{symbol.name}{symbol.signature}"
    parts = [fenced(record.language, code)]
    said = doc_lines(record.language, source, symbol) or list(remarks)
    if said:
        parts.append("  \n".join(map(plain, said)))
    if symbol.bases:
        parts.append(f"extends {', '.join(map(quoted, symbol.bases[:_MOST_BASES]))}")
    inside = f" of {quoted(record.symbols[symbol.parent].name)}" if symbol.parent != NOBODY else ""
    place = quoted(f"{goal.path}:{symbol.line}")
    return [*parts, f"{symbol.kind}{inside} in {place}"]


def _local(record: FileRecord, goal: Goal, source: SourceText) -> list[str]:
    line, _ = goal.local or (0, 0)
    code = source.line(line).strip()[:_LONGEST]
    return [fenced(record.language, code), f"local name in {quoted(f'{goal.path}:{line}')}"]


def plain(text: str) -> str:
    """Return a line of somebody's text such that Markdown takes it as it stands."""
    return "".join(f"\\{each}" if each in "\\<>[]*_#|~&!" else each for each in text)


def _heading(record: FileRecord, goal: Goal) -> list[str]:
    headings = record.outline.headings if record.outline else ()
    heading = headings[goal.heading]
    holds = f", with {' and '.join(heading.contents)}" if heading.contents else ""
    lines = heading.last_line - heading.line
    return [
        f"**{plain(heading.text)}**",
        f"section of {quoted(goal.path)}, line {heading.line}, {lines} lines{holds}",
    ]


def _file(record: FileRecord | None, path: RepoPath) -> list[str]:
    if record is None:
        return [quoted(path)]
    tops = [symbol.name for symbol in record.symbols if symbol.parent == NOBODY]
    kind = f"{record.language} file"
    titles = [heading.text for heading in record.outline.headings[:1]] if record.outline else []
    parts = [f"{kind} {quoted(path)}", *map(plain, titles)]
    if tops:
        shown = ", ".join(map(quoted, tops[:_MOST_BASES]))
        parts.append(f"{shown} …" if len(tops) > _MOST_BASES else shown)
    return parts
