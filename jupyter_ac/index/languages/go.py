"""Go; a package is a folder of a module, whose name stands in its `go.mod`."""

from collections.abc import Iterator
from typing import Final

from jupyter_ac.index.languages.language import ImportRules, Language, NameRules
from jupyter_ac.index.languages.syntax import COMMON
from jupyter_ac.index.project.import_target import Binding, ImportTarget
from jupyter_ac.index.project.path_tree import PathTree, ancestors, folder_of, nearest, within
from jupyter_ac.index.project.paths import inside
from jupyter_ac.index.records import Import

_STANDARD_TEXT: Final = """
    archive bufio bytes cmp compress container context crypto database debug embed encoding
    errors expvar flag fmt go hash html image index io iter log maps math mime net os path
    plugin reflect regexp runtime slices sort strconv strings structs sync syscall testing text
    time unicode unique unsafe
"""
_STANDARD: Final = frozenset(_STANDARD_TEXT.split())
_FORGES: Final = frozenset(
    {"github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "git.sr.ht", "golang.org"}
)
_FORGE_PARTS: Final = 3
_HOST_PARTS: Final = 2


def module_rows(data: bytes) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a `go.mod`: `module` and its name; `replace`, a module, a folder."""
    block = ""
    for line in data.decode("utf-8", "replace").splitlines():
        found = line.partition("//")[0].split()
        if found[:1] == [")"]:
            block = ""
        elif found[1:] == ["("]:
            block = found[0]
        elif found:
            verb, values = (block, found) if block else (found[0], found[1:])
            values = [value.strip('"`') for value in values]
            if verb == "module" and len(values) == 1:
                yield "module", values[0]
            elif verb == "replace" and "=>" in values[1:3]:
                folder = values[values.index("=>") + 1 :][:1]
                if folder and folder[0].startswith(("./", "../")):
                    yield "replace", values[0], folder[0]


def find(tree: PathTree, path: str, line: Import) -> ImportTarget:
    """Return the files of the package, tests left out."""
    parts = line.module.split("/")
    name = parts[-1]
    if len(parts) > 1 and name.startswith("v") and name[1:].isdecimal():
        name = parts[-2]
    folder = _folder(tree, path, parts)
    files = package(tree, folder) if folder is not None else ()
    if line.alias == "." or any(there == "*" for there, _ in line.names):
        return ImportTarget(files, (), files)
    bindings = [] if line.alias == "_" else [Binding(line.alias or name, "", files)]
    bindings += [Binding(here, there, files) for there, here in line.names if there != "*"]
    return ImportTarget(files, tuple(bindings))


def package(tree: PathTree, folder: str) -> tuple[str, ...]:
    """Return a folder's sources, tests left out, the file of the folder's name first."""
    names = [n for n in tree.entries(folder) if n.endswith(".go") and not n.endswith("_test.go")]
    main = folder.rpartition("/")[2] + ".go"
    return tuple(within(folder, name) for name in sorted(names, key=lambda n: (n != main, n)))


def _folder(tree: PathTree, path: str, parts: list[str]) -> str | None:
    if parts[0] in {".", ".."}:
        return within(folder_of(path), "/".join(parts))
    if parts[0] in _STANDARD:
        return None
    roots = [around for around in ancestors(folder_of(path)) if within(around, "go.mod") in tree]
    for root in roots:
        folder = within(root, "vendor/" + "/".join(parts))
        if package(tree, folder):
            return folder
    named = _of_modules(tree, path, "/".join(parts), roots)
    if named is not None:
        return named if package(tree, named) else None
    if any(tree.manifests.value(within(root, "go.mod"), "module") for root in roots):
        return None
    return _guessed(tree, roots, parts)


def _of_modules(tree: PathTree, path: str, wanted: str, roots: list[str]) -> str | None:
    """Return the folder that a module of the tree has for a package; None for no such module."""
    for root in roots[:1]:
        for _, module, target in tree.manifests.rows(within(root, "go.mod"), "replace"):
            rest, folder = _rest(wanted, module), inside(root, target)
            if rest is not None:
                return None if folder is None else within(folder, rest)
    modules = tree.manifests.folders("go.mod")
    names = wanted.split("/")
    for count in range(len(names), 0, -1):
        folders = modules.get("/".join(names[:count]))
        if folders:
            # Of several modules with one name a file means its own one.
            own = [root for root in roots if root in folders]
            return within(own[0] if own else nearest(folders, path), "/".join(names[count:]))
    return None


def _rest(wanted: str, module: str) -> str | None:
    if wanted == module:
        return ""
    return wanted.removeprefix(module + "/") if wanted.startswith(module + "/") else None


def _guessed(tree: PathTree, roots: list[str], parts: list[str]) -> str | None:
    """Return the folder that a package likely has where no `go.mod` tells the module's name."""
    # A forge's name has an owner and a repository behind it, another host's at least one part,
    # other modules mostly none.
    least = _FORGE_PARTS if "." in parts[0] else 1
    for around in roots:
        folder = _below(around, parts[least:])
        if folder is not None and package(tree, folder):
            return folder
        is_short = "." in parts[0] and parts[0] not in _FORGES
        for dropped in (*([_HOST_PARTS] if is_short else []), *range(least + 1, len(parts))):
            folder = _below(around, parts[dropped:])
            if folder and package(tree, folder):
                return folder
    return None


def _below(root: str, parts: list[str]) -> str | None:
    if parts and parts[0].startswith("v") and parts[0][1:].isdecimal():
        parts = parts[1:]
    return within(root, "/".join(parts)) if parts else None


GO: Final = Language(
    "go",
    (".go",),
    ("tree_sitter_go", "language"),
    names=NameRules(bare_names="shared", scope="folder", imports_folders=True),
    imports=ImportRules(find, root_files=("go.mod",)),
    syntax=COMMON._replace(may_redeclare=True),
)
