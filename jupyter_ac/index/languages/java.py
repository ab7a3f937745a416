"""Java; imports of classes, static members, whole packages."""

import re
from typing import Final

from jupyter_ac.index.languages import package_imports
from jupyter_ac.index.languages.language import ImportRules, Language, NameRules, Reading
from jupyter_ac.index.project.import_target import Binding, ImportTarget, bound
from jupyter_ac.index.project.path_tree import PathTree, folder_of, name_of, nearest
from jupyter_ac.index.records import Import

_ENDINGS: Final = (".java", ".kt", ".scala")


def find(tree: PathTree, path: str, line: Import) -> ImportTarget:
    """Return the file of the class, or the files of the package; else what files declare."""
    found = _by_path(tree, path, line)
    if found.files:
        return found
    module = line.module.removesuffix(".*")
    names = line.names or ((("*", "*"),) if module != line.module else ())
    line = line._replace(module=module, names=names)
    return package_imports.find(tree, path, line, _ENDINGS)


def _by_path(tree: PathTree, path: str, line: Import) -> ImportTarget:
    module = line.module.removesuffix(".*")
    names = line.names or ((("*", "*"),) if module != line.module else ())
    if names and names[0][0] == "*":
        return _opened(tree, path, module)
    parts = module.split(".")
    wanted = names or ((parts[-1], line.alias or parts[-1]),)
    for there, here in wanted:
        direct = _class(tree, path, parts if parts[-1] == there else [*parts, there])
        if direct:
            return ImportTarget((direct,), (Binding(here, there, (direct,)),))
        # A static member, or a class inside of another.
        outer = _class(tree, path, parts[:-1] if parts[-1] == there else parts)
        if outer:
            package = ".".join(parts[:-1] if parts[-1] == there else parts)
            return ImportTarget((outer,), (Binding(here, there, (outer,), package),))
    return bound((), wanted, "")


def _opened(tree: PathTree, path: str, module: str) -> ImportTarget:
    outer = _class(tree, path, module.split("."))
    if outer:
        return ImportTarget((outer,), (), (outer,), (module,))
    below = module.replace(".", "/")
    folders = [
        folder
        for folder in tree.folders_named(name_of(below))
        if folder == below or folder.endswith("/" + below)
    ]
    folder = nearest(folders, path)
    files = tuple(
        f"{folder}/{name}"
        for name in sorted(tree.entries(folder) if folder else ())
        if name.endswith(".java")
    )
    return ImportTarget(files, (), files)


def _class(tree: PathTree, path: str, parts: list[str]) -> str:
    if not parts:
        return ""
    below = "/".join(parts) + ".java"
    ends = [p for p in tree.named(name_of(below)) if p == below or p.endswith("/" + below)]
    if len(parts) == 1:
        ends = [p for p in ends if folder_of(p) == folder_of(path)]
    return nearest(ends, path)


_SUPER: Final = re.compile(r"[\w.]{1,99}\.super")

JAVA: Final = Language(
    "java",
    (".java",),
    ("tree_sitter_java", "language"),
    reading=Reading(order="name last", is_super=_SUPER.fullmatch),
    names=NameRules(
        self_names=("this",),
        bare_names="shared",
        scope="folder",
        platform="jvm",
        has_bare_members=True,
        has_star_imports=True,
        names_files_after_classes=True,
    ),
    imports=ImportRules(find),
)
