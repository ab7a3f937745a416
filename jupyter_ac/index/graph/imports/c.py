"""Includes of C and C++."""

from jupyter_ac.index.graph.imports.found import Found
from jupyter_ac.index.graph.tree import Tree, folder_of, name_of, nearest, within
from jupyter_ac.index.records import Import


def find(tree: Tree, path: str, line: Import) -> Found:
    """Return the file next to the including one, else the nearest whose path ends as written."""
    module = line.module.strip('<>"')
    beside = within(folder_of(path), module)
    if beside in tree:
        return Found((beside,), (), (beside,))
    suffix = within("", "/".join(part for part in module.split("/") if part != ".."))
    ends = [p for p in tree.named(name_of(module)) if p == suffix or p.endswith("/" + suffix)]
    file = nearest([p for p in ends if suffix and p != path], path)
    return Found((file,), (), (file,)) if file else Found()
