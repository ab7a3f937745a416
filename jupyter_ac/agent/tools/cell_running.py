"""The tool `run_cell`: runs code in the kernel of a notebook, after approval of the exact code."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, TypeAlias

from jupyter_ac.agent.tool import Arguments, Question, Right, ToolContext, ToolDefinition
from jupyter_ac.agent.tools.arguments import COUNT, TEXT, described, number_in, parameters, text_in
from jupyter_ac.agent.tools.asked_calls import AskedCalls
from jupyter_ac.agent.tools.notebook import CELL, NotebookSources
from jupyter_ac.agent.tools.result_text import (
    MASKED_CHARS,
    OF_PROGRAM,
    ResultMasker,
    one_line,
    without_middle,
)
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.last_value_name import last_value_name
from jupyter_ac.chat.prompt.blocks import shown_path
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.errors import AccessDenied, AcError, InvalidParams
from jupyter_ac.execution.approvals import code_bytes
from jupyter_ac.execution.cell_runner import OFF, CellRunner
from jupyter_ac.execution.cell_runs import (
    DEFAULT_LIMIT_S,
    MOST_LIMIT_S,
    CellRequest,
    CellRun,
    RunState,
)
from jupyter_ac.execution.outputs import CellOutput, OutputKind
from jupyter_ac.ids import Identity

INTERRUPT_S: Final = 1.0
"""How long a call that is stopped waits until its cell is interrupted."""

KernelFinder: TypeAlias = Callable[[Conversation, str], Awaitable[str]]
"""Returns the id of the kernel of a notebook; raises `AcError` when it has none that runs."""

_UNCONFINED: Final = "It runs in your kernel, with all that you may do: there is no sandbox."
_REMEDY: Final = "print less, or a part"


class ApprovedCells:
    """Runs cells that the user has approved in the question of a tool call.

    Args:
        runner: runs cells.
        kernel_of: finds the kernels of notebooks.
        is_on: returns whether the setting `kernel.run_cells` is true.
    """

    def __init__(
        self, runner: CellRunner, kernel_of: KernelFinder, is_on: Callable[[], bool]
    ) -> None:
        self._runner = runner
        self._kernel_of = kernel_of
        self._is_on = is_on

    async def request(
        self, conversation: Conversation, notebook: str, code: str, limit_s: float
    ) -> CellRequest:
        """Return the request for a cell; nothing is run.

        Raises:
            AccessDenied: the setting is off.
            AcError: the notebook has no kernel, or the code is none.
        """
        if not self._is_on():
            raise AccessDenied(OFF)
        code_bytes(code)  # what the user is shown must be what runs
        kernel_id = await self._kernel_of(conversation, notebook)
        return CellRequest(notebook, kernel_id, code, limit_s)

    async def run(self, request: CellRequest, identity: Identity) -> CellRun:
        """Run a cell that the person has approved, and wait for its end.

        When this is cancelled, the cell is interrupted.

        Raises:
            AcError: it can't be run.
        """
        run_id = self._runner.request(request, identity).run_id
        try:
            await self._runner.approve(run_id, identity)
        except BaseException:
            with suppress(AcError):
                await self._runner.refuse(run_id, identity)
            raise
        try:
            return await self._runner.ended(run_id, identity)
        except asyncio.CancelledError:
            with suppress(AcError, TimeoutError):
                async with asyncio.timeout(INTERRUPT_S):
                    await self._runner.interrupt(run_id, identity)
            raise


class RunCellTool:
    """Runs code in a notebook's kernel.

    Args:
        notebooks: reads the cells of notebooks.
        cells: runs them.
        masker: masks secrets.
    """

    definition = ToolDefinition(
        "run_cell",
        "Run code, or a cell as it is, in the kernel of a notebook, and return the output.",
        parameters(
            ("notebook",),
            notebook=described(TEXT, "path"),
            code=TEXT,
            cell=CELL,
            timeout_s={**COUNT, "maximum": int(MOST_LIMIT_S)},
        ),
        Right.EXECUTE,
    )

    def __init__(
        self, notebooks: NotebookSources, cells: ApprovedCells, masker: ResultMasker
    ) -> None:
        self._notebooks = notebooks
        self._cells = cells
        self._masker = masker
        self._asked: AskedCalls[CellRequest] = AskedCalls()

    def title(self, arguments: Arguments) -> str:
        """Return the code, or the cell, and the notebook."""
        names = ("code", "cell", "notebook")
        code, cell, notebook = (text_in(arguments, name, "") for name in names)
        return one_line(f"{shown_path(notebook)}: {code or cell}")

    async def question(self, arguments: Arguments, context: ToolContext) -> Question | None:
        """Ask with the exact code.

        Raises:
            AcError: it can't be run: the setting is off, there is no kernel, no such cell.
        """
        request = await self._request(arguments, context.conversation)
        self._asked.keep(context, request)
        why = f"Runs in the kernel of {one_line(shown_path(request.notebook))}."
        return Question(request.code, why=why, warning=_UNCONFINED)

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Run the code and return what it has put out.

        Raises:
            AcError: it can't be run, or the user wasn't asked about this code.
        """
        conversation = context.conversation
        request = await self._request(arguments, conversation)
        self._asked.require(context, request)
        run = await self._cells.run(request, conversation.conversation_key.identity)
        outputs = "\n".join(map(_output, run.outputs))
        text = without_middle(outputs, _REMEDY, MASKED_CHARS // 2)
        value = last_value_name(request.code)
        masked = await self._masker.masked(conversation, text, value)
        how = f"The cell ended: {run.state.value}. {run.reason}".strip()
        left_out = (
            f"\n[{run.left_out:,} characters or images were too much]" if run.left_out else ""
        )
        result = f"{OF_PROGRAM}\n{how}\n{without_middle(masked, _REMEDY)}{left_out}"
        return ToolResult(result, is_error=run.state is not RunState.OK)

    async def _request(self, arguments: Arguments, conversation: Conversation) -> CellRequest:
        path, cell = text_in(arguments, "notebook"), text_in(arguments, "cell", "")
        source = await self._notebooks.read(conversation, path)
        code = text_in(arguments, "code", "")
        if cell and not code:
            found = source.notebook.cells[source.position(cell)]
            if found.kind != "code":
                raise InvalidParams(f"Cell {one_line(cell, 80)!r} is no code.")
            code = found.source
        limit_s = float(number_in(arguments, "timeout_s", int(DEFAULT_LIMIT_S)))
        return await self._cells.request(conversation, source.checked.path, code, limit_s)


def _output(output: CellOutput) -> str:
    if output.kind is OutputKind.IMAGE:
        return f"({output.mime_type}, {len(output.data):,} bytes)"
    return output.text
