"""What the host may ask of a kernel while its cell waits; `test_cell_agent` has a real host."""

import asyncio
import hashlib
import threading
from collections.abc import Awaitable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.hosts.kernel.kernel_requests import SESSION, KernelRequests

if TYPE_CHECKING:
    from concurrent.futures import Future

LIMIT_S = 60.0
NOT_HERE = {"status": "not_here"}


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> Iterator[KernelRequests]:
    monkeypatch.delenv(SESSION, raising=False)
    shell = InteractiveShell.instance()
    yield KernelRequests(shell)
    InteractiveShell.clear_instance()


def handler(requests: KernelRequests, name: str, *arguments: object) -> object:
    return requests.methods[f"AcApp.{name}"].handler(*arguments)


def kernel_of(requests: KernelRequests, notebook: str) -> str:
    return str(handler(requests, "notebookKernel", notebook))


def cell(kernel_id: str, code: str) -> dict[str, object]:
    sha256 = hashlib.sha256(code.encode()).hexdigest()
    given = {"run_id": "r1", "kernel_id": kernel_id, "code": code, "sha256": sha256}
    return given | {"time_limit_s": 600}


class HostThread:
    """A loop on a thread of its own, as that of the child."""

    def __init__(self, requests: KernelRequests) -> None:
        self.requests = requests
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def run(self, given: object) -> "Future[Mapping[str, object]]":
        """Ask for a cell; returns when it waits for the thread of the cell, or is answered."""

        async def work() -> Mapping[str, object]:
            running = handler(self.requests, "runCell", given)
            return await cast("Awaitable[Mapping[str, object]]", running)

        future = asyncio.run_coroutine_threadsafe(work(), self.loop)
        done = asyncio.run_coroutine_threadsafe(asyncio.sleep(0), self.loop)
        done.result(LIMIT_S)
        return future

    def close(self) -> None:
        """End it."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(LIMIT_S)
        self.loop.close()


@pytest.fixture
def host(requests: KernelRequests) -> Iterator[HostThread]:
    made = HostThread(requests)
    yield made
    made.close()


def test_when_no_cell_waits_it_has_nothing(
    requests: KernelRequests, host: HostThread, tmp_path: Path
) -> None:
    assert kernel_of(requests, "a.ipynb") == ""
    with requests.attended(tmp_path):
        kernel_id = kernel_of(requests, "a.ipynb")
    with requests.attended(None):
        assert kernel_of(requests, "a.ipynb") == ""
        assert handler(requests, "listVariables", "a.ipynb") is None
        assert host.run(cell(kernel_id, "1")).result(LIMIT_S) == NOT_HERE


@pytest.mark.parametrize("own", ["garden/b.ipynb", "{root}/b.ipynb"])
def test_it_has_its_own_notebook_only(
    own: str, requests: KernelRequests, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "b.ipynb").touch()
    (tmp_path / "a.ipynb").touch()
    monkeypatch.setenv(SESSION, own.format(root=tmp_path))
    with requests.attended(tmp_path):
        assert kernel_of(requests, "b.ipynb")
        assert kernel_of(requests, "a.ipynb") == ""
        assert handler(requests, "listVariables", "a.ipynb") is None
        assert handler(requests, "listVariables", "") is not None


def test_a_cell_runs_on_the_thread_that_serves(
    requests: KernelRequests, host: HostThread, tmp_path: Path
) -> None:
    with requests.attended(tmp_path):
        kernel_id = kernel_of(requests, "a.ipynb")
        answer = host.run(cell(kernel_id, "print(6 * 7)"))
        assert not answer.done()
        requests.serve()
        found = answer.result(LIMIT_S)
    assert found["status"] == "ok"
    assert found["outputs"] == [{"output_type": "stream", "name": "stdout", "text": "42\n"}]


def test_only_the_approved_code_in_this_kernel_runs(
    requests: KernelRequests, host: HostThread, tmp_path: Path
) -> None:
    with requests.attended(tmp_path):
        kernel_id = kernel_of(requests, "a.ipynb")
        changed = cell(kernel_id, "1") | {"code": "2"}
        assert host.run(changed).result(LIMIT_S)["status"] == "failed"
        others: list[object] = [cell("another", "1"), {"run_id": "r1"}, None, []]
        for given in others:
            assert host.run(given).result(LIMIT_S) == NOT_HERE
        requests.serve()


def test_what_was_not_run_when_the_cell_ends_or_is_interrupted_never_runs(
    requests: KernelRequests, host: HostThread, tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    with requests.attended(tmp_path):
        kernel_id = kernel_of(requests, "a.ipynb")
        given = cell(kernel_id, f"open({str(mark)!r}, 'w')")
        first = host.run(given)
        host.loop.call_soon_threadsafe(handler, requests, "interruptCell", "r1")
        assert first.result(LIMIT_S)["status"] == "failed"
        second = host.run(given | {"run_id": "r2"})
    assert second.result(LIMIT_S)["status"] == "failed"
    requests.serve()
    assert not mark.exists()


def test_an_interrupt_of_the_user_ends_the_serving_and_is_answered_when_released(
    requests: KernelRequests, host: HostThread, tmp_path: Path
) -> None:
    code = "import signal; signal.raise_signal(signal.SIGINT)\nwhile True: pass"
    with requests.attended(tmp_path):
        answer = host.run(cell(kernel_of(requests, "a.ipynb"), code))
        with pytest.raises(KeyboardInterrupt):
            requests.serve()
        assert not answer.done()
        requests.release()
        assert answer.result(LIMIT_S)["status"] == "interrupted"
