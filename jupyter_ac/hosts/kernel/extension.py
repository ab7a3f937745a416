"""`%load_ext jupyter_ac`: registers `%ac` and loads nothing else.

The widget libraries are imported by the first `%ac`, so that loading the extension at the top of
every notebook costs next to nothing.
"""

import shlex
from typing import TYPE_CHECKING, Final

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_magic, magics_class
from IPython.display import display

from jupyter_ac.errors import AcError

if TYPE_CHECKING:
    from pathlib import Path

    from jupyter_ac.hosts.kernel.panel import Panel

MAGIC: Final = "ac"


@magics_class
class AcMagics(Magics):
    """The magic and the panels that it has shown, one for each folder."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self._panels: dict[Path, Panel] = {}

    @line_magic
    def ac(self, line: str) -> None:
        """Show the chat panel: `%ac`, or `%ac DIR` for the git repository that holds DIR.

        Running it again shows the same conversation.
        """
        from jupyter_ac.hosts.kernel.panel import Panel, resolve_folder  # noqa: PLC0415 - anywidget

        if getattr(self.shell, "kernel", None) is None:
            raise UsageError(
                "%ac shows its panel in a notebook: start JupyterLab and run it in a cell there."
            )
        try:
            folder = resolve_folder(_one_folder(line))
            panel = self._panels.get(folder)
            if panel is None or panel.comm is None:
                panel = self._panels[folder] = Panel(folder)
        except AcError as error:
            raise UsageError(str(error)) from error
        display(panel)


def load(shell: InteractiveShell) -> None:
    """Register the magic; a second time does nothing."""
    if MAGIC not in shell.magics_manager.magics["line"]:
        shell.register_magics(AcMagics)


def unload(shell: InteractiveShell) -> None:
    """Take the magic away; never loaded is fine."""
    shell.magics_manager.magics["line"].pop(MAGIC, None)
    shell.magics_manager.registry.pop(AcMagics.__name__, None)


def _one_folder(line: str) -> str:
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"%ac: {error}; put quotes around the whole folder name") from error
    if len(words) > 1:
        raise UsageError("%ac takes one folder at most; put quotes around a name with blanks.")
    return words[0] if words else "."
