"""`%ac_fix` and `%ac_explain`: questions about the last error, or about the cell that ran last."""

from dataclasses import dataclass
from typing import Final

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.context_rows import ContextItemGiven
from jupyter_ac.hosts.kernel.cell_options import CellOptions, current_folder
from jupyter_ac.hosts.kernel.cell_proposal import Proposal, propose
from jupyter_ac.hosts.kernel.cell_questions import CellQuestions
from jupyter_ac.hosts.kernel.child.pool import repository_around
from jupyter_ac.hosts.kernel.code_blocks import most_similar, python_blocks
from jupyter_ac.hosts.kernel.last_error import (
    QuestionedCell,
    last_error,
    last_failed_cell,
    previous_cell,
    report_in,
)
from jupyter_ac.hosts.kernel.notebook_cells import NotebookCells
from jupyter_ac.hosts.kernel.session_items import (
    cell_item,
    cell_name,
    error_item,
)

_FIX: Final = (
    "Reply with the whole new source of this one cell in exactly one ```python code block, and "
    "say in a sentence or two before it what was wrong. Keep what works. Don't propose edits of "
    "files, and don't put anything else into code blocks."
)
_FIX_FAILED: Final = "This cell of a notebook fails. Correct it."
_FIX_PLAIN: Final = "Look for mistakes in this cell of a notebook, and correct them."
_CHANGE: Final = "Change this cell of a notebook as follows."
_EXPLAIN_FAILED: Final = (
    "Explain in a few sentences why this cell of a notebook fails, and what to do. "
    "Don't propose edits of files."
)
_EXPLAIN_PLAIN: Final = (
    "Explain in a few sentences what this cell of a notebook does. Don't propose edits of files."
)
_PLACEHOLDERS: Final = (
    "Secrets in them are replaced by placeholders such as `[secret 1]`; keep these as they are."
)


@dataclass(slots=True)
class CellRepair:
    """Asks about the cells of one shell, in the conversation of its cells."""

    shell: InteractiveShell
    questions: CellQuestions
    cells: NotebookCells

    def fix(self, instruction: str) -> None:
        """Ask for a new source of the cell, show the answer and propose the source.

        Args:
            instruction: what else the user wants; "" for nothing.

        Raises:
            UsageError: what is wrong, in one sentence.
            KeyboardInterrupt: the user stopped the answer.
        """
        cell = self._cell("%ac_fix")
        items = self._items("%ac_fix", cell)
        question = fix_question(cell, instruction.strip())
        text = self.questions.answer("%ac_fix", question, CellOptions(), items)
        blocks = python_blocks(text)
        if not blocks:
            raise UsageError("%ac_fix: the answer has no code for the cell; nothing is changed.")
        code = self.questions.restored("%ac_fix", items[0], most_similar(blocks, cell.source))
        proposal = Proposal(cell.source, code, self.cells.id_of(cell.number), cell.number)
        propose(self.shell, proposal, is_drawn=self.cells.is_drawn())

    def explain(self) -> None:
        """Ask about the last error, or what the last cell does; raises what `fix` raises."""
        cell = self._cell("%ac_explain")
        items = self._items("%ac_explain", cell)
        self.questions.answer("%ac_explain", explain_question(cell), CellOptions(), items)

    def _items(self, magic: str, cell: QuestionedCell) -> list[ContextItemGiven]:
        """Return the cell and its error, for the question."""
        items = [cell_item(cell)]
        if cell.error:
            root = repository_around(current_folder(magic))
            report = report_in(self.shell, last_error(self.shell), root)
            items.append(error_item(cell, report))
        return items

    def _cell(self, magic: str) -> QuestionedCell:
        """Return the cell of the last error, else the one that ran last."""
        root = repository_around(current_folder(magic))
        previous = previous_cell(self.shell)
        failed = last_failed_cell(self.shell, root)
        if failed is None:
            if previous is None:
                raise UsageError(
                    f"{magic}: no cell has run before this one, and there is no error."
                )
            return previous
        if failed.source or previous is None:
            return failed
        return QuestionedCell(previous.source, previous.number, failed.error)


def fix_question(cell: QuestionedCell, instruction: str) -> str:
    """Word the question for a new source of a cell, which goes out beside it."""
    task = _FIX_FAILED if cell.error else _CHANGE if instruction else _FIX_PLAIN
    wish = [f"The user says: {instruction}"] if instruction else []
    return "\n\n".join([task, *wish, _sent(cell), _FIX])


def explain_question(cell: QuestionedCell) -> str:
    """Word the question about a cell or its error, which go out beside it."""
    return "\n\n".join([_EXPLAIN_FAILED if cell.error else _EXPLAIN_PLAIN, _sent(cell)])


def _sent(cell: QuestionedCell) -> str:
    """Say what goes out beside the question."""
    items = f"the cell as `{cell_name(cell.number)}`"
    if cell.error:
        items += f", its error as `error of {cell_name(cell.number)}`"
    return f"Sent with this question: {items}. {_PLACEHOLDERS}"
