"""Lists what can carry out plans."""

from collections.abc import Callable, Sequence
from typing import TypedDict

from jupyter_ac.rpc.methods import Access, method


class ExecutorRow(TypedDict):
    """What can carry out the tasks of a plan.

    Attributes:
        name: for `run_plan`.
        kind: `agent`, this program's own; `acp`, an agent of others; `dask`, on other machines.
        note: what the user should know, or why it can't be used now; "" for nothing.
    """

    name: str
    kind: str
    note: str


class ExecutorList(TypedDict):
    """The executors.

    Attributes:
        executors: this program's own agent first.
    """

    executors: list[ExecutorRow]


class ExecutorMethods:
    """Lists the executors.

    Args:
        rows: returns them, by the settings of the moment.
    """

    def __init__(self, rows: Callable[[], Sequence[ExecutorRow]]) -> None:
        self._rows = rows

    @method(Access.READ)
    def list_executors(self) -> ExecutorList:
        """List what `run_plan` and `execute_task` take as `executor`: the setting `executors`."""
        return ExecutorList(executors=list(self._rows()))
