"""C: the language, and the resolution of includes, which C++ shares."""

import re
from typing import Final

from jupyter_ac.index.languages.language import ImportRules, Language, NameRules, Reading
from jupyter_ac.index.project.import_target import ImportTarget
from jupyter_ac.index.project.path_tree import PathTree, folder_of, name_of, nearest, within
from jupyter_ac.index.records import Import


def find(tree: PathTree, path: str, line: Import) -> ImportTarget:
    """Return the file next to the including one, else the nearest whose path ends as written."""
    module = line.module.strip('<>"')
    beside = within(folder_of(path), module)
    if beside in tree:
        return ImportTarget((beside,), (), (beside,))
    suffix = within("", "/".join(part for part in module.split("/") if part != ".."))
    ends = [p for p in tree.named(name_of(module)) if p == suffix or p.endswith("/" + suffix)]
    file = nearest([p for p in ends if suffix and p != path], path)
    return ImportTarget((file,), (), (file,)) if file else ImportTarget()


_CPP: Final = re.compile(
    rb"^[ \t]*(?:(?:class|struct)\s+\w+\s*(?:final\s*)?:|class\s+\w+\s*\{|namespace\b|template\s*<"
    rb"|using\s+\w|(?:public|private|protected)\s*:)",
    re.MULTILINE,
)
"""Code that only C++ headers have; their names often end like those of C headers."""


def _dialect(text: bytes) -> str:
    return "cpp" if _CPP.search(text) else ""


NAMES: Final = NameRules(
    self_names=("this",),
    bare_names="global",
    has_bare_members=True,
    has_transitive_imports=True,
    declares_apart=True,
    opens_namespaces=True,
)
IMPORTS: Final = ImportRules(find)

C: Final = Language(
    "c",
    (".c", ".h"),
    ("tree_sitter_c", "language"),
    declaring=(".h",),
    reading=Reading(
        queries=("c", "function_pointers"),
        order="name last",
        separators=("->",),
        dialect=_dialect,
    ),
    names=NAMES,
    imports=IMPORTS,
)
