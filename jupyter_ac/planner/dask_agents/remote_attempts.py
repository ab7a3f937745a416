"""What runs in a Dask worker: the look whether it can, an attempt as a child process, its end.

Imported on other machines, in processes of others: it loads nothing but the standard library and
`distributed`, and keeps what runs by the names of attempts.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from distributed import get_worker

from jupyter_ac.planner.dask_agents.attempt_folder import ANSWER, RETURNED, SENT, Job, write_job
from jupyter_ac.version import __version__

CHILD: Final = "jupyter_ac.hosts.remote_task"

_MAX_STOPPED: Final = 1000
_MAX_LINE: Final = 1_000_000
_COMPLAINT: Final = 300
_GRACE_S: Final = 10.0
"""How long a child may take to end its host and take its files away."""


@dataclass(frozen=True, slots=True)
class RemoteJob:
    """One question to an agent on another machine.

    Attributes:
        attempt: its name, ours; the scheduler may start it again.
        job: what is to be done.
        bundle: of the files.
    """

    attempt: str
    job: Job
    bundle: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class RemoteResult:
    """What has come of it.

    Attributes:
        answer: of the child: text, problem, tokens, cost_usd, model.
        bundle: of the files; empty when there is a problem.
    """

    answer: Mapping[str, object]
    bundle: bytes = field(default=b"", repr=False)


_running: dict[str, "subprocess.Popen[bytes]"] = {}
_stopped: OrderedDict[str, None] = OrderedDict()
_guard = threading.Lock()


def topic(attempt: str) -> str:
    """Return the topic under which runs of an attempt tell what they do."""
    return f"jupyter-ac-{attempt}"


def preflight() -> dict[str, str]:
    """Tell what a worker has: the versions of this program and of git; "" for no git."""
    program = shutil.which("git")
    if program is None:
        return {"version": __version__, "git": ""}
    asked = subprocess.run(
        [program, "--version"],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=30,
        check=False,
    )
    return {"version": __version__, "git": asked.stdout.strip()}


def run_attempt(job: RemoteJob) -> RemoteResult:
    """Carry out a job in a child process; runs in a thread of a worker.

    The scheduler runs it again when the worker dies. So each run has a name of its own, under which
    it tells what it has cost so far.
    """
    run = uuid.uuid4().hex
    worker = get_worker()

    def tell(news: Mapping[str, object]) -> None:
        worker.log_event(topic(job.attempt), {**news, "run": run})

    tell({})
    folder = Path(tempfile.mkdtemp(prefix="jupyter-ac-task-"))
    try:
        (folder / SENT).write_bytes(job.bundle)
        write_job(folder, job.job)
        complaint = _run_child(job.attempt, folder, tell)
        try:
            answer = json.loads((folder / ANSWER).read_text(encoding="utf-8"))
            bundle = (folder / RETURNED).read_bytes() if not answer["problem"] else b""
        except (OSError, ValueError):
            return RemoteResult({"problem": f"The agent's process has ended: {complaint}"})
        return RemoteResult(answer, bundle)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def stop_attempt(attempt: str) -> None:
    """End an attempt on this worker, and don't begin it any more; returns at once."""
    with _guard:
        _stopped[attempt] = None
        while len(_stopped) > _MAX_STOPPED:
            _stopped.popitem(last=False)
        process = _running.get(attempt)
    if process is not None:
        _close_input(process)
        killing = threading.Timer(_GRACE_S, _kill, (process,))
        killing.daemon = True
        killing.start()


def _run_child(attempt: str, folder: Path, tell: Callable[[Mapping[str, object]], None]) -> str:
    """Run the child to its end; returns the last words of its errors."""
    with (folder / "errors").open("w+b") as errors:
        with _guard:
            if attempt in _stopped:
                return "it was stopped"
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", CHILD, str(folder)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=folder,
                start_new_session=True,
            )
            _running[attempt] = process
        try:
            while line := _read_line(process):
                with suppress(ValueError):
                    tell(json.loads(line))
            process.wait()
        finally:
            with _guard:
                del _running[attempt]
            _end(process)
            if process.stdout is not None:
                process.stdout.close()
        errors.seek(0, os.SEEK_END)
        errors.seek(max(0, errors.tell() - _COMPLAINT))
        said = errors.read().decode("utf-8", "replace").strip()
        return f"exit status {process.returncode}. {said}"


def _read_line(process: "subprocess.Popen[bytes]") -> bytes:
    return process.stdout.readline(_MAX_LINE) if process.stdout is not None else b""


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a child: by the end of its input, then by a signal to all of its group."""
    _close_input(process)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE_S)
    _kill(process)
    process.wait()


def _close_input(process: "subprocess.Popen[bytes]") -> None:
    if process.stdin is not None:
        with suppress(OSError):
            process.stdin.close()


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """Kill what is left of a child's group; its number is its own as long as nobody has waited."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
