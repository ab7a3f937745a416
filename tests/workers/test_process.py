import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.errors import ConnectionClosed, NotReady, RemoteError, TimedOut
from jupyter_ac.workers.process import Worker
from tests.support.processes import is_running, wait_until_gone

LIMIT_S = 90.0
LONG_WORK = ["x" * 4_000_000] * 4


@asynccontextmanager
async def tokens_worker() -> AsyncIterator[Worker]:
    worker = Worker("tokens")
    try:
        yield worker
    finally:
        await asyncio.wait_for(worker.aclose(), LIMIT_S)


async def count(worker: Worker, *texts: str) -> object:
    return await worker.call("Tokens.count", "cl100k_base", list(texts), timeout_s=LIMIT_S)


async def until_noticed(worker: Worker) -> None:
    async with asyncio.timeout(LIMIT_S):
        while worker.pid is not None:
            await asyncio.sleep(0.01)


def nothing(_event: object) -> None:
    pass


async def test_a_call_starts_the_child_and_later_calls_use_the_same() -> None:
    async with tokens_worker() as worker:
        assert worker.pid is None
        assert await count(worker, "hello world") == [2]
        pid = worker.pid
        assert await asyncio.gather(*(count(worker, "hello") for _ in range(20))) == [[1]] * 20
        assert worker.pid == pid


async def test_many_first_calls_start_one_child() -> None:
    async with tokens_worker() as worker:
        peers = await asyncio.gather(*(worker.peer() for _ in range(5)))
        assert len(set(map(id, peers))) == 1


async def test_an_error_of_the_child_keeps_its_type() -> None:
    async with tokens_worker() as worker:
        with pytest.raises(RemoteError) as raised:
            await worker.call("Tokens.count", "nosuch", ["a"])
        assert raised.value.remote_type == "not_found"


async def test_a_killed_child_fails_the_call_in_flight_and_the_next_call_works() -> None:
    async with tokens_worker() as worker:
        await count(worker, "a")
        pid = worker.pid
        assert pid is not None
        call = asyncio.create_task(count(worker, *LONG_WORK))
        await asyncio.sleep(0)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(ConnectionClosed, match="tokens worker process was ended by SIGKILL"):
            await call
        assert worker.pid is None
        assert await count(worker, "hello world") == [2]
        assert worker.pid not in {None, pid}


async def test_a_death_is_told_once_however_many_calls_meet_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with tokens_worker() as worker:
        await count(worker, "a")
        assert worker.pid is not None
        calls = [asyncio.create_task(count(worker, *LONG_WORK)) for _ in range(3)]
        await asyncio.sleep(0)
        os.kill(worker.pid, signal.SIGKILL)
        found = await asyncio.gather(*calls, return_exceptions=True)
        assert [type(each) for each in found] == [ConnectionClosed] * 3
    assert caplog.text.count("was ended by SIGKILL") == 1


async def test_a_child_that_dies_again_and_again_is_started_each_time() -> None:
    async with tokens_worker() as worker:
        for _ in range(3):
            await count(worker, "a")
            assert worker.pid is not None
            os.kill(worker.pid, signal.SIGKILL)
            await until_noticed(worker)
        assert await count(worker, "a") == [1]


async def test_a_call_has_a_limit() -> None:
    async with tokens_worker() as worker:
        await count(worker, "a")
        with pytest.raises(TimedOut):
            await worker.call("Tokens.count", "cl100k_base", LONG_WORK, timeout_s=0.05)


async def test_closing_ends_the_child_even_in_the_middle_of_work() -> None:
    worker = Worker("tokens")
    await count(worker, "a")
    pid = worker.pid
    assert pid is not None
    call = asyncio.create_task(count(worker, *LONG_WORK))
    await asyncio.sleep(0)
    await asyncio.wait_for(worker.aclose(), LIMIT_S)
    assert not is_running(pid)
    with pytest.raises(ConnectionClosed):
        await call
    with pytest.raises(NotReady):
        await worker.start()
    await worker.aclose()


async def test_a_worker_that_was_never_used_closes() -> None:
    worker = Worker("tokens")
    await worker.aclose()
    assert worker.pid is None


async def test_an_unknown_kind_ends_at_once_and_says_so() -> None:
    worker = Worker("nosuch")
    try:
        with pytest.raises(ConnectionClosed, match="nosuch worker process ended with exit status"):
            await worker.call("Tokens.count", "cl100k_base", [])
    finally:
        await worker.aclose()


async def test_the_environment_of_the_worker_reaches_the_child() -> None:
    worker = Worker("tokens", env={"TIKTOKEN_CACHE_DIR": "/nowhere"})
    try:
        # What keeps the child safe is not to be overridden.
        assert await worker.call("Tokens.count", "cl100k_base", ["hello world"]) == [2]
    finally:
        await worker.aclose()


async def test_nothing_is_imported_from_the_directory_in_which_the_host_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = "import pathlib; pathlib.Path(__file__).with_name('sprung').touch()"
    for name in ("tiktoken", "json", "asyncio", "sitecustomize", "regex"):
        (tmp_path / f"{name}.py").write_text(trap)
    (tmp_path / "jupyter_ac").mkdir()
    (tmp_path / "jupyter_ac" / "__init__.py").write_text(trap)
    (tmp_path / ".env").write_text("OPENAI_API_KEY=stolen")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", "")
    async with tokens_worker() as worker:
        assert await count(worker, "hello world") == [2]
    assert not list(tmp_path.rglob("sprung"))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_the_child_is_gone_when_its_parent_was_killed(how: signal.Signals) -> None:
    script = (
        "import asyncio, sys\n"
        "from jupyter_ac.workers.process import Worker\n"
        "async def main():\n"
        "    worker = Worker('tokens')\n"
        "    await worker.call('Tokens.count', 'cl100k_base', ['a'])\n"
        "    print(worker.pid, flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=root
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert is_running(pid)
        parent.send_signal(how)
    wait_until_gone(pid)


async def test_a_cancelled_job_is_cancelled_in_the_child_too() -> None:
    async with tokens_worker() as worker:
        await worker.start()
        job = worker.run("Worker.cancel", on_event=nothing, timeout_s=LIMIT_S)
        # Cancelling a job that doesn't run is remembered, not refused.
        assert await job is None


async def test_a_worker_closed_while_it_starts_leaves_no_child() -> None:
    worker = Worker("tokens")
    starting = asyncio.create_task(worker.peer())
    await asyncio.sleep(0)
    await worker.aclose()
    await asyncio.gather(starting, return_exceptions=True)
    assert worker.pid is None
