"""Attempts by real agent processes made with the SDK, most of them in the real sandbox."""

import asyncio
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.agent.tool_approvals import Decision
from jupyter_ac.errors import NotReady, Unsupported
from jupyter_ac.planner.plans.plan import PlanState
from tests.planner.acp_agents.agents import agent_world, told
from tests.planner.execution.execution_world import execution_world
from tests.support.processes import is_running

KEY = "sk-tea-0123456789abcdef"


async def test_an_agent_works_in_its_worktree_and_is_told_to_go_on(tmp_path: Path) -> None:
    world = agent_world(tmp_path)
    async with world.open(told("write")) as session:
        first = await session.ask("Do it.")
        second = await session.ask("Mend it.")
    assert (first.text, first.problem, first.model) == ("Done: two = 2.", "", "told 1")
    assert (first.tokens, first.cost_usd) == (100, 0.25)
    assert (second.tokens, second.cost_usd) == (100, 0.25)
    assert (world.folder.root / "own.py").read_text() == "own = 1\n"
    assert (world.folder.root / "sub/theirs.py").read_text() == "theirs = 1\ntwo = 2\n"
    assert "".join(world.said) == "I look. Done: two = 2." * 2
    assert world.calls == {"c1": "done"}
    rows = [each["call"] for each in world.news if "call" in each]
    assert rows[0]["title"] == "Write[2J own.py"
    assert rows[-1]["result"] == "written"
    last = world.news[-1]["run"]
    assert (last["state"], last["used"]["tokens"], last["used"]["usd"]) == ("done", 200, 0.5)


async def test_an_agent_has_no_keys_but_those_that_are_named(tmp_path: Path) -> None:
    world = agent_world(tmp_path, TEA_KEY=KEY, OTHER_KEY="sk-other-0123456789", LANG="C.UTF-8")
    async with world.open(told("tell", env=("TEA_KEY", "CUP=big", "GONE"))) as session:
        seen = json.loads((await session.ask("Tell.")).text)
    environ = seen["env"]
    assert (environ["TEA_KEY"], environ["CUP"], environ["LANG"]) == (KEY, "big", "C.UTF-8")
    assert not {"OTHER_KEY", "GONE"} & environ.keys()
    assert "bwrap" in seen["parent"]
    assert KEY not in seen["parent"]
    assert seen["home"] == []


async def test_files_outside_stay_as_they_are(tmp_path: Path) -> None:
    world = agent_world(tmp_path)
    (tmp_path / "x").write_text("private")
    (world.folder.root / "link").symlink_to(tmp_path / "x")
    git = world.folder.root / ".git" / "config"
    before = git.read_bytes()
    paths = (str(tmp_path / "x"), str(world.folder.root / "link"), str(git))
    async with world.open(told("outside", *paths)) as session:
        said = (await session.ask("Go out.")).text
    assert "client" not in said
    assert "terminal" not in said
    assert "private" not in said
    assert (tmp_path / "x").read_text() == "private"
    assert git.read_bytes() == before
    assert not (tmp_path / "up.txt").exists()


async def test_the_user_decides_once_for_the_session_or_not_at_all(tmp_path: Path) -> None:
    decisions = [Decision(allow=True), Decision(allow=False), Decision(allow=True, scope="session")]
    world = agent_world(tmp_path)
    left = iter(decisions)
    world.decide = lambda: next(left)
    async with world.open(told("ask", "5")) as session:
        answer = await session.ask("Ask.")
    assert answer.text == "allow_once reject_once allow_always allow_always allow_always"
    assert next(left, None) is None
    assert world.tasks == [{"plan_id": "plan_1", "task_id": "a"}] * 3
    questions = [
        each["call"]["question"]
        for each in world.news
        if "call" in each and each["call"]["status"] == "waiting"
    ]
    assert len(questions) == 3
    question = questions[0]
    assert question is not None
    assert question["text"] == '`rm -rf build`\n{\n "command": "rm -rf build"\n}'
    assert question["scopes"] == ["once", "session"]
    assert question["is_sandboxed"]
    assert "can't be bound" in question["warning"]
    assert world.calls["c1"] == "refused"


