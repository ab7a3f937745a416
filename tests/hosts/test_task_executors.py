"""The executors of a workspace, by its settings."""

import json
import sys
from pathlib import Path

import pytest

from jupyter_ac.errors import AccessDenied, NotReady
from jupyter_ac.git.repository import Repository
from jupyter_ac.hosts.task_executors import TaskExecutors
from jupyter_ac.hosts.task_workspaces import TaskWorkspaces
from jupyter_ac.planner.dask_agents import dask_executor
from jupyter_ac.planner.execution.executor import Assignment
from jupyter_ac.settings.admin import JupyterAC
from tests.hosts.test_composition import composed
from tests.planner.acp_agents.agents import SCRIPT
from tests.planner.dask_agents.clusters import cluster_of, worker_environment
from tests.planner.plans.planned import ADA
from tests.support.agent_scripts import call, script
from tests.support.hidden_modules import hide
from tests.support.model_process import RunningModelServer
from tests.support.repositories import make_repository

TOLD = {
    "name": "told",
    "kind": "acp",
    "command": [sys.executable, str(SCRIPT), "write"],
    "sandbox": False,
}
CLUSTER = {"name": "cluster", "kind": "dask"}


def configured(folder: Path) -> Path:
    (folder / "config").mkdir()
    settings = json.dumps({"executors": [TOLD, CLUSTER]})
    (folder / "config/app.json").write_text(settings, encoding="utf-8")
    return make_repository(folder / "r", {"a.py": "a = 1\n"}).root


async def test_the_settings_name_executors_and_one_is_always_there(tmp_path: Path) -> None:
    root = configured(tmp_path)
    async with composed(root, tmp_path / "cache") as made:
        await made.model.renew()
        executors = TaskExecutors(made)
        assert list(executors) == ["agent", "told", "cluster"]
        assert len(executors) == 3
        assert isinstance(executors["agent"], TaskWorkspaces)
        with pytest.raises(KeyError):
            executors["other"]
        rows = {row["name"]: (row["kind"], row["note"]) for row in executors.rows()}
        assert rows["agent"] == ("agent", "")
        assert rows["told"] == ("acp", "It runs outside of the sandbox, as the settings say.")
        assert rows["cluster"][0] == "dask"
        said: list[str] = []
        assignment = Assignment("plan_1", "a", ADA, made.repository, on_text=said.append)
        async with executors["told"].open(assignment) as session:
            assert (await session.ask("Write.")).problem == ""
        assert said[-1] == "Done: two = 2."
        assert (root / "own.py").exists()


async def test_what_is_missing_or_not_allowed_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin = JupyterAC(disabled_tools=["run_command"])
    async with composed(configured(tmp_path), tmp_path / "cache", admin) as made:
        await made.model.renew()
        executors = TaskExecutors(made)
        assert "disabled the tool run_command" in executors.rows()[1]["note"]
        with pytest.raises(AccessDenied, match="run_command"):
            await _open(executors, made.repository)
        assert "c.JupyterAC.executor_address" in executors.rows()[2]["note"]
        with pytest.raises(AccessDenied, match="executor_address"):
            await _open(executors, made.repository, "cluster")
        hide(monkeypatch, "acp")
        assert 'pip install "jupyter_ac[acp]"' in executors.rows()[1]["note"]
        with pytest.raises(NotReady, match="pip install"):
            await _open(executors, made.repository)


async def test_a_cluster_is_the_administrator_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_executor, "CONNECT_S", 1.0)
    admin = JupyterAC(executor_address="tcp://127.0.0.1:9")
    async with composed(configured(tmp_path), tmp_path / "cache", admin) as made:
        await made.model.renew()
        executors = TaskExecutors(made)
        assert executors.rows()[2]["note"] == ""
        with pytest.raises(NotReady, match="can't be reached"):
            await _open(executors, made.repository, "cluster")


@pytest.mark.slow
async def test_a_cluster_is_told_what_is_excluded(
    tmp_path: Path, model_server: RunningModelServer
) -> None:
    """Nothing is read, found or named there, by the list that goes out with the question."""
    root = configured(tmp_path)
    (root / "vault").mkdir()
    for path, text in (
        ("vault/plan.py", "wordmoon = 1  # needle\n"),
        ("b.py", "b = 1  # needle\n"),
    ):
        (root / path).write_text(text)
    looking = call("search", text="needle") + call("list_files") + call("find_symbol", name="word")
    naming = (
        call("read_file", path="vault/plan.py")
        + call("outline", path="vault/plan.py")
        + call("search", text="needle", folder="vault")
        + call("git_log", path="vault")
    )
    async with cluster_of(worker_environment(tmp_path / "home", model_server), 1) as cluster:
        admin = JupyterAC(executor_address=cluster.scheduler_address)
        async with composed(root, tmp_path / "cache", admin) as made:
            await made.model.renew()

            async def sent(asked: str) -> str:
                assignment = Assignment("plan_1", "a", ADA, made.repository)
                before = len(model_server.bodies())
                async with TaskExecutors(made)["cluster"].open(assignment) as session:
                    assert (await session.ask(asked)).problem == ""
                return str(model_server.bodies()[before:])

            await made.excluded.replace(["vault"])
            found, refused = [await sent(script(calls, "Done.")) for calls in (looking, naming)]
            assert "1: b = 1  # needle" in found
            assert "vault" not in found
            assert refused.count("it is excluded") == 4
            assert "wordmoon" not in found + refused


async def _open(executors: TaskExecutors, repository: Repository, name: str = "told") -> None:
    async with executors[name].open(Assignment("p", "a", ADA, repository)):
        raise AssertionError
