import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from jupyter_ac.agent.call_execution import MAX_SHOWN, CallExecution
from jupyter_ac.agent.limits import RunBudget, RunLimits
from jupyter_ac.agent.tool import Question, Right
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.errors import NotReady
from jupyter_ac.ids import ConversationKey, RepoPath
from jupyter_ac.tool_rows import AgentMode, ToolCallRow
from tests.agent.runs import LIMITS, REQUEST, MadeUpTool, RunWorld, call, run_world
from tests.chat.memory import ADA

ASKS = Question("touch x", argv=("touch", "x"), is_sandboxed=True)


class Execution:
    """The calls of a run, with what was told of them."""

    def __init__(
        self, world: RunWorld, mode: AgentMode = "agent", limits: RunLimits = LIMITS
    ) -> None:
        self.rows: list[ToolCallRow] = []
        self.acted = 0
        self.budget = RunBudget(limits)
        self._execution = CallExecution(
            world.request(mode),
            world.rules,
            self.budget,
            self._acting,
            lambda path: f"hash of {path}",
            self.rows.append,
        )

    async def run(self, name: str = "look", arguments: str = "{}") -> ToolResult:
        return await self._execution.run(call(name, arguments), "c1", 1)

    def statuses(self) -> list[str]:
        return [row["status"] for row in self.rows]

    async def _acting(self, work: Callable[[], Awaitable[ToolResult]]) -> ToolResult:
        self.acted += 1
        return await work()


async def test_a_call_that_only_reads_runs_by_itself(tmp_path: Path) -> None:
    tool = MadeUpTool(results=[ToolResult("x" * (MAX_SHOWN + 5))])
    execution = Execution(await run_world(tmp_path, tool))
    assert (await execution.run(arguments='{"path": "a.txt"}')).text == "x" * (MAX_SHOWN + 5)
    assert (execution.statuses(), execution.acted) == (["running", "done"], 0)
    row = execution.rows[-1]
    assert (row["tool"], row["title"], row["step"], row["reason"]) == ("look", "a.txt", 1, "")
    assert (row["tokens"], len(row["result"]), row["left_out"]) == (MAX_SHOWN + 5, MAX_SHOWN, 5)
    assert row["duration_ms"] is not None
    assert row["started_at"].endswith("Z")
    (context,) = tool.contexts
    assert (context.request_id, context.call_id, context.answer) == (REQUEST, "c1", "")
    assert context.seen(RepoPath("a")) == "hash of a"


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("rm_rf", "{}", "There is no tool 'rm_rf'"),
        ("look", "{", "aren't valid JSON"),
        ("look", '{"path": 7}', "must be string"),
        ("look", '{"path": "a", "path": "b"}', "is there twice"),
    ],
)
async def test_a_call_that_can_not_be_made_is_an_error_for_the_model(
    tmp_path: Path, name: str, arguments: str, said: str
) -> None:
    execution = Execution(await run_world(tmp_path, MadeUpTool()))
    result = await execution.run(name, arguments)
    assert result.is_error
    assert said in result.text
    assert execution.statuses() == ["failed"]
    assert said in execution.rows[0]["reason"]


async def test_what_a_tool_raises_is_an_error_for_the_model(tmp_path: Path) -> None:
    tool = MadeUpTool(error=NotReady("The index isn't ready."))
    execution = Execution(await run_world(tmp_path, tool))
    assert await execution.run() == ToolResult("The index isn't ready.", is_error=True)
    tool.error = ZeroDivisionError("sk-secret")
    result = await execution.run()
    assert result.is_error
    assert "sk-secret" not in result.text
    assert execution.statuses() == ["running", "failed"] * 2


async def test_a_mode_refuses_before_anybody_is_asked(tmp_path: Path) -> None:
    tool = MadeUpTool("act", Right.EXECUTE, asks=ASKS)
    execution = Execution(await run_world(tmp_path, tool), "plan")
    result = await execution.run("act")
    assert (result.is_error, tool.contexts) == (True, [])
    assert execution.statuses() == ["refused"]


