from pathlib import Path

import pytest
from acp import RequestError
from acp.schema import AllowedOutcome, DeniedOutcome, PermissionOption, ToolCallUpdate

from jupyter_ac.agent.tool_approvals import Decision
from jupyter_ac.ids import RequestId
from jupyter_ac.planner.acp_agents.agent_run import AgentRun
from jupyter_ac.planner.acp_agents.worktree_client import MAX_ASKED, Asking, WorktreeClient
from tests.planner.acp_agents.agents import LIMITS, AgentWorld, agent_world
from tests.planner.plans.planned import ADA

OPTIONS = [
    PermissionOption(option_id="yes", name="Yes", kind="allow_once"),
    PermissionOption(option_id="no", name="No", kind="reject_once"),
]


async def client_of(world: AgentWorld) -> WorktreeClient:
    run = AgentRun(RequestId("r"), "sandbox", LIMITS, world.said.append, world.told)
    asking = Asking(world.approvals, ADA, "told", is_sandboxed=True)
    return WorktreeClient(await world.worktree(), run, asking)


def about(number: int, text: str = "") -> ToolCallUpdate:
    return ToolCallUpdate(tool_call_id=f"c{number}", title=f"call {number}{text}")


async def chosen(client: WorktreeClient, call: ToolCallUpdate) -> str:
    outcome = (await client.request_permission(tool_call=call, options=OPTIONS)).outcome
    return outcome.option_id if isinstance(outcome, AllowedOutcome) else ""


async def test_files_are_read_by_lines_and_written_inside(tmp_path: Path) -> None:
    world = agent_world(tmp_path)
    client, root = await client_of(world), world.folder.root
    await client.write_text_file(path=f"{root}/new/b.txt", content="1\n2\n3\n")
    assert (root / "new/b.txt").read_text() == "1\n2\n3\n"
    read = client.read_text_file
    assert (await read(path=f"{root}/new/b.txt")).content == "1\n2\n3\n"
    assert (await read(path=f"{root}/new/b.txt", line=2)).content == "2\n3\n"
    assert (await read(path=f"{root}/new/b.txt", limit=1)).content == "1\n"
    assert (await read(path=f"{root}/new/b.txt", line=0, limit=-1)).content == ""


async def test_no_path_leads_out(tmp_path: Path) -> None:
    world = agent_world(tmp_path)
    client, root = await client_of(world), world.folder.root
    (tmp_path / "x").mkdir()
    (root / "link").symlink_to(tmp_path / "x")
    for path in (
        "a.py",
        f"{root}",
        f"{root}/../y",
        f"{root}/link/y",
        f"{root}/.git/config",
        f"{root}/sub/.GIT/hooks/pre-commit",
        f"{root}-other/a",
        f"{root}/a\0b",
        "/etc/passwd",
    ):
        with pytest.raises(RequestError):
            await client.write_text_file(path=path, content="x")
        with pytest.raises(RequestError):
            await client.read_text_file(path=path)
    assert list((tmp_path / "x").iterdir()) == []
    with pytest.raises(RequestError):
        await client.create_terminal(command="true")


async def test_a_decision_for_the_session_answers_equal_calls(tmp_path: Path) -> None:
    world = agent_world(tmp_path)
    left = [Decision(allow=False, scope="session"), Decision(allow=True)]
    world.decide = lambda: left.pop(0)
    client = await client_of(world)
    same = ToolCallUpdate(tool_call_id="c1", title="call 0")
    assert [await chosen(client, call) for call in (about(0), same, about(2))] == [
        "no",
        "no",
        "yes",
    ]
    assert left == []
    assert world.calls == {"c0": "refused", "c1": "refused", "c2": "running"}


async def test_what_nobody_can_read_and_too_many_questions_are_refused(tmp_path: Path) -> None:
    world = agent_world(tmp_path)
    asked: list[int] = []

    def decide() -> Decision:
        asked.append(1)
        return Decision(allow=True)

    world.decide = decide
    client = await client_of(world)
    assert await chosen(client, about(0, "x" * 9000)) == "no"
    assert asked == []
    for number in range(MAX_ASKED):
        assert await chosen(client, about(number)) == "yes"
    assert await chosen(client, about(MAX_ASKED)) == "no"
    assert len(asked) == MAX_ASKED


async def test_what_may_only_be_allowed_for_good_is_not_allowed(tmp_path: Path) -> None:
    world = agent_world(tmp_path)
    world.decide = lambda: Decision(allow=True)
    client = await client_of(world)
    only = [PermissionOption(option_id="ever", name="Ever", kind="allow_always")]
    response = await client.request_permission(tool_call=about(0), options=only)
    assert isinstance(response.outcome, DeniedOutcome)
    assert world.calls == {"c0": "refused"}


async def test_other_news_of_a_session_are_left_out(tmp_path: Path) -> None:
    world = agent_world(tmp_path)
    client = await client_of(world)
    await client.session_update(update={"sessionUpdate": "agent_thought_chunk"})
    assert (world.said, world.news) == ([], [])
