"""Rust; `mod`, and `use` below `crate`, `self`, `super`, or a crate of the workspace."""

import re
from collections.abc import Iterator
from typing import Final

from jupyter_ac.index.languages.language import ImportRules, Language, NameRules, Reading
from jupyter_ac.index.languages.syntax import COMMON
from jupyter_ac.index.project.import_target import Binding, ImportTarget
from jupyter_ac.index.project.manifests import CRATE_FILES
from jupyter_ac.index.project.path_tree import (
    PathTree,
    ancestors,
    folder_of,
    name_of,
    nearest,
    within,
)
from jupyter_ac.index.records import Import, Symbol

_SECTION: Final = re.compile(r"^\s*+\[([^\[\]]*+)\]")
_SETTING: Final = re.compile(r"""^\s*([\w.-]+)\s*=\s*["']([^"']*)["']""")
_RENAMED: Final = re.compile(r"""^\s*([\w-]+)\s*=\s*\{.*\bpackage\s*=\s*["']([^"']*)["']""")
_NEEDED: Final = re.compile(r"^\s*+([\w-]+)\s*+[.=]")
_CRATES: Final = ("dependencies", "dev-dependencies", "build-dependencies")
_MAX_NEEDS: Final = 1_000


def cargo_rows(data: bytes) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a `Cargo.toml`; nothing for other files.

    They are `name`; `needs`, names; `library`, its name, its file; `renamed`, the name here, the
    crate.
    """
    if b"[package]" not in data:
        return
    section, library, needs = "", {"name": "", "path": ""}, set[str]()
    for line in data.decode("utf-8", "replace").splitlines():
        if header := _SECTION.match(line):
            section = header[1].strip()
            around, _, inner = section.rpartition(".")
            needs.update([inner] if around.endswith(_CRATES) else [])
        elif section in {"package", "lib"} and (setting := _SETTING.match(line)):
            key, value = setting[1], setting[2]
            if section == "package" and key == "name":
                yield "name", value
            elif section == "lib" and key in library:
                library[key] = value
        elif section.endswith(_CRATES) and (needed := _NEEDED.match(line)):
            needs.add(needed[1])
            if renamed := _RENAMED.match(line):
                yield "renamed", renamed[1], renamed[2]
    yield "needs", *sorted(needs)[:_MAX_NEEDS]
    if any(library.values()):
        yield "library", library["name"], library["path"]


def find(tree: PathTree, path: str, line: Import) -> ImportTarget:
    """Return the module's file; of a path to an item, the file of the module around it."""
    parts = [part for part in line.module.split("::") if part]
    if not parts:
        return ImportTarget()
    last = parts[-1]
    names = line.names or ((("", line.alias or last),))
    opened: list[str] = []
    files: list[str] = []
    bindings = []
    for there, here in names:
        if there == "*" or last == "*":
            module = _module(tree, path, [p for p in parts if p != "*"])
            opened += [module] if module else []
            files += [module] if module else []
            continue
        item = [*parts, there] if there else parts
        whole = _module(tree, path, item)
        around = _module(tree, path, item[:-1]) if len(item) > 1 else ""
        files += [file for file in (whole, around) if file][:1]
        if whole:
            bindings.append(Binding(here, "", (whole,)))
        bindings.append(Binding(here, item[-1], (around,) if around else ()))
    return ImportTarget(tuple(dict.fromkeys(files)), tuple(bindings), tuple(opened))


def _module(tree: PathTree, path: str, parts: list[str]) -> str:
    if not parts:
        return ""
    first, rest = parts[0], parts[1:]
    root = _crate(tree, path)
    if first == "crate":
        return _below(tree, folder_of(root), rest) if rest else root
    if first in {"self", "super"}:
        return _upwards(tree, path, parts)
    child = _below(tree, _module_folder(path), parts)
    if child:
        return child
    other = _named(tree, path, first) or _in_folder_named(tree, path, first)
    if other:
        return _below(tree, folder_of(other), rest) if rest else other
    # Crates before the 2018 edition name their own modules from the root.
    return _below(tree, folder_of(root), parts) if root and rest else ""


def _named(tree: PathTree, path: str, name: str) -> str:
    """Return the file of the crate that has this name in its `Cargo.toml`."""
    manifests = tree.manifests
    own = next((at for at in ancestors(folder_of(path)) if within(at, "Cargo.toml") in tree), "")
    mine = within(own, "Cargo.toml")
    needs = {_plain(need) for row in manifests.rows(mine, "needs") for need in row[1:]}
    renamed = {_plain(row[1]): _plain(row[2]) for row in manifests.rows(mine, "renamed")}
    package = renamed.get(name)
    files = []
    for folder in manifests.folders("Cargo.toml").get(package or name, ()):
        said = within(folder, "Cargo.toml")
        called = _plain(manifests.value(said, "name"))
        # A name such as `core` or `utils` is that of many.
        if called == package or (package is None and (called in needs or folder == own)):
            library = [row[2] for row in manifests.rows(said, "library")]
            tries = (within(folder, file) for file in (*filter(None, library), *CRATE_FILES))
            files.append(next((file for file in tries if file in tree), ""))
    return nearest(list(filter(None, files)), path)


def _plain(name: str) -> str:
    return name.replace("-", "_")


def _in_folder_named(tree: PathTree, path: str, first: str) -> str:
    """Return the file of the crate in a folder of this name whose `Cargo.toml` says no name."""
    name = first.replace("_", "-")
    crates = [
        within(folder, f"src/{main}")
        for folder in {*tree.folders_named(first), *tree.folders_named(name)}
        for main in ("lib.rs", "main.rs")
        if within(folder, "Cargo.toml") in tree and within(folder, f"src/{main}") in tree
        if not tree.manifests.value(within(folder, "Cargo.toml"), "name")
    ]
    return nearest(crates, path)


def _upwards(tree: PathTree, path: str, parts: list[str]) -> str:
    home = _module_folder(path)
    while parts and parts[0] in {"self", "super"}:
        if parts[0] == "super":
            home = folder_of(home)
        parts = parts[1:]
    return _below(tree, home, parts) if parts else _file(tree, home)


def _module_folder(path: str) -> str:
    """Return the folder in which a file's own modules stand."""
    name = name_of(path)
    return folder_of(path) if name in {"mod.rs", "lib.rs", "main.rs"} else path.removesuffix(".rs")


def _below(tree: PathTree, folder: str, parts: list[str]) -> str:
    return _file(tree, within(folder, "/".join(parts)))


def _file(tree: PathTree, stem: str) -> str:
    for path in (f"{stem}.rs", within(stem, "mod.rs"), within(stem, "lib.rs"), stem + "/main.rs"):
        if path in tree:
            return path
    return ""


def _crate(tree: PathTree, path: str) -> str:
    for folder in ancestors(folder_of(path)):
        for main in ("lib.rs", "main.rs"):
            if within(folder, main) in tree:
                return within(folder, main)
    return ""


def _is_public(symbol: Symbol) -> bool:
    return symbol.detail.startswith("pub")


RUST: Final = Language(
    "rust",
    (".rs",),
    ("tree_sitter_rust", "language"),
    reading=Reading(separators=("::",)),
    names=NameRules(
        self_names=("self", "Self"),
        bare_names="shared",
        has_star_imports=True,
        is_public=_is_public,
    ),
    imports=ImportRules(
        find,
        names_own_path=True,
        root_files=("lib.rs", "main.rs", "mod.rs"),
        folder_stems=("mod", "lib", "main", "Cargo"),
    ),
    syntax=COMMON._replace(super_words=frozenset(), may_redeclare=True, has_lower_variables=True),
)
