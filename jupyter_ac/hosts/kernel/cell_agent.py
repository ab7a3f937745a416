"""Asks the user of a cell about a call of the agent, by `input()`."""

import sys
from typing import Final

from IPython.core.error import StdinNotImplementedError
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.hosts.tool_questions import ToolAnswer, ask_person
from jupyter_ac.tool_rows import ToolCallRow

_NO_INPUT: Final = (
    "This kernel takes no input (as under nbconvert and papermill), so nobody could be asked; "
    "only tools that read run here."
)


def ask_in_cell(shell: InteractiveShell, call: ToolCallRow) -> ToolAnswer:
    """Ask about a call that waits; on the thread of the cell.

    Returns:
        The decision; a refusal where the front end takes no input.

    Raises:
        KeyboardInterrupt: the user has stopped the cell instead.
    """
    kernel = getattr(shell, "kernel", None)
    if kernel is not None and not getattr(kernel, "_allow_stdin", False):
        return ToolAnswer("refuse", text=_NO_INPUT)
    return ask_person(call, _say, _read)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _read(prompt: str) -> str:
    try:
        return input(prompt)
    except StdinNotImplementedError as error:
        raise EOFError from error
