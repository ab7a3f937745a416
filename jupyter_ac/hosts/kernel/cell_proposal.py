"""Proposes code for a cell: as a difference with buttons in a page of ours, else as text.

Where no page draws the buttons the code becomes a new cell, too; a console is asked about it.
Nothing is run from here, and no front end that takes no input is asked for any.
"""

import difflib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from IPython.core.error import StdinNotImplementedError
from IPython.display import display

from jupyter_ac.terminal import terminal_text


class NextInput(Protocol):
    """The part of a shell that proposals need."""

    def set_next_input(self, text: str, /) -> None:
        """Have a text as the next input, or as a new cell."""


PROPOSAL_MIME: Final = "application/vnd.jupyter-ac.cell-proposal+json"
"""What our extension of JupyterLab draws as a card."""

_UNCHANGED: Final = "The cell has this code already.\n"
_YES: Final = frozenset({"y", "yes"})


@dataclass(frozen=True, slots=True)
class Proposal:
    """A new source for a cell.

    Attributes:
        before: the cell's source.
        code: the whole new source.
        cell_id: of the cell in its notebook; None when it isn't known.
        number: of the cell's run; None when it isn't known.
    """

    before: str
    code: str
    cell_id: str | None = None
    number: int | None = None


def propose(shell: NextInput, proposal: Proposal, *, is_drawn: bool = False) -> None:
    """Offer code as the replacement of a cell; it is not run.

    In a notebook the difference becomes an output. In a console or a terminal it is printed; on yes
    the code becomes the next input.

    Args:
        shell: of the kernel or terminal.
        proposal: the cell's new source.
        is_drawn: the page draws the output with buttons, so that no new cell is needed.
    """
    if is_console(shell):
        _ask(shell, proposal)
        return
    changes = difference(terminal_text(proposal.before), terminal_text(proposal.code))
    if not changes:
        sys.stdout.write(_UNCHANGED)
        return
    display({"text/plain": changes.rstrip("\n"), PROPOSAL_MIME: _card(proposal)}, raw=True)
    if not is_drawn:
        shell.set_next_input(proposal.code)


def is_console(shell: object) -> bool:
    """Return whether one input follows another, and the user can be asked.

    Notebooks name the cell in their request; nbclient and papermill allow no input.
    """
    kernel = getattr(shell, "kernel", None)
    if kernel is None:
        return True
    if not getattr(kernel, "_allow_stdin", False):
        return False
    metadata = kernel.get_parent("shell").get("metadata")
    return not (isinstance(metadata, Mapping) and "cellId" in metadata)


def difference(before: str, code: str) -> str:
    """Return a unified diff with a line end at its end; "" for equal texts."""
    lines = difflib.unified_diff(
        before.splitlines(), code.splitlines(), "the cell", "the proposal", lineterm=""
    )
    return "".join(f"{line}\n" for line in lines)


def _card(proposal: Proposal) -> dict[str, object]:
    return {
        "version": 1,
        "cell_id": proposal.cell_id,
        "number": proposal.number,
        "before": proposal.before,
        "code": proposal.code,
        "language": "python",
    }


def _ask(shell: NextInput, proposal: Proposal) -> None:
    visible = terminal_text(proposal.code)  # what the user agrees to is what has been shown
    changes = difference(terminal_text(proposal.before), visible)
    sys.stdout.write(changes or _UNCHANGED)
    sys.stdout.flush()
    if changes and _is_wanted():
        shell.set_next_input(visible)


def _is_wanted() -> bool:
    try:
        answer = input("Take this as the next input? [y/N] ")
    except (EOFError, StdinNotImplementedError):
        return False
    return answer.strip().lower() in _YES