async def test_the_user_is_asked_with_the_exact_text_and_allows(tmp_path: Path) -> None:
    tool = MadeUpTool("act", Right.EXECUTE, asks=ASKS)
    world = await run_world(tmp_path, tool)
    execution = Execution(world)
    running = asyncio.create_task(execution.run("act"))
    assert await world.decide(allow=True) == "touch x"
    assert not (await running).is_error
    assert (execution.statuses(), execution.acted) == (["waiting", "running", "done"], 1)
    questions = [row["question"] for row in execution.rows]
    assert all(asked is not None and asked["text"] == "touch x" for asked in questions)


async def test_what_the_user_refuses_does_not_run_and_the_model_is_told_why(
    tmp_path: Path,
) -> None:
    tool = MadeUpTool("act", Right.EXECUTE, asks=ASKS)
    world = await run_world(tmp_path, tool)
    execution = Execution(world)
    running = asyncio.create_task(execution.run("act"))
    await world.decide(allow=False, text="use make")
    result = await running
    assert result == ToolResult("The user has refused it. They say: use make", is_error=True)
    assert (execution.statuses(), tool.contexts) == (["waiting", "refused"], [])


async def test_without_anybody_to_ask_it_is_refused(tmp_path: Path) -> None:
    tool = MadeUpTool("act", Right.EXECUTE, asks=ASKS)
    world = await run_world(tmp_path, tool)
    world.is_watched = False
    result = await Execution(world).run("act")
    assert "no panel or terminal is connected" in result.text
    assert tool.contexts == []


@pytest.mark.parametrize(("is_sandboxed", "asks"), [(True, 0), (False, 1)])
async def test_in_the_sandbox_runs_by_itself_what_the_sandbox_holds(
    tmp_path: Path, *, is_sandboxed: bool, asks: int
) -> None:
    question = Question("touch x", argv=("touch", "x"), is_sandboxed=is_sandboxed)
    world = await run_world(tmp_path, MadeUpTool("act", Right.EXECUTE, asks=question))
    world.is_watched = False
    execution = Execution(world, "sandbox")
    assert (await execution.run("act")).is_error == bool(asks)
    assert execution.statuses().count("waiting") == asks


async def test_what_is_allowed_for_the_session_is_not_asked_again(tmp_path: Path) -> None:
    world = await run_world(tmp_path, MadeUpTool("act", Right.EXECUTE, asks=ASKS))
    session_id = world.conversation.session.session_id
    await world.grants.grant("session", ASKS, session_id, "act")
    execution = Execution(world)
    assert not (await execution.run("act")).is_error
    assert execution.statuses() == ["running", "done"]
    world.conversation = Conversation(ConversationKey(ADA))
    world.is_watched = False
    assert (await Execution(world).run("act")).is_error


async def test_a_call_that_is_stopped_is_told_as_that(tmp_path: Path) -> None:
    tool = MadeUpTool(held=asyncio.Event())
    execution = Execution(await run_world(tmp_path, tool))
    running = asyncio.create_task(execution.run())
    async with asyncio.timeout(60):
        while not tool.contexts:
            await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert execution.statuses() == ["running", "cancelled"]


async def test_a_question_that_is_stopped_waits_no_longer(tmp_path: Path) -> None:
    world = await run_world(tmp_path, MadeUpTool("act", Right.EXECUTE, asks=ASKS))
    execution = Execution(world)
    running = asyncio.create_task(execution.run("act"))
    async with asyncio.timeout(60):
        while not world.approvals.pending(ADA):
            await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert world.approvals.pending(ADA) == []
    assert execution.statuses() == ["waiting", "cancelled"]


async def test_a_tool_ends_with_the_time_of_its_run(tmp_path: Path) -> None:
    tool = MadeUpTool(held=asyncio.Event())
    execution = Execution(await run_world(tmp_path, tool), limits=RunLimits(25, 1000, 1.0, 0))
    result = await execution.run()
    assert result.is_error
    assert "time was over" in result.text
    assert execution.statuses() == ["running", "failed"]
