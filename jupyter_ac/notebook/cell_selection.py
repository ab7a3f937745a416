"""Which parts of a notebook a model is shown: cells that are left out, outputs that are sent.

A cell is named by its id, or by its position where it has no id of its own. Positions change, and
ids of a file that doesn't store them are others each time it is opened. Therefore an excluded cell
is also known by a hash of its text, and one that can be found by neither stops the whole notebook:
it might be sent by mistake.
"""

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from jupyter_ac.errors import Unsupported
from jupyter_ac.notebook.cells import Cell, Notebook

POSITION: Final = "cell"
"""Name in a marker for the position of a cell that has no id of its own, from 1."""

_DIGEST_CHARS: Final = 32


@dataclass(frozen=True, slots=True)
class NotebookView:
    """What is shown of a notebook. Cells are named as by `cell_names`.

    Attributes:
        excluded: the cells whose text is left out, with the digest of each.
        outputs: the cells whose outputs are shown.
        images: those of them whose images are sent, too.
    """

    excluded: Mapping[str, str] = field(default_factory=dict)
    outputs: frozenset[str] = frozenset()
    images: frozenset[str] = frozenset()


WHOLE: Final = NotebookView()
"""All cells, without outputs."""


def cell_names(notebook: Notebook) -> list[str]:
    """Return the name of each cell: its id, or `cell=N` where it has none of its own."""
    counts = Counter(cell.cell_id for cell in notebook.cells)
    return [
        cell.cell_id
        if cell.cell_id is not None and counts[cell.cell_id] == 1
        else f"{POSITION}={position}"
        for position, cell in enumerate(notebook.cells, 1)
    ]


def excluding(notebook: Notebook, names: Collection[str]) -> Mapping[str, str]:
    """Return the cells of these names with their digests, for `NotebookView.excluded`."""
    cells = zip(cell_names(notebook), notebook.cells, strict=True)
    return {name: _digest(cell) for name, cell in cells if name in names}


def excluded_positions(notebook: Notebook, view: NotebookView) -> set[int]:
    """Return the positions of the cells that are left out, from 0.

    Raises:
        Unsupported: one of them can't be found.
    """
    positions, missing = find_excluded(notebook, view)
    if missing:
        raise Unsupported(
            "a cell that you left out can't be found any more, so nothing of the notebook is "
            "sent; open Cells below it in the breakdown, and tick what is to be sent"
        )
    return positions


def find_excluded(notebook: Notebook, view: NotebookView) -> tuple[set[int], int]:
    """Return the positions of the cells that are left out, and how many weren't found."""
    if not view.excluded:
        return set(), 0
    places = {name: place for place, name in enumerate(cell_names(notebook))}
    digests: dict[str, set[int]] = {}
    for place, cell in enumerate(notebook.cells):
        digests.setdefault(_digest(cell), set()).add(place)
    found: set[int] = set()
    missing = 0
    for name, digest in view.excluded.items():
        same = digests.get(digest, set())
        is_id = not name.startswith(f"{POSITION}=")
        if name in places and (is_id or places[name] in same):
            found.add(places[name])
        elif same:
            found |= same
        elif not (is_id and notebook.keeps_ids):  # else the cell was deleted
            missing += 1
    return found, missing


def _digest(cell: Cell) -> str:
    encoded = cell.source.encode("utf-8", "surrogatepass")
    return hashlib.sha256(encoded).hexdigest()[:_DIGEST_CHARS]
