"""The tools `read_cell` and `list_variables`: cells with outputs, and the variables of kernels."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from jupyter_ac.agent.tool import Arguments, Question, Right, ToolContext, ToolDefinition
from jupyter_ac.agent.tools.arguments import TEXT, described, parameters, text_in
from jupyter_ac.agent.tools.asked_calls import AskedCalls
from jupyter_ac.agent.tools.checked_files import CheckedFile, CheckedFiles
from jupyter_ac.agent.tools.result_text import (
    MAX_CHARS,
    OF_CELL,
    OF_PROGRAM,
    ResultMasker,
    bounded,
    one_line,
)
from jupyter_ac.agent.tools.unasked_tool import UnaskedTool
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.last_value_name import last_value_name
from jupyter_ac.chat.prompt.blocks import shown_path, wellformed
from jupyter_ac.chat.secret_names import is_secret_value_name
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.errors import AccessDenied, InvalidParams, NotFound
from jupyter_ac.ids import RepoPath
from jupyter_ac.inspection.variables import VariableList, VariableRow
from jupyter_ac.notebook.cell_selection import (
    POSITION,
    WHOLE,
    NotebookView,
    cell_names,
    excluded_positions,
)
from jupyter_ac.notebook.cells import Notebook
from jupyter_ac.notebook.editing import is_notebook
from jupyter_ac.notebook.output_text import output_text
from jupyter_ac.notebook.percent import bounded_notebook, cell_texts

MAX_VARIABLES: Final = 300
"""Variables of a list."""

VariableLister: TypeAlias = Callable[[Conversation, str], Awaitable[VariableList]]
"""Lists the variables of the kernel of a notebook, of the only one for ""; raises `AcError`."""

_LEFT_OUT: Final = "The user has left this cell out of what models are sent."
CELL: Final = described(TEXT, "its id, or its number from 1")
_REST_OF_LIST: Final = "run_cell can print single values"
_TOO_LONG: Final = "the rest is too long to be read"


@dataclass(frozen=True, slots=True)
class NotebookSource:
    """A notebook that was read.

    Attributes:
        checked: the file.
        notebook: its cells.
        view: what models may be sent of it.
    """

    checked: CheckedFile
    notebook: Notebook
    view: NotebookView

    def position(self, cell: str) -> int:
        """Return the position of a cell, from 0.

        Args:
            cell: its id, `cell=N` or its number from 1.

        Raises:
            NotFound: there is none.
            AccessDenied: the user has left it out.
        """
        names = cell_names(self.notebook)
        name = f"{POSITION}={cell}" if cell.isdecimal() and cell not in names else cell
        if name in names:
            place = names.index(name)
        elif cell.isdecimal() and 1 <= int(cell[:9]) <= len(names):
            place = int(cell[:9]) - 1
        else:
            raise NotFound(
                f"The notebook has no cell {one_line(cell, 80)!r}; it has {len(names)} cells, "
                "and read_file shows their ids."
            )
        if place in excluded_positions(self.notebook, self.view):
            raise AccessDenied(_LEFT_OUT)
        return place


class NotebookSources:
    """Reads notebooks with the outputs of a cell: in a page where they are open, else the file.

    Args:
        checked: finds files.
        files: reads them.
    """

    def __init__(self, checked: CheckedFiles, files: RepositoryFiles) -> None:
        self._checked = checked
        self._files = files

    async def read(self, conversation: Conversation, path: str, cell: str = "") -> NotebookSource:
        """Read a notebook.

        Args:
            conversation: of the person.
            path: of the file.
            cell: the one that is wanted with its outputs.

        Raises:
            AcError: there is no such notebook, or it can't be read.
        """
        checked, _ = await self._checked.look(conversation, path)
        if not is_notebook(checked.path):
            raise InvalidParams(f"{_shown(checked.path)} is no notebook; read_file reads it.")
        opened = await self._checked.opened(conversation, checked.path, [cell] if cell else [])
        found = opened.get(checked.path)
        file = await self._files.notebook_text(checked.path) if found is None else found.file
        notebook = await asyncio.to_thread(bounded_notebook, file)
        view = conversation.notebook_views.get(checked.path, WHOLE)
        return NotebookSource(checked, notebook, view)


class ReadCellTool:
    """Reads a cell with its outputs.

    Args:
        notebooks: reads notebooks.
        masker: masks secrets.
    """

    definition = ToolDefinition(
        "read_cell",
        "Read a cell of a notebook with its outputs, as text.",
        parameters(("path", "cell"), path=TEXT, cell=CELL),
        Right.READ,
    )

    def __init__(self, notebooks: NotebookSources, masker: ResultMasker) -> None:
        self._notebooks = notebooks
        self._masker = masker
        self._asked: AskedCalls[CheckedFile] = AskedCalls()

    def title(self, arguments: Arguments) -> str:
        """Return the notebook and the cell."""
        path, cell = (text_in(arguments, name, "") for name in ("path", "cell"))
        return one_line(f"{shown_path(path)} {cell}")

    async def question(self, arguments: Arguments, context: ToolContext) -> Question | None:
        """Ask before anything of a notebook is sent that git ignores or that has a secret.

        Raises:
            AcError: there is no such cell, or it can't be read.
        """
        path, cell = text_in(arguments, "path"), text_in(arguments, "cell")
        source = await self._notebooks.read(context.conversation, path)
        source.position(cell)
        if not source.checked.reason:
            return None
        self._asked.keep(context, source.checked)
        return Question(_shown(source.checked.path), why=source.checked.reason)

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return the notebook's path and the cell's text, its outputs as comments.

        Raises:
            AcError: there is no such cell, or the user wasn't asked about what it is now.
        """
        conversation, cell = context.conversation, text_in(arguments, "cell")
        source = await self._notebooks.read(conversation, text_in(arguments, "path"))
        if source.checked.reason:
            self._asked.require(context, source.checked)
        name = cell_names(source.notebook)[source.position(cell)]
        source = await self._notebooks.read(conversation, source.checked.path, name)
        place = source.position(name)
        text = await asyncio.to_thread(lambda: cell_texts(source.notebook)[place])
        found = source.notebook.cells[place]
        outputs = await asyncio.to_thread(output_text, found.outputs)
        masked = await self._masker.masked(conversation, bounded(text, _TOO_LONG, MAX_CHARS // 2))
        if outputs:
            said = bounded(outputs, _TOO_LONG, MAX_CHARS // 2)
            value = last_value_name(found.source)
            masked += f"Output:\n{await self._masker.masked(conversation, said, value)}"
        return ToolResult(f"{OF_CELL}\n{_shown(source.checked.path)}\n{masked}")


class ListVariablesTool(UnaskedTool):
    """Lists the variables of a kernel.

    Args:
        variables: asks the kernel.
        masker: masks secrets.
    """

    definition = ToolDefinition(
        "list_variables",
        "List the variables of a notebook's kernel: type, shape, the beginning of the value.",
        parameters((), notebook=described(TEXT, "path; not needed where one kernel runs")),
        Right.READ,
    )

    def __init__(self, variables: VariableLister, masker: ResultMasker) -> None:
        self._variables = variables
        self._masker = masker

    def title(self, arguments: Arguments) -> str:
        """Return the notebook's path."""
        return one_line(shown_path(text_in(arguments, "notebook", ""))) or "the kernel"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return a line for each variable.

        Raises:
            AcError: the kernel can't be asked.
        """
        notebook = text_in(arguments, "notebook", "")
        found = await self._variables(context.conversation, notebook)
        rows = [row for row in found["variables"] if row["kind"] != "module"]
        lines = [_variable(row) for row in rows[:MAX_VARIABLES]]
        if left_out := len(rows) - len(lines) + found["left_out"]:
            lines.append(f"[cut: {left_out:,} more variables; {_REST_OF_LIST}]")
        text = "\n".join([OF_PROGRAM, *lines]) if lines else "There are no variables."
        masked = await self._masker.masked(context.conversation, text)
        return ToolResult(bounded(masked, _REST_OF_LIST))


def _variable(row: VariableRow) -> str:
    """Return a variable on one line; the value of one whose name is a secret's stays away."""
    shape = f"shape {'x'.join(map(str, row['shape']))}" if row["shape"] is not None else ""
    length = f"length {row['length']}" if row["length"] is not None and not shape else ""
    about = " ".join(filter(None, (row["type"], shape, length, row["dtype"])))
    is_secret = is_secret_value_name(row["name"])
    value = "[masked: the name is a secret's]" if is_secret else one_line(row["line"])
    return f"{one_line(row['name'])}: {about}" + (f" = {value}" if value else "")


def _shown(path: RepoPath) -> str:
    return wellformed(shown_path(path))