async def test_without_a_page_everything_is_refused(tmp_path: Path) -> None:
    world = agent_world(tmp_path)
    async with world.open(told("ask", "1")) as session:
        assert (await session.ask("Ask.")).text == "reject_once"
    [reason] = {each["call"]["reason"] for each in world.news if "call" in each} - {""}
    assert "no panel" in reason


async def test_stopping_ends_an_agent_that_goes_on_with_all_that_it_has_started(
    tmp_path: Path,
) -> None:
    """Outside of the sandbox: inside of it nothing could be left."""
    world = agent_world(tmp_path)
    async with world.open(told("hang", sandbox=False)) as session:
        asking = asyncio.create_task(session.ask("Hang."))
        await _until(lambda: bool(world.said))
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
    for pid in (world.folder.root / "pids").read_text().split():
        assert not is_running(int(pid))
    assert world.news[-1]["run"]["state"] == "stopped"


async def test_an_agent_ends_at_the_limits_of_time_and_money(tmp_path: Path) -> None:
    world = agent_world(tmp_path)
    world.limits = replace(world.limits, max_minutes=0.01)
    async with world.open(told("hang")) as session:
        problem = (await session.ask("Hang.")).problem
    assert "limit of 0.01 minutes" in problem
    world.limits = replace(world.limits, max_minutes=15, max_usd=0.2)
    async with world.open(told("write", sandbox=False)) as session:
        await session.ask("Write.")
        assert "limit of $0.20" in (await session.ask("Write.")).problem


async def test_an_agent_that_crashes_floods_or_talks_is_no_harm(tmp_path: Path) -> None:
    world = agent_world(tmp_path, TEA_KEY="cups-of-tea-1234")
    async with world.open(told("crash", sandbox=False, env=("TEA_KEY",))) as session:
        answer = await session.ask("Crash.")
    assert answer.problem == "The agent 'told' has ended (exit status 3: no more tea …)."
    assert world.news[-1]["run"]["state"] == "failed"
    async with world.open(told("flood", sandbox=False)) as session:
        assert "has written a line of more than 8 MiB" in (await session.ask("Flood.")).problem
    world.said.clear()
    async with world.open(told("chatter", "600", sandbox=False)) as session:
        assert not (await session.ask("Talk.")).problem
    assert len("".join(world.said)) == 400_000
    assert len(world.calls) == 500


@pytest.mark.parametrize(
    ("word", "problem"),
    [
        ("mute", "has ended (exit status 1: I want an argument)"),
        ("old", "speaks version 0 of the protocol"),
        ("login", "wants a login"),
    ],
)
async def test_an_agent_that_can_not_begin_says_why(
    tmp_path: Path, word: str, problem: str
) -> None:
    world = agent_world(tmp_path)
    with pytest.raises(NotReady) as raised:
        async with world.open(told(word, sandbox=False)):
            raise AssertionError
    assert problem in raised.value.message
    assert world.news[-1]["run"]["state"] == "failed"


async def test_where_there_is_no_sandbox_it_is_not_started(tmp_path: Path) -> None:
    world = agent_world(tmp_path)
    world.environ["PATH"] = os.fspath(tmp_path)
    with pytest.raises(Unsupported, match='unless its settings say "sandbox": false'):
        async with world.open(told("write")):
            raise AssertionError


async def test_an_agent_carries_out_a_plan(tmp_path: Path) -> None:
    agents = agent_world(tmp_path / "agents")
    executor = agents.executor(told("write"))
    async with execution_world(tmp_path, executors={"told": executor}) as world:
        plan = await world.runner.run(await world.planned({"a": []}), "told")
        plan = await world.runner.ended(plan)
        assert plan.state is PlanState.COMPLETED
        assert world.branch_file("own.py") == "own = 1"
        outcome = plan.task("a").outcome
        assert outcome is not None
        assert outcome.files_created == ("own.py", "sub/theirs.py")
        assert (outcome.explanation, outcome.model) == ("Done: two = 2.", "told 1")
        assert not (world.folder.root / "own.py").exists()


async def _until(is_true: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not is_true():
            await asyncio.sleep(0.02)
