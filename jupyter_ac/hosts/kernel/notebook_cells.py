"""The cells of the notebook by the ids that its page sends with each run.

Of a run only its number and the cell's id are noted: no source, no result, no error.
"""

from itertools import islice
from typing import Final, Protocol

from IPython.core.interactiveshell import InteractiveShell

MOST_RUNS: Final = 1000
"""Runs whose cells are known; the oldest are forgotten."""


class RunInfo(Protocol):
    """What is used of what IPython says before a cell runs."""

    store_history: bool
    cell_id: str | None


class RunResult(Protocol):
    """What is used of what IPython says afterwards; the number is only then the run's own."""

    info: RunInfo
    execution_count: int | None


class NotebookCells:
    """Knows which cell each run was of, and whose page draws proposals. Of one shell.

    Args:
        shell: of the kernel or terminal; a terminal's cells have no ids.
    """

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._ids: dict[int, str] = {}
        self._announced: set[str] = set()
        self._is_drawn = False

    def register(self) -> None:
        """Note the cells that run from here on."""
        self._shell.events.register("pre_run_cell", self._begin)
        self._shell.events.register("post_run_cell", self._end)

    def unregister(self) -> None:
        """Note no more; may be called again."""
        for event, noting in (("pre_run_cell", self._begin), ("post_run_cell", self._end)):
            if noting in self._shell.events.callbacks[event]:
                self._shell.events.unregister(event, noting)

    def id_of(self, number: int | None) -> str | None:
        """Return the id of the cell that ran under a number; None when it isn't known."""
        return None if number is None else self._ids.get(number)

    def note_drawn(self, cell_id: str) -> None:
        """Note that the page which is about to run a cell draws proposals below it."""
        self._announced.add(cell_id)

    def is_drawn(self) -> bool:
        """Return whether the page that runs the current cell has said so."""
        return self._is_drawn

    def _begin(self, info: RunInfo) -> None:
        self._is_drawn = info.cell_id in self._announced
        self._announced.discard(info.cell_id or "")  # another page may run it next

    def _end(self, result: RunResult) -> None:
        number, info = result.execution_count, result.info
        if number is not None and info.store_history and info.cell_id is not None:
            self._ids[number] = info.cell_id
            for oldest in list(islice(self._ids, max(0, len(self._ids) - MOST_RUNS))):
                del self._ids[oldest]
