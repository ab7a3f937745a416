"""Imports of Ruby: `require_relative`, and `require` of what stands below a `lib` folder."""

from jupyter_ac.index.graph.imports.found import ImportTarget
from jupyter_ac.index.graph.tree import PathTree, ancestors, folder_of, name_of, nearest, within
from jupyter_ac.index.records import Import


def find(tree: PathTree, path: str, line: Import) -> ImportTarget:
    """Return the file that is loaded; all its names become known."""
    module = line.module.removesuffix(".rb") + ".rb"
    folder = folder_of(path)
    tries = [within(folder, module)] if module.startswith(".") or line.level else []
    if not tries:
        for around in ancestors(folder):
            tries += [within(around, "lib/" + module), within(around, "app/" + module)]
        ends = [p for p in tree.named(name_of(module)) if p.endswith("/lib/" + module)]
        tries += [within(folder, module), within("", module), nearest(ends, path)]
    file = next((found for found in tries if found and found in tree and found != path), "")
    return ImportTarget((file,), (), (file,)) if file else ImportTarget()
