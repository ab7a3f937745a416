"""Finds and parses the project's Python files for the shape tests."""

import ast
import gc
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "jupyter_ac"
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Source:
    path: Path
    text: str
    tree: ast.Module

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()


@cache
def product() -> tuple[Source, ...]:
    """Every module of the package.

    These are a million objects, which stay: while they come, and in all later tests of the process,
    no collection of garbage looks through them.
    """
    gc.collect()
    gc.disable()
    try:
        return tuple(_read(path) for path in sorted(PACKAGE.rglob("*.py")))
    finally:
        gc.freeze()
        gc.enable()


def _read(path: Path) -> Source:
    text = path.read_text(encoding="utf-8")
    return Source(path, text, ast.parse(text))


@cache
def _definitions(source: Source) -> tuple[Definition, ...]:
    """All functions and classes of a module; to walk through it takes long."""
    return tuple(node for node in ast.walk(source.tree) if isinstance(node, Definition))


def functions(source: Source) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in _definitions(source):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def classes(source: Source) -> Iterator[ast.ClassDef]:
    for node in _definitions(source):
        if isinstance(node, ast.ClassDef):
            yield node
