"""JavaScript; imports by relative path, `@/` for a source folder, npm packages of the tree."""

from collections.abc import Iterator
from typing import Final

from jupyter_ac.index.languages.language import ImportRules, Language, NameRules, Reading
from jupyter_ac.index.project.import_target import Binding, ImportTarget, bound
from jupyter_ac.index.project.manifests import ENTRIES, sources_of, split_package
from jupyter_ac.index.project.path_tree import PathTree, ancestors, folder_of, nearest, within
from jupyter_ac.index.records import Import

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


def find(tree: PathTree, path: str, line: Import) -> ImportTarget:
    """Return what an import, a re-export or a `require` leads to."""
    file = _file(tree, path, line.module)
    found = bound((file,) if file else (), line.names, line.alias)
    if not file:
        return found
    bindings: list[Binding] = []
    for binding in found.bindings:
        # What is exported by default without a name is called so; else its importer's name is
        # tried, then the module stands for it.
        is_default = binding.there == "default"
        theirs = (binding.there, binding.here, "") if is_default else (binding.there,)
        bindings.extend(binding._replace(there=there) for there in theirs)
    # `export * from` looks like an import for its effects only, which opens nothing that matters.
    opened = found.files if not line.names and not line.alias else found.opened
    return ImportTarget(found.files, tuple(bindings), opened)


def _file(tree: PathTree, path: str, module: str) -> str:
    module = module.partition("?")[0]
    folder = folder_of(path)
    if module.startswith("."):
        return with_ending(tree, within(folder, module))
    aliased = _aliased(tree, folder, module)
    if aliased:
        return aliased
    if module.startswith(("@/", "~/")) and aliased is None:
        for around in ancestors(folder):
            for root in (within(around, "src"), around):
                file = with_ending(tree, within(root, module[2:]))
                if file:
                    return file
        return ""
    if module.startswith("/"):
        return with_ending(tree, within("", module))
    own = in_package(tree, path, module)
    return _of_workspace(tree, path, module) if own is None else own


def _aliased(tree: PathTree, folder: str, module: str) -> str | None:
    """Return what a configuration's pattern or base leads to; None when no pattern fits."""
    config = tree.manifests.config(folder)
    found = []
    for pattern, targets in config.aliases:
        before, star, behind = pattern.partition("*")
        rest = fitting(pattern, module)
        if rest is not None:
            # An exact pattern counts before all others, then the one with the longest beginning.
            found.append((not star, len(before), len(behind), rest, targets))
    if found:
        *_, rest, targets = max(found)
        files = (with_ending(tree, target.replace("*", rest)) for target in targets)
        return next(filter(None, files), "")
    return (
        with_ending(tree, within(config.base, module)) if config.base is not None else ""
    ) or None


def _of_workspace(tree: PathTree, path: str, module: str) -> str:
    """A folder of the package's name is that package if its `package.json` says no name."""
    parts = module.split("/")
    name, rest = (parts[1:2], parts[2:]) if module.startswith("@") else (parts[:1], parts[1:])
    if not name:
        return ""
    found = []
    for folder in tree.folders_named(name[0]):
        manifest = within(folder, "package.json")
        if manifest not in tree or tree.manifests.value(manifest, "name"):
            continue
        below = "/".join(rest)
        for stem in (below, "src/" + below) if below else ENTRIES:
            file = with_ending(tree, within(folder, stem))
            if file:
                found.append(file)
                break
    return nearest(found, path)


NAMES: Final = NameRules(self_names=("this",))
IMPORTS: Final = ImportRules(find, folder_stems=("index", "package"))

JAVASCRIPT: Final = Language(
    "javascript",
    (".js", ".mjs", ".cjs", ".jsx"),
    ("tree_sitter_javascript", "language"),
    reading=Reading(queries=("ecmascript", "jsx", "javascript"), separators=("?.",)),
    names=NAMES,
    imports=IMPORTS,
    has_class_attributes=True,
)
