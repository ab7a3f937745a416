"""A cluster of two worker processes, with keys and a scripted model of their own."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from distributed import LocalCluster

from jupyter_ac.agent.limits import RunLimits
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.planner.dask_agents.dask_executor import ClusterPorts, DaskExecutor
from jupyter_ac.planner.execution.executor import Assignment
from tests.planner.plans.planned import ADA
from tests.support.agent_scripts import MODEL, address
from tests.support.exclusions import none_excluded
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.stdio_process import KEY, command_environment

LIMITS = RunLimits(max_steps=25, max_tokens=400_000, max_usd=1.0, max_minutes=15)


def worker_environment(home: Path, server: RunningModelServer) -> dict[str, str]:
    return command_environment(
        home,
        model=True,
        JUPYTER_AC_MODEL=MODEL,
        JUPYTER_AC_API_BASE=address(server.openai),
        OPENAI_API_KEY=KEY,
    )


@asynccontextmanager
async def cluster_of(environ: Mapping[str, str], workers: int = 2) -> AsyncIterator[LocalCluster]:
    # Dask sets this in the environment of this process, and leaves it there. Hosts of later
    # tests would have it, and couldn't be forked from one that has been started without.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONHASHSEED", "6640")
        async with LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            asynchronous=True,
            dashboard_address=":0",
            env=dict(environ),
        ) as cluster:
            yield cluster


def executor_of(cluster_address: str, *allowed: str) -> DaskExecutor:
    async def granted() -> list[str]:
        return list(allowed)

    return DaskExecutor(ClusterPorts(cluster_address, lambda: LIMITS, granted, none_excluded))


async def assigned(folder: Path, said: list[str]) -> tuple[RepositoryFolder, Assignment]:
    made = make_repository(folder / "r", {"a.py": "a = 1\n", "old.py": "old = 1\n"})
    repository: Repository = await discover(made.root)
    return made, Assignment("plan_1", "a", ADA, repository, on_text=said.append)
