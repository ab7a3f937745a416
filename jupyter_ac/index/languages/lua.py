"""Lua; `require` by dots from the root, from folders above, or from a folder of sources."""

from typing import Final

from jupyter_ac.index.languages.language import ImportRules, Language, NameRules, Reading
from jupyter_ac.index.languages.syntax import COMMON
from jupyter_ac.index.project.import_target import Binding, ImportTarget
from jupyter_ac.index.project.path_tree import PathTree, ancestors, folder_of, nearest, within
from jupyter_ac.index.records import Import

_SOURCES: Final = ("", "lua", "src", "lib")
"""Folders below which modules are looked for, in this order; `lua` is that of Neovim's plugins."""


def find(tree: PathTree, path: str, line: Import) -> ImportTarget:
    """Return the file of a module, known by the name that it is given here."""
    file = _file(tree, path, line.module)
    if not file or not line.alias:
        return ImportTarget((file,), (), (file,)) if file else ImportTarget()
    # A file that returns a class is that class; its name isn't always the one that it gets here.
    stem = line.module.replace("/", ".").rpartition(".")[2]
    classes = (name for name in (line.alias, stem, stem.capitalize()) if name[:1].isupper())
    names = tuple(dict.fromkeys((*classes, "")))
    return ImportTarget((file,), tuple(Binding(line.alias, there, (file,)) for there in names))


def _file(tree: PathTree, path: str, module: str) -> str:
    stem = module.replace(".", "/")
    stems = [module] if module.endswith(".lua") else [f"{stem}.lua", f"{stem}/init.lua"]
    for around in ancestors(folder_of(path)):
        for source in _SOURCES:
            for stem in stems:
                file = within(within(around, source) or "", stem)
                if file and file in tree and file != path:
                    return file
    ends = [
        found
        for stem in stems
        for found in tree.named(stem.rpartition("/")[2])
        if "/" in stem and found.endswith(f"/{stem}") and found != path
    ]
    return nearest(ends, path)


LUA: Final = Language(
    "lua",
    (".lua", ".rockspec"),
    ("tree_sitter_lua", "language"),
    reading=Reading(separators=(":",)),
    names=NameRules(self_names=("self",), bare_names="global", opens_namespaces=True),
    imports=ImportRules(find, folder_stems=("init",)),
    syntax=COMMON._replace(
        scopes=frozenset(
            f"{kind}_statement" for kind in ("do", "else", "elseif", "for", "if", "repeat", "while")
        )
        | {"function_declaration", "function_definition"},
        declaring={
            **dict.fromkeys(("for_generic_clause", "variable_declaration"), frozenset({"*"})),
            **dict.fromkeys(
                ("for_numeric_clause", "function_declaration", "parameters"), frozenset({"name"})
            ),
        },
        wrapping={"assignment_statement": frozenset({"*"}), "variable_list": frozenset({"name"})},
        members={
            f"{kind}_index_expression": ("table", "field method") for kind in ("dot", "method")
        },
        keys={"field": "name"},
        through={"bracket_index_expression": "table", "parenthesized_expression": ""},
        calls={"function_call": "name"},
        may_redeclare=True,
    ),
)
