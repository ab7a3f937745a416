from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.agent.mcp_servers.pin_store import PinStore
from jupyter_ac.agent.mcp_servers.server_config import ServerConfig
from jupyter_ac.agent.mcp_servers.session_servers import Connection, ServerParts, SessionServers
from jupyter_ac.agent.run import ToolRun
from jupyter_ac.agent.run_texts import TOOLS_OFF
from jupyter_ac.agent.toolbox import Toolbox
from jupyter_ac.agent.tools.result_text import ResultMasker
from jupyter_ac.agent.workspace_agent import MAX_REFUSALS, RefusingRun, WorkspaceAgent
from jupyter_ac.chat.records import TurnRecord, TurnState
from jupyter_ac.chat.session import Session
from jupyter_ac.errors import NotReady
from jupyter_ac.ids import RequestId
from jupyter_ac.tool_rows import AgentMode
from tests.agent.runs import LIMITS, MadeUpTool, RunWorld, answer, call, run_world, tracked
from tests.chat.memory import INFO

TAKES_TOOLS = replace(INFO, takes_tools=True)
ACTING: list[AgentMode] = ["plan", "agent", "sandbox"]


def agent_of(world: RunWorld) -> WorkspaceAgent:
    return WorkspaceAgent(world.parts, lambda: LIMITS, world.checkpoints)


async def after_a_run(world: RunWorld) -> Session:
    """A session in which there was a run."""
    session = world.conversation.session
    record = world.run().record(TurnState.DONE)
    session.put(TurnRecord("t0", RequestId("0-a"), "Do.", 1, TurnState.DONE, "So.", run=record))
    return session


async def test_from_the_first_run_on_the_same_tools_go_out_in_each_mode(tmp_path: Path) -> None:
    world = await run_world(tmp_path, MadeUpTool())
    agent, session = agent_of(world), world.conversation.session
    assert agent.tools(session, "ask", TAKES_TOOLS) == ()
    first = agent.tools(session, "plan", TAKES_TOOLS)
    await after_a_run(world)
    later = [agent.tools(session, mode, TAKES_TOOLS) for mode in ("ask", *ACTING)]
    assert later == [first] * 4
    assert first == agent_of(world).tools(session, "ask", TAKES_TOOLS)


async def test_a_provider_that_takes_no_tools_gets_none(tmp_path: Path) -> None:
    world = await run_world(tmp_path, MadeUpTool())
    session = await after_a_run(world)
    for info in (INFO, None):
        assert agent_of(world).tools(session, "agent", info) == ()


@pytest.mark.parametrize("mode", ACTING)
async def test_a_run_begins_with_the_limits_of_the_user(tmp_path: Path, mode: AgentMode) -> None:
    world = await run_world(tmp_path, MadeUpTool())
    request = replace(world.request(mode), info=TAKES_TOOLS)
    run = await agent_of(world).begin(request)
    assert isinstance(run, ToolRun)
    assert request.stream.run
    assert run.record().row["limits"] == LIMITS.amounts()
    assert "[Run in the mode" in run.opening()[-1].text


async def test_a_plain_question_has_no_run(tmp_path: Path) -> None:
    world = await run_world(tmp_path, MadeUpTool())
    agent = agent_of(world)
    request = replace(world.request("ask"), info=TAKES_TOOLS)
    assert await agent.begin(request) is None
    await after_a_run(world)
    assert isinstance(await agent.begin(request), RefusingRun)
    assert await agent.begin(replace(request, info=INFO)) is None


async def test_calls_are_refused_where_tools_are_switched_off(tmp_path: Path) -> None:
    tool = MadeUpTool()
    world = await run_world(tmp_path, tool)
    run = RefusingRun(world.request("ask"))
    assert (run.may_edit, run.opening(), await run.in_context()) == (True, (), ())
    for number in range(MAX_REFUSALS):
        asked = answer(call(call_id=f"c{number}"), call("no", call_id=f"d{number}"))
        outcome = await run.step(asked, tracked(asked), 0)
        assert [(one.call_id, text) for one, text in outcome.results] == [
            (f"c{number}", TOOLS_OFF),
            (f"d{number}", TOOLS_OFF),
        ]
        assert not outcome.is_over
    last = answer(call(call_id="c9"))
    assert (await run.step(last, tracked(last), 0)).is_over
    assert tool.contexts == []
    record = run.record()
    assert record is not None
    assert [len(step.calls) for step in record.steps] == [2] * MAX_REFUSALS + [1]
    assert (record.row["mode"], record.row["can_undo"]) == ("ask", False)


async def test_a_refusing_run_without_calls_leaves_no_record(tmp_path: Path) -> None:
    world = await run_world(tmp_path)
    run = RefusingRun(world.request("ask"))
    given = answer(text="So.")
    assert (await run.step(given, tracked(given), 3)).is_over
    assert run.record(TurnState.DONE) is None
    assert world.told == []


async def test_what_was_asked_about_servers_is_shown_with_the_run_and_its_tools_are_theirs(
    tmp_path: Path,
) -> None:
    world = await run_world(tmp_path, MadeUpTool())
    config = tmp_path / "config"
    config.mkdir()
    (config / "mcp.json").write_text("{")
    own = [MadeUpTool("look")]
    parts = ServerParts(
        config,
        world.repository.root,
        PinStore(config, world.repository),
        _unconnected,
        ResultMasker({}),
    )
    servers = SessionServers(parts, own, Toolbox(own, ()))
    agent = WorkspaceAgent(replace(world.parts, servers=servers), lambda: LIMITS, world.checkpoints)
    run = await agent.begin(world.request())
    assert run is not None
    record = run.record()
    assert record is not None
    (row,) = record.row["calls"]
    assert (row["tool"], row["status"]) == ("mcp_server", "failed")
    assert "mcp.json can't be read" in row["reason"]


async def _unconnected(_server: ServerConfig) -> Connection:
    raise NotReady("There are no servers here.")
