"""Imports of all languages: where they lead, and which paths could change that."""

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from jupyter_ac.index.graph.imports import c, go, java, javascript, paths, python, ruby, rust
from jupyter_ac.index.graph.imports.found import ImportTarget
from jupyter_ac.index.graph.tree import PathTree, folder_of, name_of, within
from jupyter_ac.index.records import Import

Find: TypeAlias = Callable[[PathTree, str, Import], ImportTarget]

_FINDERS: Final[Mapping[str, Find]] = {
    "python": python.find,
    "javascript": javascript.find,
    "c": c.find,
    "java": java.find,
    "go": go.find,
    "rust": rust.find,
    "ruby": ruby.find,
}
_SEPARATORS: Final = re.compile(r"[./:\\]+")
_FOR_FOLDER: Final = frozenset({"__init__", "index", "mod", "lib", "main", "package", "Cargo"})
"""Stems of files that are found by the name of their folder, or of the one around it."""
_FOR_PACKAGE: Final = (".go", ".java")
_MARKERS: Final = {
    "__init__.py": "python",
    "go.mod": "go",
    "lib.rs": "rust",
    "main.rs": "rust",
    "mod.rs": "rust",
}
"""Files that decide where the imports below their folder begin, and of which family."""


def find(tree: PathTree, path: str, family: str, line: Import) -> ImportTarget:
    """Return what an import in a file of some family of languages leads to."""
    return _FINDERS.get(family, paths.find)(tree, path, line)


def parts_wanted(path: str, line: Import) -> set[str]:
    """Return the parts of paths of which one must come or go for the import to lead elsewhere."""
    return parts_written(line) | parts_from(path, line)


def parts_written(line: Import) -> set[str]:
    """Return those of them that the import itself names."""
    parts = {_plain(part) for part in _SEPARATORS.split(line.module)}
    parts.update(_plain(there) for there, _ in line.names)
    parts.discard("*")
    return parts


def depends_on_place(line: Import) -> bool:
    """Tell whether an import names a way from the place of its file."""
    return bool(line.level) or line.module.startswith(".")


def parts_from(path: str, line: Import) -> set[str]:
    """Return those of them that come from the place of the importing file."""
    parts = set()
    if line.level:
        folder = folder_of(path)
        for _ in range(line.level - 1):
            folder = folder_of(folder)
        parts.add(_plain(name_of(folder)))
    if line.module.startswith("."):
        parts.add(_plain(name_of(within(folder_of(path), line.module))))
    if path.endswith(".rs"):
        parts.update(_plain(part) for part in path.removesuffix(".rs").split("/"))
    return parts


def parts_given(path: str, folders: list[str]) -> set[str]:
    """Return the parts of paths that come or go with a path and its new, or last, folders."""
    name = name_of(path)
    stem = name.partition(".")[0]
    parts = {_plain(stem), _plain(name)} | {_plain(name_of(folder)) for folder in folders}
    folder = folder_of(path)
    if stem in _FOR_FOLDER or name.endswith(_FOR_PACKAGE):
        parts.add(_plain(name_of(folder)))
    if stem in _FOR_FOLDER:
        parts.add(_plain(name_of(folder_of(folder))))
    return parts


def family_marked(path: str) -> str:
    """Return the family whose imports below this file's folder depend on it; "" for none."""
    return _MARKERS.get(name_of(path), "")


def _plain(part: str) -> str:
    return part.replace("-", "_")
