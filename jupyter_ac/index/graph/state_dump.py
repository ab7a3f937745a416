"""Serializes the graph in parts for a snapshot, and restores it."""

from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.postings import Postings
from jupyter_ac.index.graph.state import LoadedIndex
from jupyter_ac.index.graph.tables import Links
from jupyter_ac.index.records import Manifest

_LINKS: Final = 256
_ROWS: Final = 2048


class _Files(NamedTuple):
    """The data of the files without their links."""

    paths: list[RepoPath]
    blobs: list[str | None]
    digests: "array[int]"
    sizes: "array[int]"
    fame: "array[int]"
    free: list[int]
    notes: dict[RepoPath, str]
    manifests: dict[str, Manifest]
    packages: dict[str, tuple[str, ...]]


def dumped(state: LoadedIndex) -> Iterator[object]:
    """Yield the parts of a settled state; the archive's pieces are none of them."""
    graph = state.graph
    tables, store = graph.tables, graph.tables.store
    tree = tables.tree.manifests.all(), tables.tree.packages.all()
    rest = store.archive.sizes, tables.fame, tables.free, graph.notes, *tree
    yield _Files(tables.paths, store.blobs, store.digests, *rest)
    for at in range(0, len(tables.links), _LINKS):
        yield tables.links[at : at + _LINKS]
    yield from tables.definitions.parts(_ROWS)
    yield from tables.postings.parts(_ROWS)


def restored(parts: Iterator[object], base: int, folder: Path) -> LoadedIndex:
    """Restore a state from its parts.

    Args:
        parts: the result of `dumped`; nothing after it is consumed.
        base: descriptor of the file that holds the archive's pieces, one after the other.
        folder: of the file that stores later records.

    Raises:
        TypeError: the parts have the wrong types.
    """
    state, files = LoadedIndex(folder), next(parts)
    if not isinstance(files, _Files):
        raise TypeError("it is no index")
    tables, store = state.graph.tables, state.graph.tables.store
    state.graph.notes.update(files.notes)
    tables.paths += files.paths
    for manifest, said in files.manifests.items():
        tables.tree.manifests.put(manifest, said)
    for path, packages in files.packages.items():
        tables.tree.packages.put(path, packages)
    tables.fame, tables.free = files.fame, files.free
    store.blobs, store.digests = [None] * len(files.blobs), files.digests
    store.archive.move(base, files.sizes)
    for slot, blob in enumerate(files.blobs):
        if blob is not None:
            path = files.paths[slot]
            tables.slots[path] = slot
            tables.tree.add(path)
            store.add(slot, path, blob, files.digests[slot])
    while len(tables.links) < len(tables.paths):
        rows = next(parts)
        if not isinstance(rows, list):
            raise TypeError("it is no index")
        tables.links += rows
    for slot, links in enumerate(tables.links):
        for edge in links.edges if isinstance(links, Links) else ():
            tables.sources.setdefault(edge, array("I")).append(slot)
    tables.definitions = Postings.of_parts(parts)
    tables.postings = Postings.of_parts(parts)
    state.graph.renew()
    return state
