"""Resolves imports of npm packages by the `package.json` files of a tree."""

from collections.abc import Iterator
from typing import Final

from jupyter_ac.index.project.manifests import sources_of, split_package
from jupyter_ac.index.project.path_tree import PathTree, ancestors, folder_of, nearest, within

_ENDINGS: Final = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json")
_COMPILED: Final = {
    ".js": (".ts", ".tsx", ".d.ts"),
    ".jsx": (".tsx",),
    ".mjs": (".mts",),
    ".cjs": (".cts",),
}
_INSTALLED: Final = "node_modules/"


def in_package(tree: PathTree, path: str, module: str) -> str | None:
    """Return the file of what is taken out of a package of the tree; None for no such package."""
    if module.startswith("#"):
        return _own(tree, path, module)
    name, rest = split_package(module)
    known = tree.manifests.folders("package.json").get(name)
    if not known:
        return None
    folders = [folder for folder in known if _sees(tree, path, folder, name)]
    return _in_folder(tree, nearest(folders, path), rest) if folders else ""


def fitting(pattern: str, module: str) -> str | None:
    """Return what stands for the `*` of a pattern, "" if it has none; None if it doesn't fit."""
    before, star, behind = pattern.partition("*")
    if not star:
        return "" if pattern == module else None
    long_enough = len(module) > len(before) + len(behind)
    if long_enough and module.startswith(before) and module.endswith(behind):
        return module[len(before) : len(module) - len(behind)]
    return None


def with_ending(tree: PathTree, stem: str) -> str:
    """Return the file of a path that may lack its ending, or be a folder's."""
    if stem in tree:
        return stem
    tries = [stem + ending for ending in _ENDINGS] if stem else []
    for ending, sources in _COMPILED.items():
        if stem.endswith(ending):
            tries += [stem.removesuffix(ending) + source for source in sources]
    tries += [within(stem, "index" + ending) for ending in _ENDINGS]
    return next((path for path in tries if path in tree), "")


def _sees(tree: PathTree, path: str, folder: str, name: str) -> bool:
    """Tell whether a file may mean a package: names such as `app` or `test` are those of many."""
    at = f"{folder}/".find(_INSTALLED)
    if at >= 0 and (at == 0 or folder[at - 1] == "/"):
        return path.startswith(folder[:at])
    if name.startswith("@"):
        return True
    for around in ancestors(folder_of(path)):
        manifest = within(around, "package.json")
        if around == folder or any(
            name in row[1:] for row in tree.manifests.rows(manifest, "needs")
        ):
            return True
        is_above = not around or folder.startswith(around + "/")
        if is_above and tree.manifests.rows(manifest, "workspaces"):
            return True
    return False


def _in_folder(tree: PathTree, folder: str, rest: str) -> str:
    if rest:
        tries = [*_exported(tree, folder, f"./{rest}"), rest, f"src/{rest}"]
    else:
        tries = list(tree.manifests.entries(folder))
    return _first(tree, folder, tries)


def _own(tree: PathTree, path: str, module: str) -> str:
    """Return what a package names for itself under its `imports`."""
    for around in ancestors(folder_of(path)):
        if within(around, "package.json") in tree:
            return _first(tree, around, list(_exported(tree, around, module)))
    return ""


def _exported(tree: PathTree, folder: str, wanted: str) -> Iterator[str]:
    manifest = within(folder, "package.json")
    for _, pattern, *targets in tree.manifests.rows(manifest, "export"):
        rest = fitting(pattern, wanted)
        if rest is not None:
            yield from sources_of([target.replace("*", rest) for target in targets])


def _first(tree: PathTree, folder: str, tries: list[str]) -> str:
    files = (with_ending(tree, within(folder, name)) for name in tries)
    return next(filter(None, files), "")
