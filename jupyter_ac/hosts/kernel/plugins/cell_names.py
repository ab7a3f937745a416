"""Names the cells in errors of a plugin as their prompts do: `Cell In[3]`, not a temporary file."""

import re
from pathlib import PurePath
from typing import Final

from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.inspection.raw_access import is_dict
from jupyter_ac.panels.tracebacks import ErrorReport

_FRAME: Final = re.compile(r"^  ([^\n:]+):(?=\d+, in )", re.MULTILINE)


def name_cells(report: ErrorReport, shell: InteractiveShell) -> ErrorReport:
    """Return an error whose frames name cells by their numbers."""
    stack = report.get("stack")
    # Where IPython keeps the numbers of the cells that its code names belong to.
    found: object = getattr(shell.compile, "_filename_map", None)
    if stack is None or not is_dict(found):
        return report
    numbers = {PurePath(str(name)).name: number for name, number in found.items()}

    def named(frame: re.Match[str]) -> str:
        number = numbers.get(PurePath(frame[1]).name)
        return frame[0] if number is None else f"  Cell In[{number}]:"

    return {**report, "stack": _FRAME.sub(named, stack)}
