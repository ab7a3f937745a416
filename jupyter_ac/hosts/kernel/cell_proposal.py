"""Proposes code for a cell: as a new cell where there are cells, else as a diff and a question.

Nothing is ever run, and no front end that takes no input is asked for any.
"""

import difflib
import sys
from collections.abc import Mapping
from typing import Final, Protocol

from IPython.core.error import StdinNotImplementedError

from jupyter_ac.terminal import terminal_text


class NextInput(Protocol):
    """The part of a shell that proposals need."""

    def set_next_input(self, text: str, /) -> None:
        """Have a text as the next input, or as a new cell."""


_YES: Final = frozenset({"y", "yes"})


def propose(shell: NextInput, before: str, code: str) -> None:
    """Offer code as the replacement of a cell.

    In a notebook it becomes a new cell below the one that runs. In a console or a terminal the
    difference is printed; on yes the code becomes the next input. It is never run.

    Args:
        shell: of the kernel or terminal.
        before: the cell's source.
        code: the whole new source.
    """
    if not is_console(shell):
        shell.set_next_input(code)
        return
    visible = terminal_text(code)  # what the user agrees to is what has been shown
    changes = difference(terminal_text(before), visible)
    sys.stdout.write(changes or "The cell has this code already.\n")
    sys.stdout.flush()
    if changes and _is_wanted():
        shell.set_next_input(visible)


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


def _is_wanted() -> bool:
    try:
        answer = input("Take this as the next input? [y/N] ")
    except (EOFError, StdinNotImplementedError):
        return False
    return answer.strip().lower() in _YES
