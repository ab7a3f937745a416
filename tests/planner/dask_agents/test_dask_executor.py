"""Tasks on the workers of a real cluster: two processes, whose agents a scripted model answers."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from distributed import Client

from jupyter_ac.errors import NotReady
from jupyter_ac.planner.dask_agents import dask_executor
from jupyter_ac.planner.dask_agents.dask_executor import RunCosts, usable
from jupyter_ac.planner.plans.plan import TaskState
from jupyter_ac.planner.plans.plan_changes import PlanMoved
from jupyter_ac.version import __version__
from tests.planner.dask_agents.clusters import assigned, cluster_of, executor_of, worker_environment
from tests.planner.execution.execution_world import PLAN, execution_world
from tests.planner.plans.planned import plan_of
from tests.support.agent_scripts import call, script
from tests.support.model_process import RunningModelServer
from tests.support.processes import is_running

NEW = "I write.\n\nnew.py\n```\n🟧🟧🟧 EDIT\n🟨🟨🟨 REPL\nnew = 1\n🟩🟩🟩 END\n```\n"
WRITES = f"{NEW}\na.py\n```\n🟧🟧🟧 EDIT\na = 1\n🟨🟨🟨 REPL\na = 2\n🟩🟩🟩 END\n```\n"

pytestmark = pytest.mark.slow


async def test_a_task_goes_out_and_its_files_come_back(
    tmp_path: Path, model_server: RunningModelServer
) -> None:
    said: list[str] = []
    folder, assignment = await assigned(tmp_path, said)
    folder.write("later.py", "uncommitted = 1\n")
    environ = worker_environment(tmp_path / "home", model_server)
    async with (
        cluster_of(environ) as cluster,
        executor_of(cluster.scheduler_address).open(assignment) as session,
    ):
        removing = call("run_command", command="rm old.py")
        outside = call("fetch_url", url="https://example.org/x")
        reading = call("read_file", path="a.py")
        first = await session.ask(script(reading, f"{WRITES}{removing}", outside, "Done."))
        assert (first.text, first.problem) == ("Done.", "")
        assert first.tokens > 0
        assert first.model == "openai/gpt-4o"
        assert (folder.root / "a.py").read_text() == "a = 2\n"
        assert (folder.root / "new.py").read_text() == "new = 1\n"
        assert (folder.root / "later.py").read_text() == "uncommitted = 1\n"
        assert not (folder.root / "old.py").exists()
        assert "nobody can be asked" in str(model_server.bodies()[-1])
        assert "Done." in "".join(said)
        # The next question tells what was before: it may be answered on another machine.
        again = "Mend it."
        await session.ask(again)
        sent = str(model_server.bodies()[-1])
        assert "You have worked on this already" in sent
        assert again in sent


@pytest.mark.soak
async def test_a_plan_is_carried_out_on_the_cluster(
    tmp_path: Path, model_server: RunningModelServer
) -> None:
    """What the checks find goes back, with what was asked and said before."""
    environ = worker_environment(tmp_path / "home", model_server)
    broken = "new.py\n```\n🟧🟧🟧 EDIT\n🟨🟨🟨 REPL\ndef f(:\n🟩🟩🟩 END\n```\n"
    async with cluster_of(environ) as cluster:
        executors = {"cluster": executor_of(cluster.scheduler_address)}
        async with execution_world(tmp_path, executors=executors) as world:
            plan = plan_of({"bad": [], "good": []}, plan_id=PLAN)
            scripts = script(broken), script(f"{NEW}Done.")
            tasks = (
                replace(task, description=text)
                for task, text in zip(plan.tasks, scripts, strict=True)
            )
            plan = await world.registry.create(
                replace(plan, tasks=tuple(tasks)), [PlanMoved("propose")]
            )
            plan = await world.runner.ended(await world.runner.run(plan, "cluster"))
            assert world.states(plan) == {"bad": TaskState.FAILED, "good": TaskState.DONE}
            assert "new.py:1:" in plan.task("bad").reason
            assert "You have worked on this already" in str(model_server.bodies())
            assert world.branch_file("new.py") == "new = 1"
            assert not (world.folder.root / "new.py").exists()


@pytest.mark.soak
async def test_a_worker_that_dies_in_the_middle_is_paid_for_too(
    tmp_path: Path, model_server: RunningModelServer
) -> None:
    """The scheduler begins the task again, on the other worker; nobody is told but by the costs."""
    folder, assignment = await assigned(tmp_path, [])
    environ = worker_environment(tmp_path / "home", model_server)
    async with (
        cluster_of(environ) as cluster,
        executor_of(cluster.scheduler_address).open(assignment) as session,
        Client(cluster.scheduler_address, asynchronous=True, set_as_default=False) as client,
    ):
        reading = call("read_file", path="a.py")
        waiting = call("run_command", command="sleep 20")
        asking = asyncio.create_task(session.ask(script(reading, waiting, f"{WRITES}Done.")))
        pid = 0

        async def begun() -> bool:
            nonlocal pid
            events = [news for topic in await topics(client) for news in topic]
            running = [one for one in events if one.get("tokens")]
            if running:
                processing = await client.processing()
                [address] = [name for name, keys in processing.items() if keys]
                pid = (await client.run(os.getpid, workers=[address]))[address]
            return bool(running)

        await _until(begun)
        children = _children(pid)
        os.kill(pid, signal.SIGKILL)
        answer = await asking
        assert answer.problem == ""
        assert (folder.root / "new.py").read_text() == "new = 1\n"
        runs: dict[str, int] = {}
        for topic in await topics(client):
            for news in topic:
                name, tokens = str(news["run"]), news.get("tokens", 0)
                runs[name] = max(runs.get(name, 0), tokens if isinstance(tokens, int) else 0)
        assert len(runs) == 2
        assert all(tokens > 0 for tokens in runs.values())
        assert answer.tokens == sum(runs.values())
        assert not any(is_running(child) for child in children)


async def test_stopping_ends_what_runs_on_the_worker(
    tmp_path: Path, model_server: RunningModelServer
) -> None:
    said: list[str] = []
    _, assignment = await assigned(tmp_path, said)
    environ = worker_environment(tmp_path / "home", model_server)
    async with (
        cluster_of(environ, workers=1) as cluster,
        Client(cluster.scheduler_address, asynchronous=True, set_as_default=False) as client,
    ):
        [worker] = (await client.run(os.getpid)).values()
        before = _children(worker)
        async with executor_of(cluster.scheduler_address).open(assignment) as session:
            waiting = call("run_command", command="sleep 600")
            asking = asyncio.create_task(session.ask(script("Begun.\n" + waiting, "Done.")))

            async def begun() -> bool:
                return bool(said)

            await _until(begun)
            children = _children(worker) - before
            assert children
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking

        async def ended() -> bool:
            return not any(is_running(child) for child in children)

        await _until(ended)
        assert not await client.processing() or not any((await client.processing()).values())


async def test_a_scheduler_that_is_not_there_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_executor, "CONNECT_S", 1.0)
    _, assignment = await assigned(tmp_path, [])
    with pytest.raises(NotReady, match="can't be reached"):
        async with executor_of("tcp://127.0.0.1:9").open(assignment):
            raise AssertionError


def test_only_workers_with_git_and_this_version_are_used() -> None:
    good = {"version": __version__, "git": "git version 2.40"}
    found: dict[str, object] = {
        "a": good,
        "b": {**good, "git": ""},
        "c": {**good, "version": "0"},
        "d": ModuleNotFoundError("jupyter_ac"),
    }
    assert usable(found) == ["a"]
    del found["a"]
    with pytest.raises(NotReady) as raised:
        usable(found)
    for reason in ("b: it has no git", "c: it has jupyter_ac 0", "d: jupyter_ac can't be loaded"):
        assert reason in raised.value.message
    with pytest.raises(NotReady, match="there is none"):
        usable({})


def test_costs_are_those_of_all_runs() -> None:
    costs = RunCosts()
    for news in (
        {"run": "a"},
        {"run": "a", "tokens": 10, "cost_usd": 0.5},
        {"run": "a", "tokens": 5, "cost_usd": 0.25},
        {"run": "b", "tokens": 7, "cost_usd": 1},
        {"tokens": 100, "cost_usd": 9},
        {"run": "b", "tokens": "many", "cost_usd": 9},
        None,
    ):
        costs.note(news)
    assert (costs.runs, costs.tokens, costs.cost_usd) == (2, 17, 1.5)


async def topics(client: Client) -> list[list[dict[str, object]]]:
    """The news of all attempts."""
    found = await client.get_events()
    return [
        [news for _, news in events]
        for name, events in found.items()
        if str(name).startswith("jupyter-ac-")
    ]


def _children(pid: int) -> set[int]:
    """The processes that a process has started, and theirs."""
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        for task in Path(f"/proc/{waiting.pop()}/task").glob("*/children"):
            fresh = {int(each) for each in task.read_text().split()} - found
            found |= fresh
            waiting += fresh
    return found


async def _until(is_true: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(200):
        while not await is_true():
            await asyncio.sleep(0.1)
