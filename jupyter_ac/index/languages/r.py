"""R; files that are sourced, and packages: the files below the `R` of a named `DESCRIPTION`."""

from collections.abc import Iterator
from typing import Final

from jupyter_ac.index.languages.language import ImportRules, Language, NameRules, Reading
from jupyter_ac.index.languages.syntax import COMMON
from jupyter_ac.index.project.import_target import ImportTarget, bound
from jupyter_ac.index.project.path_tree import PathTree, ancestors, folder_of, nearest, within
from jupyter_ac.index.records import Import

_ENDING: Final = ".r"


def package_rows(data: bytes) -> Iterator[tuple[str, ...]]:
    """Yield the row of a `DESCRIPTION`: `name` and the name of the package."""
    for line in data.decode("utf-8", "replace").splitlines():
        field, _, name = line.partition(":")
        if field == "Package" and name.strip():
            yield "name", name.strip()


def find(tree: PathTree, path: str, line: Import) -> ImportTarget:
    """Return the file that is run here, or the files of the package that is named."""
    if line.module.lower().endswith(_ENDING):
        file = _sourced(tree, path, line.module)
        return ImportTarget((file,), (), (file,)) if file else ImportTarget()
    folders = tree.manifests.folders("DESCRIPTION").get(line.module, ())
    files = _package(tree, within(nearest(folders, path), "R"), line.module) if folders else ()
    return bound(files, line.names, line.module)


def _sourced(tree: PathTree, path: str, module: str) -> str:
    """Return the file of a path from the working directory, which isn't known, or its end."""
    for around in ancestors(folder_of(path)):
        file = within(around, module)
        if file in tree and file != path:
            return file
    ends = [
        each for each in tree.named(module.rpartition("/")[2]) if f"/{each}".endswith(f"/{module}")
    ]
    return nearest([each for each in ends if each != path], path)


def _package(tree: PathTree, folder: str, name: str) -> tuple[str, ...]:
    """Return a package's sources, the file of the package's name first."""
    files = [each for each in tree.entries(folder) if each.lower().endswith(_ENDING)]
    main = (f"{name}.R", f"{name}-package.R")
    return tuple(within(folder, each) for each in sorted(files, key=lambda n: (n not in main, n)))


R: Final = Language(
    "r",
    (_ENDING,),
    ("tree_sitter_language_pack.bindings.r", "language"),
    extra="r",
    file_names=(".Rprofile", "Rprofile.site"),
    reading=Reading(separators=(":::", "::", "$", "@"), dots_in_names=True),
    names=NameRules(
        self_names=("self", ".self"),
        bare_names="global",
        scope="folder",
        has_star_imports=True,
        has_transitive_imports=True,
        imports_folders=True,
        constructor=("new", "initialize"),
    ),
    imports=ImportRules(find, root_files=("DESCRIPTION",)),
    syntax=COMMON._replace(
        scopes=frozenset({"function_definition"}),
        declaring={
            "binary_operator": frozenset({"lhs", "rhs"}),
            "for_statement": frozenset({"variable"}),
            "parameter": frozenset({"name"}),
        },
        wrapping={},
        assigning={"<-": "lhs", "=": "lhs", "->": "rhs"},
        members={"extract_operator": ("lhs", "rhs"), "namespace_operator": ("lhs", "rhs")},
        keys={"argument": "name"},
        through={"parenthesized_expression": "", "subset": "function", "subset2": "function"},
        self_words=frozenset({"self", ".self", "private"}),
    ),
)
