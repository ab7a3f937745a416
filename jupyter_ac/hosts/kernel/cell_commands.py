"""What the magics do but for showing a panel; imported by the first use of one."""

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.hosts.kernel.cell_questions import CellQuestions
from jupyter_ac.hosts.kernel.cell_repair import CellRepair
from jupyter_ac.hosts.kernel.kernel_status import status_text
from jupyter_ac.hosts.kernel.notebook_cells import NotebookCells

if TYPE_CHECKING:
    from jupyter_ac.hosts.kernel.browser_commands import BrowserCommands


class CellCommands:
    """The questions of one shell's cells. Methods raise UsageError with one sentence.

    Args:
        shell: of the kernel or terminal.
        cells: of the notebook, whose ids proposals name.
    """

    def __init__(self, shell: InteractiveShell, cells: NotebookCells) -> None:
        self._questions = CellQuestions(shell)
        self._repair = CellRepair(shell, self._questions, cells)

    def ask(self, line: str, cell: str) -> None:
        """Ask what a cell says; `line` has the options."""
        self._questions.ask(line, cell)

    def fix(self, instruction: str) -> None:
        """Propose a new source for the cell that failed last, or for the one above."""
        self._repair.fix(instruction)

    def explain(self) -> None:
        """Explain the last error, or the cell above."""
        self._repair.explain()

    def browser(self, line: str) -> None:
        """Carry out a command about the page that is being built."""
        # Takes 70 ms, and few use it.
        loaded = import_module("jupyter_ac.hosts.kernel.browser_commands")
        make: type[BrowserCommands] = loaded.BrowserCommands
        make(partial(self._questions.call, "%ac browser")).run(line)

    def status(self) -> str:
        """Return some lines about what answers."""
        return status_text(self._questions)

    def reset(self) -> str:
        """Begin a new conversation; returns a sentence about that."""
        ended = self._questions.reset()
        kept = "the earlier one stays in the history" if ended else "none was begun"
        return (
            f"The next question of this kernel's cells begins a new conversation; {kept}. "
            "Panels keep their conversation."
        )

    def close(self) -> None:
        """End the hosts that answered; later questions start a new conversation."""
        self._questions.close()
