from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from jupyter_ac.agent.tool import Arguments, Question, Right, Tool, ToolContext, ToolDefinition
from jupyter_ac.agent.tool_approvals import Decision, ToolApprovals
from jupyter_ac.agent.toolbox import Toolbox
from jupyter_ac.agent.tools.arguments import parameters
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.hosts.composition import Composition
from jupyter_ac.hosts.mcp.edit_checkpoints import EditCheckpoints
from jupyter_ac.hosts.mcp.running_call import EDITING, ToolCalls
from jupyter_ac.ids import ConversationKey, Identity
from tests.hosts.mcp.edited_garden import garden, restorer_of
from tests.hosts.test_composition import composed
from tests.support.repositories import RepositoryFolder


class WritingTool:
    """Writes a file, after a question."""

    def __init__(self, folder: RepositoryFolder, name: str) -> None:
        self.definition = ToolDefinition(name, "Write.", parameters(()), Right.EXECUTE)
        self._folder = folder

    def title(self, _arguments: Arguments) -> str:
        return "write"

    async def question(self, _arguments: Arguments, _context: ToolContext) -> Question | None:
        return Question("write new.txt")

    async def run(self, _arguments: Arguments, _context: ToolContext) -> ToolResult:
        self._folder.write("new.txt", "new\n")
        return ToolResult("written")


async def calls_of(
    made: Composition, tools: Sequence[Tool], checkpoints: EditCheckpoints
) -> ToolCalls:
    async def count(_text: str) -> int:
        return 0

    rules = replace(
        made.agent.rules,
        toolbox=Toolbox(tools, ()),
        approvals=ToolApprovals(lambda: True),
        count_tokens=count,
    )
    conversation = await made.book.open(ConversationKey(Identity("ada"), "mcp-1"))
    return ToolCalls(conversation, rules, checkpoints)


async def test_a_call_asks_and_runs_once_allowed_and_edits_can_be_undone(tmp_path: Path) -> None:
    folder = garden(tmp_path)
    async with composed(folder.root, tmp_path / "cache") as made:
        checkpoints = EditCheckpoints(restorer_of(made))
        calls = await calls_of(made, [WritingTool(folder, EDITING)], checkpoints)
        call = calls.begin(EDITING, "{}")
        row = await call.next()
        assert not isinstance(row, ToolResult)
        assert row["question"] is not None
        assert row["question"]["text"] == "write new.txt"
        assert not (folder.root / "new.txt").exists()
        call.answer(Decision(allow=True, scope="session"))
        assert await call.next() == ToolResult("written")
        assert (await checkpoints.undo(call.call_id)).restored == ("new.txt",)
        # For the session it was allowed, so nothing is asked.
        assert await calls.begin(EDITING, "{}").next() == ToolResult("written")


async def test_a_refusal_and_an_end_change_nothing(tmp_path: Path) -> None:
    folder = garden(tmp_path)
    async with composed(folder.root, tmp_path / "cache") as made:
        checkpoints = EditCheckpoints(restorer_of(made))
        calls = await calls_of(made, [WritingTool(folder, "write")], checkpoints)
        refused = calls.begin("write", "{}")
        await refused.next()
        refused.answer(Decision(allow=False, text="no"))
        result = await refused.next()
        assert isinstance(result, ToolResult)
        assert result.is_error
        assert "refused it. They say: no" in result.text
        cancelled = calls.begin("write", "{}")
        await cancelled.next()
        await cancelled.cancel()
        await cancelled.cancel()
        assert not (folder.root / "new.txt").exists()


async def test_unknown_tools_and_broken_arguments_are_results(tmp_path: Path) -> None:
    folder = garden(tmp_path)
    async with composed(folder.root, tmp_path / "cache") as made:
        checkpoints = EditCheckpoints(restorer_of(made))
        calls = await calls_of(made, [WritingTool(folder, "write")], checkpoints)
        for name, arguments in (("nope", "{}"), ("write", "["), ("write", '{"x": 1}')):
            result = await calls.begin(name, arguments).next()
            assert isinstance(result, ToolResult)
            assert result.is_error
