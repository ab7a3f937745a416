"""Includes of C and C++."""

from jupyter_ac.index.graph.imports.found import ImportTarget
from jupyter_ac.index.graph.tree import PathTree, folder_of, name_of, nearest, within
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
