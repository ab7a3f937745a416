"""Resolves an import in any language, and lists the paths that could change its target."""

import re
from typing import Final

from jupyter_ac.index.languages.registry import LANGUAGES, described, family_of
from jupyter_ac.index.project.import_target import ImportTarget
from jupyter_ac.index.project.path_tree import PathTree, folder_of, name_of, within
from jupyter_ac.index.records import Import

_SEPARATORS: Final = re.compile(r"[./:\\]+")
_FOR_FOLDER: Final = frozenset(stem for each in LANGUAGES for stem in each.imports.folder_stems)
"""Stems of files that are found by the name of their folder, or of the one around it."""
_FOR_PACKAGE: Final = tuple(
    end for each in LANGUAGES if each.names.scope == "folder" for end in each.extensions
)
_BY_OWN_PATH: Final = tuple(
    end for each in LANGUAGES if each.imports.names_own_path for end in each.extensions
)
_ROOT_FILES: Final = {
    name: family_of(each.name) for each in LANGUAGES for name in each.imports.root_files
}
"""Files that decide where the imports below their folder begin, and of which family."""


def find(tree: PathTree, path: str, family: str, line: Import) -> ImportTarget:
    """Return what an import in a file of some family of languages leads to."""
    return described(family).imports.find(tree, path, line)


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


def names_own_path(path: str) -> bool:
    """Tell whether a file's imports may name modules by the path of the file."""
    return path.lower().endswith(_BY_OWN_PATH)


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
    if names_own_path(path):
        parts.update(_plain(part) for part in path.rpartition(".")[0].split("/"))
    return parts


def parts_given(path: str, folders: list[str]) -> set[str]:
    """Return the parts of paths that come or go with a path and its new, or last, folders."""
    name = name_of(path)
    stem = name.partition(".")[0]
    parts = {_plain(stem), _plain(name)} | {_plain(name_of(folder)) for folder in folders}
    folder = folder_of(path)
    if stem in _FOR_FOLDER or name.lower().endswith(_FOR_PACKAGE):
        parts.add(_plain(name_of(folder)))
    if stem in _FOR_FOLDER:
        parts.add(_plain(name_of(folder_of(folder))))
    return parts


def family_marked(path: str) -> str:
    """Return the family whose imports below this file's folder depend on it; "" for none."""
    return _ROOT_FILES.get(name_of(path), "")


def _plain(part: str) -> str:
    return part.replace("-", "_")
