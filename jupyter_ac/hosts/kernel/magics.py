"""`%load_ext jupyter_ac`: registers magics, a comm target and a matcher; loads nothing else.

What they need is imported by their first use, so that loading the extension at the top of every
notebook costs next to nothing.
"""

import shlex
import sys
from typing import TYPE_CHECKING, Final

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, line_magic, magics_class
from IPython.display import display

from jupyter_ac.errors import AcError
from jupyter_ac.hosts.kernel.live.comm_target import CommTarget
from jupyter_ac.hosts.kernel.mentions.matcher import MentionMatcher
from jupyter_ac.hosts.kernel.notebook_cells import NotebookCells
from jupyter_ac.terminal import terminal_text

if TYPE_CHECKING:
    from pathlib import Path

    from jupyter_ac.hosts.kernel.cell_commands import CellCommands
    from jupyter_ac.hosts.kernel.panel import Panel

MAGIC: Final = "ac"
LINE_MAGICS: Final = ("ac_fix", "ac_explain", "ac_status")

RESET: Final = "reset"
BROWSER: Final = "browser"
"""Arguments of `%ac` that are no folders; a folder of this name is `./reset`."""


@magics_class
class AcMagics(Magics):
    """The magic, the panels that it has shown, one for each folder, and the cells' questions."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self._panels: dict[Path, Panel] = {}
        self._commands: CellCommands | None = None
        self._noted_cells = NotebookCells(shell)
        self._noted_cells.register()
        self._target = CommTarget(shell, self._noted_cells)
        self._target.register()
        self._matcher = MentionMatcher(shell)
        self._matcher.register()

    @line_cell_magic
    def ac(self, line: str, cell: str | None = None) -> None:
        """Show the chat panel, or ask what a cell says.

        `%ac`, or `%ac DIR`, shows the panel for the git repository that holds DIR, or the kernel's
        folder. Running it again shows the same conversation. `%ac reset` begins a new conversation
        for the kernel's cells. `%ac browser` lists pages of browsers; `%ac browser launch ADDRESS`
        opens one and watches it; `console`, `network`, `js CODE`, `screenshot` and others follow.

        `%%ac [--model M] [-f FILE]... [-o VAR] [--cell] [--agent]` asks the text below. The answer
        streams into the output. FILE, as often as needed, is sent with the question; so is what the
        text mentions: `@var:NAME`, `@cell`, `@cell:N`, `@output`, `@output:N`, `@error`,
        `@file:PATH`. VAR gets the answer's text; M answers instead of the chosen model; `--cell`
        puts the answer's code into a new cell. With `--agent` the model reads files, edits and runs
        commands, and asks here before it runs anything; with `--plan` it only reads. Cells of one
        kernel are one conversation.
        """
        if cell is not None:
            self._cells().ask(line, cell)
        elif line.strip() == RESET:
            sys.stdout.write(f"{self._cells().reset()}\n")
        elif line.split()[:1] == [BROWSER]:
            self._cells().browser(line.strip().removeprefix(BROWSER))
        else:
            self._show_panel(line)

    @line_magic
    def ac_fix(self, line: str) -> None:
        """Propose a corrected cell for the last error, or for the cell above.

        `%ac_fix [INSTRUCTION]`: shows the difference, with buttons that replace the cell where the
        page has our extension. Elsewhere the proposal becomes a new cell, and a console asks. It
        is never run without a click.
        """
        self._cells().fix(line)

    @line_magic
    def ac_explain(self, line: str) -> None:
        """Explain the last error, or what the cell above does."""
        if line.strip():
            raise UsageError("%ac_explain takes nothing; ask further questions with %%ac.")
        self._cells().explain()

    @line_magic
    def ac_status(self, line: str) -> None:
        """Print which repository, model, host and conversation answer this kernel's cells."""
        if line.strip():
            raise UsageError("%ac_status takes nothing.")
        sys.stdout.write(f"{self._cells().status()}\n")

    def _show_panel(self, line: str) -> None:
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
            raise UsageError(terminal_text(str(error))) from error
        display(panel)

    def close(self) -> None:
        """End what answered here; new processes read the environment again."""
        self._target.unregister()
        self._noted_cells.unregister()
        self._matcher.unregister()
        if self._commands or self._panels:
            self._cells().close()

    def _cells(self) -> "CellCommands":
        from jupyter_ac.hosts.kernel.cell_commands import CellCommands  # noqa: PLC0415 - the RPC peer

        if self.shell is None:
            raise UsageError("%%ac works in IPython only.")
        if self._commands is None:
            self._commands = CellCommands(self.shell, self._noted_cells)
        return self._commands


def load(shell: InteractiveShell) -> None:
    """Register the magics; a second time does nothing."""
    if MAGIC not in shell.magics_manager.magics["line"]:
        shell.register_magics(AcMagics)


def unload(shell: InteractiveShell) -> None:
    """Remove the magics and end their processes; does nothing if it was never loaded."""
    for kind in ("line", "cell"):
        for name in (MAGIC, *LINE_MAGICS):
            shell.magics_manager.magics[kind].pop(name, None)
    magics = shell.magics_manager.registry.pop(AcMagics.__name__, None)
    if isinstance(magics, AcMagics):
        magics.close()


def _one_folder(line: str) -> str:
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"%ac: {error}; put quotes around the whole folder name") from error
    if any(word.startswith("-") for word in words):
        raise UsageError(
            "%ac takes a folder, no options; %%ac takes some, with a question on the lines below."
        )
    if len(words) > 1:
        raise UsageError("%ac takes one folder at most; put quotes around a name with blanks.")
    return words[0] if words else "."
