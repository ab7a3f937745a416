"""`Kernel.*`: what a page may ask the kernel about its session.

Nothing of the user's code runs, but for `describe_variable(name, with_repr=True)`. Whoever can open
a comm can run cells, so the kernel checks no rights itself. Whoever passes calls on for somebody
who may only read has to refuse that one argument: it needs the access level `execute`.
"""

import asyncio
import logging
from functools import partial
from pathlib import Path
from typing import TypedDict

from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.errors import AcError
from jupyter_ac.hosts.kernel.child.pool import repository_around
from jupyter_ac.hosts.kernel.kernel_location import KernelLocation, versions
from jupyter_ac.hosts.kernel.last_error import report_in
from jupyter_ac.inspection.completion import Completions, complete
from jupyter_ac.inspection.explicit_repr import ReprRunner
from jupyter_ac.inspection.history import HistoryRow, last_inputs
from jupyter_ac.inspection.last_error import SessionErrorReport, shown_error
from jupyter_ac.inspection.raw_access import is_dict
from jupyter_ac.inspection.variables import (
    VariableDescription,
    VariableList,
    describe_variable,
    list_variables,
)
from jupyter_ac.rpc.methods import Access, method

logger = logging.getLogger(__name__)


class KernelHello(TypedDict):
    """Where the kernel is.

    Attributes:
        directory: its current folder, absolute.
        nonce: what a server finds in the repository around it if it sees the same files; null
            without a repository, and where it can't be left there.
        versions: of `jupyter_ac`, `python`, `ipykernel`, and the `hash` of the front end.
    """

    directory: str
    nonce: str | None
    versions: dict[str, str]


class KernelMethods:
    """The methods; each runs on the thread of the peers.

    Args:
        shell: whose variables, inputs and last error they show.
    """

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._representations = ReprRunner()
        self._directory = Path()
        self._location = KernelLocation(self._directory)

    @method(Access.READ)
    async def hello(self) -> KernelHello:
        """Say in which folder the kernel is, and prove it by a nonce in the repository."""
        directory = Path.cwd()
        if directory != self._directory:
            self._directory, self._location = directory, KernelLocation(directory)
        try:
            nonce = (await asyncio.to_thread(self._location.find)).nonce
        except AcError as error:  # without git, say: all but a server's files works
            logger.debug("there is no nonce: %s", error)
            nonce = None
        return {
            "directory": str(directory),
            "nonce": nonce,
            "versions": await asyncio.to_thread(versions),
        }

    @method(Access.READ)
    def list_variables(self) -> VariableList:
        """List the variables of the session."""
        hidden: object = getattr(self._shell, "user_ns_hidden", None)
        return list_variables(self._namespace(), hidden if is_dict(hidden) else None)

    @method(Access.READ)
    async def describe_variable(self, name: str, with_repr: bool = False) -> VariableDescription:
        """Describe a variable; with its own representation, which runs its code, only if asked.

        Args:
            name: of the variable.
            with_repr: run `repr`; waits 200 ms at most for it.

        Raises:
            NotFound: there is no such variable.
            Busy: too many representations are still running.
        """
        represent = self._representations.represent if with_repr else None
        return await asyncio.to_thread(
            partial(describe_variable, self._namespace(), name, represent)
        )

    @method(Access.READ)
    def get_last_error(self) -> SessionErrorReport | None:
        """Return the last error that the session has shown; None if there was none."""
        return report_in(self._shell, shown_error(), repository_around(Path.cwd()))

    @method(Access.READ)
    def get_history(self, n: int = 20) -> list[HistoryRow]:
        """Return the last inputs of the session, the newest last.

        Args:
            n: from 1 to 100.

        Raises:
            InvalidParams: n is out of range.
        """
        return last_inputs(getattr(self._shell.history_manager, "input_hist_raw", None), n)

    @method(Access.READ)
    def complete(self, code: str, cursor_pos: int) -> Completions:
        """Complete the name or attribute before the cursor, from what objects hold.

        Args:
            code: of the cell.
            cursor_pos: in characters (code points).

        Raises:
            InvalidParams: the cursor is outside of the code.
        """
        return complete(self._namespace(), code, cursor_pos)

    def _namespace(self) -> dict[object, object]:
        found: dict[object, object] = self._shell.user_ns
        return found
