"""What a file makes known of other files."""

import re
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from jupyter_ac.index.extracting.matching import Captures
from jupyter_ac.index.extracting.places import Source
from jupyter_ac.index.extracting.use_trees import use_tree
from jupyter_ac.index.records import Import

MAX_IMPORTS: Final = 5_000
_QUOTES: Final = "\"'`<>"
_VARIABLE: Final = re.compile(r"^.*\$(?:\([^)]*\)|\{[^}]*\}|\w+)/")
"""What a shell script finds the folder by: `$(dirname "$0")/`."""
_MODULES: Final = ("from", "relative", "submodule", "tree")
"""Captures that say what is imported; a match has one of them."""


def imports_of(
    found: Sequence[Captures], source: Source, *, dots_are_levels: bool
) -> tuple[Import, ...]:
    """Return the imports in order; matches about one module at one place are one import.

    Args:
        found: the captures of each match.
        source: the file's text.
        dots_are_levels: whether leading dots of a module are Python's.
    """
    rows: dict[int, Import] = {}
    trees: dict[int, list[Import]] = {}
    for captures in found:
        role = next((name for name in _MODULES if name in captures), "")
        if not role:
            continue
        node = captures[role][0]
        if role == "tree":
            trees[node.start_byte] = use_tree(source.of_node(node), node.start_point[0] + 1)
            continue
        row = rows.get(node.start_byte)
        if row is None:
            row = _row(node, role, source, dots_are_levels=dots_are_levels)
        if "alias" in captures:
            row = row._replace(alias=source.of_node(captures["alias"][0]))
        pairs = _pairs(captures, source)
        rows[node.start_byte] = row._replace(names=(*row.names, *pairs)) if pairs else row
    placed = {**{start: [row] for start, row in rows.items()}, **trees}
    ordered = [row for start in sorted(placed) for row in placed[start]]
    return tuple(ordered[:MAX_IMPORTS])


def _row(node: Node, role: str, source: Source, *, dots_are_levels: bool) -> Import:
    written = _VARIABLE.sub("", source.of_node(node).strip(_QUOTES))
    module = written.lstrip(".") if dots_are_levels else written
    level = len(written) - len(module)
    if role == "relative" and not module.startswith("."):
        module = f"./{module}"
    elif role == "submodule":
        module = f"self::{module}"
    return Import(module, (), "", level, node.start_point[0] + 1)


def _pairs(captures: Captures, source: Source) -> tuple[tuple[str, str], ...]:
    """Return the names that a match takes out of its module, there and here."""
    if "default" in captures:
        return (("default", source.of_node(captures["default"][0])),)
    if "all" in captures:
        return (("*", "*"),)
    there = [source.of_node(item).strip(_QUOTES).lstrip(":") for item in captures.get("item", ())]
    here = [source.of_node(item) for item in captures.get("item_alias", ())]
    return tuple(zip(there, here or there, strict=False))
