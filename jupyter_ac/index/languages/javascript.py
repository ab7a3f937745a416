"""JavaScript; imports by relative path, `@/` for a source folder, workspace packages."""

from typing import Final

from jupyter_ac.index.languages.language import ImportRules, Language, NameRules, Reading
from jupyter_ac.index.languages.npm_packages import fitting, in_package, with_ending
from jupyter_ac.index.project.import_target import Binding, ImportTarget, bound
from jupyter_ac.index.project.manifests import ENTRIES
from jupyter_ac.index.project.path_tree import PathTree, ancestors, folder_of, nearest, within
from jupyter_ac.index.records import Import


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
