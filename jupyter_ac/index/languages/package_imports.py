"""Follows imports by the packages that files declare, in languages where paths mean nothing."""

import re
from pathlib import PurePosixPath
from typing import Final

from jupyter_ac.index.project.import_target import Binding, ImportTarget
from jupyter_ac.index.project.path_tree import PathTree, nearest
from jupyter_ac.index.records import Import

_SEPARATORS: Final = re.compile(r"\\|::|\.")


def find(
    tree: PathTree,
    path: str,
    line: Import,
    endings: tuple[str, ...] = (),
    *,
    is_relative: bool = False,
) -> ImportTarget:
    """Return what an import of a package, or of names out of one, makes known.

    Args:
        tree: of the paths.
        path: of the importing file.
        line: `*` among its names: all names of a package, or all members of a class. No names: the
            last part of the module is the name that is taken out of the rest.
        endings: of the files that may be named after what is taken out of them; none for the
            ending of the importing file.
        is_relative: whether the module may begin at a package of the file.
    """
    module = ".".join(filter(None, _SEPARATORS.split(line.module)))
    package, _, last = module.rpartition(".")
    names = line.names or ((last, line.alias or last),)
    if line.names:
        package = module
    ends = endings or (PurePosixPath(path).suffix,)
    bindings = tuple(
        _taken(tree, path, package, there, here, ends) for there, here in names if there != "*"
    )
    opened = (module,) if len(bindings) < len(names) else ()
    package = module if opened else bindings[0].package
    wanted = module if opened else f"{package}.{bindings[0].there}"
    for around in (*reversed(tree.packages.of(path)), "") if is_relative else ("",):
        before = f"{around}." if around else ""
        files = _file(tree, path, (before + wanted).lstrip("."), ends)
        files = files or _only(tree, before + package)
        if files:
            return ImportTarget(files, bindings, packages=opened)
    return ImportTarget((), bindings, packages=opened)


def _taken(
    tree: PathTree, path: str, package: str, there: str, here: str, endings: tuple[str, ...]
) -> Binding:
    """Return what a name makes known that is taken out of a package, or of one inside of it."""
    *inner, name = _SEPARATORS.split(there)
    around = ".".join(filter(None, (package, *inner)))
    # The package without a name is no name of one.
    files = () if around else _file(tree, path, name, endings) or _only(tree, "")
    return Binding(_SEPARATORS.split(here)[-1], name, files, around)


def _file(tree: PathTree, path: str, name: str, endings: tuple[str, ...]) -> tuple[str, ...]:
    """Return the file that is named after something in a package, or after the class it is in."""
    package, _, last = name.rpartition(".")
    around, _, owner = package.rpartition(".")
    best = _named(tree, path, package, last, endings) or _named(tree, path, around, owner, endings)
    return (best,) if best else ()


def _named(tree: PathTree, path: str, package: str, name: str, endings: tuple[str, ...]) -> str:
    named = [file for end in endings for file in tree.named(name + end) if file != path]
    return nearest([file for file in named if package in tree.packages.of(file)], path)


def _only(tree: PathTree, package: str) -> tuple[str, ...]:
    files = tuple(tree.packages.files(package))
    return files if len(files) == 1 else ()
