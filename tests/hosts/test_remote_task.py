"""The child process of a worker, as one: a folder with a job, and an answer in it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.planner.dask_agents.attempt_folder import ANSWER, RETURNED, SENT, Job, write_job
from jupyter_ac.planner.dask_agents.bundles import pack, unpack
from jupyter_ac.planner.worktrees.snapshot_commit import snapshot_commit
from tests.planner.dask_agents.clusters import worker_environment
from tests.support.agent_scripts import call, script
from tests.support.model_process import RunningModelServer
from tests.support.repositories import make_repository

COMMAND = (sys.executable, "-P", "-m", "jupyter_ac.hosts.remote_task")


async def job_in(folder: Path, prompt: str, *allowed: str) -> None:
    repository = await discover(make_repository(folder / "r", {"a.py": "a = 1\n"}).root)
    made = await snapshot_commit(repository, "x\n")
    task = folder / "task"
    task.mkdir()
    (task / SENT).write_bytes(await pack(repository, made.commit))
    write_job(task, Job(prompt, "", allowed, (), max_steps=9, max_usd=1.0))


async def test_what_was_allowed_runs_and_the_rest_is_refused(
    tmp_path: Path, model_server: RunningModelServer
) -> None:
    env = worker_environment(tmp_path / "home", model_server)
    env["PATH"] = str(tmp_path / "bin")  # without bwrap: each command asks
    (tmp_path / "bin").mkdir()
    for name in ("git", "touch"):
        (tmp_path / "bin" / name).symlink_to(f"/usr/bin/{name}")
    calls = (call("run_command", command=f"touch {name}.txt") for name in ("good", "bad"))
    await job_in(tmp_path, script("".join(calls), "Done."), "touch good.txt")
    with subprocess.Popen(
        [*COMMAND, str(tmp_path / "task")],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        news = [json.loads(line) for line in process.stdout]
        assert process.wait() == 0
    answer = json.loads((tmp_path / "task" / ANSWER).read_text())
    assert (answer["text"], answer["problem"]) == ("Done.", "")
    assert max(one.get("tokens", 0) for one in news) == answer["tokens"] > 0
    bundle = (tmp_path / "task" / RETURNED).read_bytes()
    there = await unpack(bundle, tmp_path / "there")
    assert set(there.entries) == {"a.py", "good.txt"}
    assert "nobody can be asked" in str(model_server.bodies()[-1])


async def test_it_ends_with_its_input(tmp_path: Path, model_server: RunningModelServer) -> None:
    env = worker_environment(tmp_path / "home", model_server)
    waiting = call("run_command", command="sleep 600")
    await job_in(tmp_path, script(f"Begun.\n{waiting}", "Done."))
    with subprocess.Popen(
        [*COMMAND, str(tmp_path / "task")],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        process.stdout.readline()
        process.stdin.close()
        assert process.wait(60) == 1
    assert not (tmp_path / "task").exists()


@pytest.mark.parametrize("prompt", ["", "Hello."])
async def test_what_can_not_be_done_is_said(
    tmp_path: Path, model_server: RunningModelServer, prompt: str
) -> None:
    env = worker_environment(tmp_path / "home", model_server)
    await job_in(tmp_path, prompt)
    if prompt:
        (tmp_path / "task" / SENT).write_bytes(b"no bundle")
    with subprocess.Popen(
        [*COMMAND, str(tmp_path / "task")], env=env, stdin=subprocess.PIPE
    ) as process:
        assert process.wait() == 0
    answer = json.loads((tmp_path / "task" / ANSWER).read_text())
    assert answer["problem"]
    assert not (tmp_path / "task" / RETURNED).exists()
