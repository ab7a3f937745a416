"""Extracts imports from the captures of a language's queries."""

import re
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from jupyter_ac.index.extraction.matching import Captures, ParsedText
from jupyter_ac.index.extraction.shortening import pieces
from jupyter_ac.index.records import Import

MAX_IMPORTS: Final = 5_000
_QUOTES: Final = "\"'`<>"
_VARIABLE: Final = re.compile(r"^.*\$(?:\([^)]*\)|\{[^}]*\}|\w+)/")
"""What a shell script finds the folder by: `$(dirname "$0")/`."""
_MODULES: Final = ("from", "relative", "submodule", "tree")
"""Captures that say what is imported; a match has one of them."""


def imports_of(
    found: Sequence[Captures], source: ParsedText, *, dots_climb: bool
) -> tuple[Import, ...]:
    """Return the imports in order; matches about one module at one place are one import.

    Args:
        found: the captures of each match.
        source: the file's text.
        dots_climb: whether each leading dot of a module means one folder upwards.
    """
    rows: dict[int, Import] = {}
    pairs: dict[int, list[tuple[str, str]]] = {}
    trees: dict[int, list[Import]] = {}
    for captures in found:
        role = _role(captures)
        if not role:
            continue
        node = captures[role][0]
        start = node.start_byte
        if role == "tree":
            trees[start] = use_tree(source.of_node(node), node.start_point[0] + 1)
            continue
        if start not in rows:
            end = captures[role][-1].end_byte
            rows[start] = _row(node, source.between(start, end), role, dots_climb=dots_climb)
            pairs[start] = []
        if "alias" in captures:
            rows[start] = rows[start]._replace(alias=source.of_node(captures["alias"][0]))
        pairs[start] += _pairs(captures, source)
    placed = {
        **{
            start: [row._replace(names=tuple(pairs[start])) if pairs[start] else row]
            for start, row in rows.items()
        },
        **trees,
    }
    ordered = [row for start in sorted(placed) for row in placed[start]]
    return tuple(ordered[:MAX_IMPORTS])


def _role(captures: Captures) -> str:
    for name in _MODULES:
        if name in captures:
            return name
    return ""


def _row(node: Node, text: str, role: str, *, dots_climb: bool) -> Import:
    written = text.strip(_QUOTES)
    if "$" in written:
        written = _VARIABLE.sub("", written)
    module = written.lstrip(".") if dots_climb else written
    level = len(written) - len(module)
    if role == "relative" and not module.startswith("."):
        module = f"./{module}"
    elif role == "submodule":
        module = f"self::{module}"
    return Import(module, (), "", level, node.start_point[0] + 1)


def _pairs(captures: Captures, source: ParsedText) -> tuple[tuple[str, str], ...]:
    """Return the names that a match takes out of its module, there and here."""
    if "default" in captures:
        return (("default", source.of_node(captures["default"][0])),)
    if "all" in captures:
        return (("*", "*"),)
    if "items" in captures:
        return _listed(captures["items"][0], source)
    there = [source.of_node(item).strip(_QUOTES).lstrip(":") for item in captures.get("item", ())]
    here = [source.of_node(item) for item in captures.get("item_alias", ())]
    return tuple(zip(there, here or there, strict=False))


def _listed(items: Node, source: ParsedText) -> tuple[tuple[str, str], ...]:
    """Return the names in a list of them, `{a, b as c}`, `{a, b: c}`."""
    pairs = []
    for item in items.named_children:
        name, alias = item.child_by_field_name("name"), item.child_by_field_name("alias")
        if item.type == "shorthand_property_identifier_pattern":
            name = item
        elif item.type == "pair_pattern":
            alias = item.child_by_field_name("value")
            if alias is not None and alias.type == "identifier":
                name = item.child_by_field_name("key")
        if name is not None:
            there = source.of_node(name).strip(_QUOTES)
            pairs.append((there, source.of_node(alias) if alias is not None else there))
    return tuple(pairs)


_MAX_DEPTH: Final = 8
_MAX_TEXT: Final = 20_000


def use_tree(text: str, line: int) -> list[Import]:
    """Return the imports of `a::{b, c as d, e::*}`, one for each module.

    Args:
        text: the tree as written.
        line: where it stands.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    _walk(" ".join(text[:_MAX_TEXT].split()), "", found, _MAX_DEPTH)
    return [Import(module, tuple(names), "", 0, line) for module, names in found.items()]


def _walk(text: str, path: str, found: dict[str, list[tuple[str, str]]], depth: int) -> None:
    text = text.strip()
    if not text or depth == 0:
        return
    head, opened, rest = text.partition("{")
    if opened:
        for piece in pieces(rest.rpartition("}")[0]):
            _walk(piece, _join(path, head.strip().removesuffix("::")), found, depth - 1)
        return
    name, _, alias = text.partition(" as ")
    module, separator, last = name.strip().rpartition("::")
    module = _join(path, module)
    if not separator and not path:
        found.setdefault(last, [])
        return
    here = alias.strip() or (module.rpartition("::")[2] if last == "self" else last)
    found.setdefault(module, []).append((last, here))


def _join(path: str, more: str) -> str:
    return f"{path}::{more}" if path and more else path or more
