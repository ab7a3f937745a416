"""Attempts in a worker, with another child process than the real one."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from jupyter_ac.planner.dask_agents import remote_attempts
from jupyter_ac.planner.dask_agents.attempt_folder import Job
from jupyter_ac.planner.dask_agents.remote_attempts import (
    RemoteJob,
    preflight,
    run_attempt,
    stop_attempt,
    topic,
)
from jupyter_ac.version import __version__

JOB = RemoteJob("attempt", Job("Do it.", "", ("make test",), (), 25, 0.5), b"sent")

ANSWERS = """
import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
print("no news", flush=True)
print(json.dumps({"tokens": 7, "run": "forged"}), flush=True)
(folder / "returned.bundle").write_bytes(b"back " + (folder / "sent.bundle").read_bytes())
job = (folder / "job.json").read_text()
(folder / "answer.json").write_text(json.dumps({"problem": "", "job": job}))
"""
FAILS = "import sys; sys.exit('out of tea')"
HANGS = "import sys; print('{}', flush=True); sys.stdin.read(); sys.exit(5)"


class Worker:
    """What `distributed` gives a task to speak to its worker."""

    def __init__(self) -> None:
        self.events: list[tuple[str, Mapping[str, object]]] = []
        self.stop_at = 0

    def log_event(self, name: str, news: Mapping[str, object]) -> None:
        self.events.append((name, news))
        if len(self.events) == self.stop_at:
            stop_attempt(JOB.attempt)


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Worker:
    made = Worker()
    monkeypatch.setattr(remote_attempts, "get_worker", lambda: made)
    monkeypatch.setattr(remote_attempts, "_stopped", type(remote_attempts._stopped)())
    return made


def use(program: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have another program be the child: found on the path of modules that Python searches."""
    (folder / "stand_in.py").write_text(program)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setattr(remote_attempts, "CHILD", "stand_in")


def test_a_worker_tells_what_it_has(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told = preflight()
    assert told["version"] == __version__
    assert told["git"].startswith("git version")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert preflight()["git"] == ""


def test_a_job_is_a_child_process(
    worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(ANSWERS, tmp_path, monkeypatch)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    result = run_attempt(JOB)
    assert result.bundle == b"back sent"
    job = json.loads(str(result.answer["job"]))
    assert (job["prompt"], job["allowed"], job["max_usd"]) == ("Do it.", ["make test"], 0.5)
    assert {name for name, _ in worker.events} == {topic("attempt")}
    runs = {news["run"] for _, news in worker.events}
    assert len(runs) == 1
    assert "forged" not in runs
    assert worker.events[-1][1]["tokens"] == 7
    assert list(tmp_path.glob("jupyter-ac-task-*")) == []


@pytest.mark.usefixtures("worker")
def test_a_child_that_fails_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(FAILS, tmp_path, monkeypatch)
    result = run_attempt(JOB)
    assert result.answer == {"problem": "The agent's process has ended: exit status 1. out of tea"}
    assert result.bundle == b""


def test_stopping_ends_the_child_and_what_comes_later(
    worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(HANGS, tmp_path, monkeypatch)
    worker.stop_at = 2
    assert "exit status 5" in str(run_attempt(JOB).answer["problem"])
    monkeypatch.setattr(sys, "executable", "/nowhere")
    assert "it was stopped" in str(run_attempt(JOB).answer["problem"])
