"""Follows imports by the packages that files declare, in languages where paths mean nothing."""

import re
from pathlib import PurePosixPath
from typing import Final

from jupyter_ac.index.project.import_target import Binding, ImportTarget
from jupyter_ac.index.project.path_tree import PathTree, nearest
from jupyter_ac.index.records import Import

_SEPARATORS: Final = re.compile(r"\\|::|\.")


def find(tree: PathTree, path: str, line: Import) -> ImportTarget:
    """Return what an import of a package, or of names out of one, makes known.

    Args:
        tree: of the paths.
        path: of the importing file.
        line: `*` among its names: a whole package; the members of a class are not opened. No
            names: the last part of the module is the name that is taken out of the rest.
    """
    module = ".".join(filter(None, _SEPARATORS.split(line.module)))
    package, _, last = module.rpartition(".")
    names = line.names or ((last, line.alias or last),)
    if line.names:
        package = module
    bindings = tuple(
        _taken(tree, path, package, there, here) for there, here in names if there != "*"
    )
    if len(bindings) < len(names):
        return ImportTarget(_only(tree, module), bindings, packages=(module,))
    return ImportTarget(_file(tree, path, package, names[0][0]), bindings)


def _taken(tree: PathTree, path: str, package: str, there: str, here: str) -> Binding:
    """Return what a name makes known that is taken out of a package, or of one inside of it."""
    *inner, name = _SEPARATORS.split(there)
    around = ".".join(filter(None, (package, *inner)))
    # The package without a name is no name of one.
    files = () if around else _file(tree, path, "", name)
    return Binding(_SEPARATORS.split(here)[-1], name, files, around)


def _file(tree: PathTree, path: str, package: str, name: str) -> tuple[str, ...]:
    """Return the file of a package that is named after what is taken out of it, or its class."""
    around, _, owner = package.rpartition(".")
    best = _named(tree, path, package, name) or _named(tree, path, around, owner)
    return (best,) if best else _only(tree, package)


def _named(tree: PathTree, path: str, package: str, name: str) -> str:
    of = tree.packages.of
    named = tree.named(name + PurePosixPath(path).suffix)
    return nearest([file for file in named if package in of(file) and file != path], path)


def _only(tree: PathTree, package: str) -> tuple[str, ...]:
    files = tuple(tree.packages.files(package))
    return files if len(files) == 1 else ()
