"""Fixtures around the scripted model server and the real models worker.

The worker takes seconds to load, and belongs to one event loop. So it lives for the whole test run
on a loop in a thread of its own, and tests that ask it are plain functions.
"""

import asyncio
import contextlib
import json
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from jupyter_ac.models.client import ModelsClient
from jupyter_ac.workers.process import Worker

SCRIPT = Path(__file__).with_name("model_server.py")
LIMIT_S = 90.0

_Result = TypeVar("_Result")


class RunningModelServer:
    """A scripted model server in a process of its own.

    Attributes:
        anthropic: base address for Anthropic's wire format.
        openai: base address for OpenAI's.
        record: folder with a file for each request's body.
    """

    def __init__(self, process: "subprocess.Popen[str]", port: int, record: Path) -> None:
        self.process = process
        self.anthropic = f"http://127.0.0.1:{port}"
        self.openai = f"{self.anthropic}/v1"
        self.record = record
        self._forgotten = 0

    def begin(self, record: Path) -> None:
        """Be as a server that has just been started with this folder for its record."""
        data = str(record).encode()
        request = urllib.request.Request(f"{self.anthropic}/__begin", data, method="POST")
        with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
            answer.read()
        self.record, self._forgotten = record, 0

    def forget(self) -> None:
        """Reset: earlier requests are forgotten, and names select the scenarios."""
        self._forgotten = 0
        self._forgotten = len(self.requests())
        self.answer_as("")

    def answer_as(self, scenario: str) -> None:
        """Answer all further requests so, whatever the model's name; by the name again when ""."""
        request = urllib.request.Request(f"{self.anthropic}/__as/{scenario}", method="POST")
        with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
            answer.read()

    def say(self, *answers: str) -> None:
        """Script all further answers of `scripted-edits` and `-tools`, until `answer_as`."""
        data = "\n=====\n".join(answers).encode()
        request = urllib.request.Request(f"{self.anthropic}/__say", data, method="POST")
        with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
            answer.read()

    def requests(self) -> list[dict[str, object]]:
        """What came so far."""
        with urllib.request.urlopen(f"{self.anthropic}/__requests", timeout=LIMIT_S) as answer:
            rows: list[dict[str, object]] = json.load(answer)
        return rows[self._forgotten :]

    def bodies(self) -> list[dict[str, object]]:
        """The body of each request."""
        paths = sorted(self.record.glob("*.json"), key=lambda path: int(path.stem))
        return [json.loads(path.read_bytes()) for path in paths[self._forgotten :]]

    def wait_until(self, is_true: Callable[[list[dict[str, object]]], bool]) -> None:
        """Wait, within bounds, until what came fulfils the condition."""
        end = time.monotonic() + LIMIT_S
        while not is_true(self.requests()):
            if time.monotonic() > end:
                raise AssertionError(f"still not true of {self.requests()}")
            time.sleep(0.01)


@contextlib.contextmanager
def running_model_server(record: Path, *options: str) -> Iterator[RunningModelServer]:
    """Run the server with these further options."""
    command = [sys.executable, str(SCRIPT), "--record", str(record), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            word, port = process.stdout.readline().split()
            assert word == "READY"
            yield RunningModelServer(process, int(port), record)
        finally:
            process.terminate()


@pytest.fixture(scope="session")
def model_server_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningModelServer]:
    """The server behind `model_server`: to start one takes longer than most tests ask it for."""
    with running_model_server(tmp_path_factory.mktemp("model-server")) as server:
        yield server


@pytest.fixture
def model_server(model_server_process: RunningModelServer, tmp_path: Path) -> RunningModelServer:
    """A scripted model server that knows nothing of earlier tests."""
    model_server_process.begin(tmp_path / "requests")
    return model_server_process


class BackgroundLoop:
    """An event loop in a thread."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name="background loop")
        self._thread.start()

    def run(self, work: Coroutine[object, object, _Result], limit_s: float = LIMIT_S) -> _Result:
        """Run a coroutine to its end, within bounds."""
        return asyncio.run_coroutine_threadsafe(_bounded(work, limit_s), self.loop).result()

    def close(self) -> None:
        """Stop the loop and its thread."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(LIMIT_S)
        self.loop.close()


async def _bounded(work: Coroutine[object, object, _Result], limit_s: float) -> _Result:
    return await asyncio.wait_for(work, limit_s)


@pytest.fixture(scope="session")
def background() -> Iterator[BackgroundLoop]:
    """A loop that outlives the single test."""
    loop = BackgroundLoop()
    yield loop
    loop.close()


@pytest.fixture(scope="session")
def models_worker(background: BackgroundLoop) -> Iterator[Worker]:
    """The real models worker, warm, on the background loop."""
    worker = Worker("models", env=KEYS)
    background.run(ModelsClient(worker).warm(), limit_s=60)
    yield worker
    background.run(worker.aclose())


KEYS = {
    "OPENAI_API_KEY": "sk-test-openai-0123456789",
    "ANTHROPIC_API_KEY": "sk-ant-test-0123456789",
}
"""Keys that the worker of the test run holds."""


@pytest.fixture
def models(models_worker: Worker) -> ModelsClient:
    """A client of the models worker."""
    return ModelsClient(models_worker)
