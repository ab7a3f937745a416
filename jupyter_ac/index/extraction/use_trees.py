"""Rust's `use` declarations: a tree of paths as imports."""

from typing import Final

from jupyter_ac.index.extraction.shortening import pieces
from jupyter_ac.index.records import Import

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
