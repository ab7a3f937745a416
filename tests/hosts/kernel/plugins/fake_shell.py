"""A shell with the events and cells of a kernel, in the hands of the test."""

from types import SimpleNamespace
from typing import cast

from IPython.core.events import EventManager, available_events
from IPython.core.interactiveshell import InteractiveShell


class FakeShell:
    """What the plugins use of a shell; `cell` begins one.

    Attributes:
        meta: as IPython's.
        events: as IPython's.
        compile: with the names of cells.
    """

    def __init__(self) -> None:
        self.meta: dict[str, object] = {}
        self.events = EventManager(self.real, available_events)
        self.compile = SimpleNamespace(_filename_map={"/tmp/kernel_1/77.py": 3})
        self._cell = ""

    @property
    def real(self) -> InteractiveShell:
        return cast("InteractiveShell", self)

    def get_parent(self) -> dict[str, object]:
        return {"metadata": {"cellId": self._cell} if self._cell else {}}

    def begin(self, cell: str = "") -> None:
        self._cell = cell
        self.events.trigger("pre_run_cell", SimpleNamespace(cell_id=cell or None))

    def end(self) -> None:
        self.events.trigger("post_run_cell", SimpleNamespace())
