"""Cells run by the real runner, in a kernel that ends them when it is told to."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.agent.tool import Right
from jupyter_ac.agent.tools.cell_running import ApprovedCells, RunCellTool
from jupyter_ac.agent.tools.notebook import NotebookSources
from jupyter_ac.agent.tools.result_text import OF_PROGRAM, ResultMasker
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.errors import AccessDenied, AcError, Conflict, InvalidParams, NotReady, Unsupported
from jupyter_ac.execution.cell_runs import RunState
from jupyter_ac.execution.run_journal import FILE
from tests.agent.tools.calls import ADA, KEY, Caller, checked, folder_of, opened
from tests.agent.tools.test_notebook import PATH, notebook
from tests.support.cells import Kernel, runner_in
from tests.support.exclusions import none_excluded

LIMIT_S = 90.0


class World:
    """The tool, its kernel and its caller."""

    def __init__(self) -> None:
        self.kernel = Kernel()
        self.caller = Caller()
        self.is_on = True
        self.has_kernel = True
        self.states: list[RunState] = []
        self.tool: RunCellTool

    async def kernel_of(self, _conversation: Conversation, path: str) -> str:
        if not self.has_kernel:
            raise NotReady("The notebook has no kernel; start one.")
        assert path == PATH
        return "k1"

    async def run(self, state: RunState, **arguments: object) -> ToolResult:
        """Run a cell that ends like this."""
        calling = asyncio.create_task(self.caller.allowed(self.tool, notebook=PATH, **arguments))
        ending = asyncio.create_task(self.kernel.end(state))
        async with asyncio.timeout(LIMIT_S):
            result = await calling
            await ending
        return result


@asynccontextmanager
async def world_in(tmp_path: Path) -> AsyncIterator[World]:
    cells = notebook(("x = 1", ""), (f"print('{KEY}')", ""))
    folder = folder_of(tmp_path, {PATH: cells.replace(KEY, "word")})
    repository = await opened(folder)
    world = World()
    (tmp_path / "state").mkdir()
    runner = runner_in(
        tmp_path / "state",
        world.kernel,
        is_on=lambda: world.is_on,
        publish=lambda run: world.states.append(run.state),
    )
    sources = NotebookSources(
        checked(repository), RepositoryFiles(repository, excluded=none_excluded)
    )
    approved = ApprovedCells(runner, world.kernel_of, lambda: world.is_on)
    world.tool = RunCellTool(sources, approved, ResultMasker({}))
    try:
        yield world
    finally:
        await runner.aclose()


async def test_the_exact_code_is_asked_for_and_run(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        code = "x = 2\nprint(x)  \n"
        question = await world.caller.question(world.tool, notebook=PATH, code=code)
        assert question is not None
        assert question.text == code
        assert question.why == "Runs in the kernel of n.ipynb."
        assert question.warning
        assert not question.is_sandboxed
        assert world.tool.definition.right is Right.EXECUTE
        result = await world.run(RunState.OK, code=code)
        assert result.text == f"{OF_PROGRAM}\nThe cell ended: ok.\nof {code}"
        assert not result.is_error
        assert [run.request.code for run in world.kernel.executed] == [code]
        assert world.kernel.executed[0].approved_by == ADA
        assert world.states == [RunState.WAITING, RunState.RUNNING, RunState.OK]


async def test_a_cell_of_the_notebook_is_run_as_it_is(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        await world.run(RunState.OK, cell="c1")
        assert world.kernel.executed[0].request.code == "x = 1"
        assert world.tool.title({"notebook": PATH, "cell": "c1"}) == "n.ipynb: c1"


async def test_secrets_in_outputs_are_masked(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        result = await world.run(RunState.OK, code=f"print('{KEY}')")
        assert KEY not in result.text


async def test_a_cell_that_fails_is_an_error_with_its_output(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        result = await world.run(RunState.ERROR, code="1/0", timeout_s=5)
        assert result.is_error
        assert "The cell ended: error." in result.text
        assert "of 1/0" in result.text
        assert world.kernel.executed[0].request.time_limit_s == 5


async def test_a_call_that_is_stopped_interrupts_its_cell(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        calling = asyncio.create_task(world.caller.allowed(world.tool, notebook=PATH, code="x"))
        async with asyncio.timeout(LIMIT_S):
            await world.kernel.came.wait()
            calling.cancel()
            with pytest.raises(asyncio.CancelledError):
                await calling
        assert [run.request.code for run in world.kernel.interrupted] == ["x"]


async def test_nothing_runs_without_the_setting_a_kernel_or_a_question(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        with pytest.raises(Conflict):
            await world.caller.unasked(world.tool, notebook=PATH, code="x")
        context = world.caller.context()
        await world.tool.question({"notebook": PATH, "code": "x"}, context)
        with pytest.raises(Conflict):
            await world.tool.run({"notebook": PATH, "code": "y"}, context)
        world.has_kernel = False
        with pytest.raises(NotReady, match="no kernel"):
            await world.caller.question(world.tool, notebook=PATH, code="x")
        world.is_on = False
        with pytest.raises(AccessDenied, match=r"kernel\.run_cells"):
            await world.caller.question(world.tool, notebook=PATH, code="x")
        assert world.kernel.executed == []


async def test_a_refused_or_unwritten_run_leaves_no_request_behind(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        world.kernel.reason = "Nothing can be run here."
        with pytest.raises(Unsupported):
            await world.caller.allowed(world.tool, notebook=PATH, code="x")
        world.kernel.reason = ""
        (tmp_path / "state" / FILE).symlink_to("elsewhere")
        with pytest.raises(AcError):
            await world.caller.allowed(world.tool, notebook=PATH, code="x")
        assert world.states == [RunState.WAITING, RunState.REFUSED]


@pytest.mark.parametrize("arguments", [{}, {"code": "  "}, {"code": "x = '\ud83d'"}])
async def test_without_code(tmp_path: Path, arguments: dict[str, object]) -> None:
    async with world_in(tmp_path) as world:
        with pytest.raises(InvalidParams, match="code"):
            await world.caller.question(world.tool, notebook=PATH, **arguments)
