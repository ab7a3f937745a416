"""Imports of JavaScript and TypeScript: relative, `@/` for a source folder, workspace packages."""

from typing import Final

from jupyter_ac.index.graph.imports.found import Binding, Found, bound
from jupyter_ac.index.graph.tree import Tree, ancestors, folder_of, nearest, within
from jupyter_ac.index.records import Import

_ENDINGS: Final = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json")
_COMPILED: Final = {
    ".js": (".ts", ".tsx", ".d.ts"),
    ".jsx": (".tsx",),
    ".mjs": (".mts",),
    ".cjs": (".cts",),
}
_ENTRIES: Final = ("src/index", "index", "lib/index", "src/main", "main")


def find(tree: Tree, path: str, line: Import) -> Found:
    """Return what an import, a re-export or a `require` leads to."""
    file = _file(tree, path, line.module)
    found = bound((file,) if file else (), line.names, line.alias)
    if not file:
        return found
    bindings: list[Binding] = []
    for binding in found.bindings:
        # What is exported by default has no name of its own: its importer's is tried, then the
        # module stands for it.
        theirs = (binding.here, "") if binding.there == "default" else (binding.there,)
        bindings.extend(binding._replace(there=there) for there in theirs)
    # `export * from` looks like an import for its effects only, which opens nothing that matters.
    opened = found.files if not line.names and not line.alias else found.opened
    return Found(found.files, tuple(bindings), opened)


def _file(tree: Tree, path: str, module: str) -> str:
    module = module.partition("?")[0]
    folder = folder_of(path)
    if module.startswith("."):
        return _with_ending(tree, within(folder, module))
    if module.startswith(("@/", "~/")):
        for around in ancestors(folder):
            for root in (within(around, "src"), around):
                file = _with_ending(tree, within(root, module[2:]))
                if file:
                    return file
        return ""
    if module.startswith("/"):
        return _with_ending(tree, within("", module))
    return _of_workspace(tree, path, module)


def _with_ending(tree: Tree, stem: str) -> str:
    """Return the file of a path that may lack its ending, or be a folder's."""
    if stem in tree:
        return stem
    tries = [stem + ending for ending in _ENDINGS] if stem else []
    for ending, sources in _COMPILED.items():
        if stem.endswith(ending):
            tries += [stem.removesuffix(ending) + source for source in sources]
    tries += [within(stem, "index" + ending) for ending in _ENDINGS]
    return next((path for path in tries if path in tree), "")


def _of_workspace(tree: Tree, path: str, module: str) -> str:
    """A folder of the package's name with a `package.json` is that package."""
    parts = module.split("/")
    name, rest = (parts[1:2], parts[2:]) if module.startswith("@") else (parts[:1], parts[1:])
    if not name:
        return ""
    found = []
    for folder in tree.folders_named(name[0]):
        if within(folder, "package.json") not in tree:
            continue
        below = "/".join(rest)
        for stem in (below, "src/" + below) if below else _ENTRIES:
            file = _with_ending(tree, within(folder, stem))
            if file:
                found.append(file)
                break
    return nearest(found, path)
