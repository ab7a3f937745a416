"""RPC methods by which panels ask the kernel of a person's active notebook what it has.

The kernel itself offers methods of these names to its page; here a page passes the call on.
"""

from typing import cast

from jupyter_ac.inspection.last_error import SessionErrorReport
from jupyter_ac.inspection.variables import VariableDescription, VariableList
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.llm.notebook_kernels import NotebookKernels


class KernelValueMethods:
    """`Kernel`, as far as it only describes the session; nothing of the user's code runs.

    Args:
        kernels: ask the pages.
    """

    def __init__(self, kernels: NotebookKernels) -> None:
        self._kernels = kernels

    @method(Access.READ)
    async def list_variables(self) -> VariableList:
        """List the variables of the kernel of the caller's active notebook."""
        return cast("VariableList", await self._ask("list_variables"))

    @method(Access.READ)
    async def describe_variable(self, name: str) -> VariableDescription:
        """Describe one of these variables."""
        return cast("VariableDescription", await self._ask("describe_variable", name))

    @method(Access.READ)
    async def get_last_error(self) -> SessionErrorReport | None:
        """Return the last error that this session has shown; null if there was none."""
        return cast("SessionErrorReport | None", await self._ask("get_last_error"))

    async def _ask(self, name: str, variable: str = "") -> object:
        return await self._kernels.active_value(current_caller().identity, name, variable)
