"""Resolves imports by plain path: `source` in shells, `href` and `src` in HTML, `@import`."""

import re
from typing import Final

from jupyter_ac.index.project.import_target import ImportTarget
from jupyter_ac.index.project.path_tree import PathTree, folder_of, nearest, within
from jupyter_ac.index.records import Import

_VARIABLE: Final = re.compile(r"""^["']?(\$\([^)]*\)|\$\{[^}]*\}|\$\w+|`[^`]*`)["']?/""")
_ELSEWHERE: Final = re.compile(r"^([a-z][a-z0-9+.-]*:|//|#)", re.IGNORECASE)


def find(tree: PathTree, path: str, line: Import) -> ImportTarget:
    """Return the file of this path beside the naming one, else below the root."""
    if _ELSEWHERE.match(line.module):
        return ImportTarget()
    module = re.split(r"[?#]", line.module, maxsplit=1)[0].strip("\"'")
    bare = _VARIABLE.sub("", module)
    places = [within("", bare)] if bare.startswith("/") else [within(folder_of(path), bare)]
    places.append(within("", bare))
    file = next((place for place in places if place and place in tree), "")
    if not file and bare != module:
        # `$DIR/lib.sh`: only the nearest file that ends so can be meant.
        name = bare.rpartition("/")[2]
        ends = [p for p in tree.named(name) if p.endswith("/" + bare)]
        file = nearest(ends, path)
    return ImportTarget((file,), (), (file,)) if file else ImportTarget()
