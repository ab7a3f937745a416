"""The kernel's own host, from any thread; with the fake child and with the real one."""

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, ConnectionClosed, NotReady
from jupyter_ac.hosts.kernel.child.host import NAME, HostChild, LoopThread
from tests.hosts.kernel.child.ends import FAKE, LIMIT_S, End
from tests.support.processes import is_running, wait_until_gone


@pytest.fixture
def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HostChild]:
    subprocess.run(["git", "init", "--quiet", tmp_path / "repo"], check=True, timeout=LIMIT_S)
    monkeypatch.setenv("JUPYTER_AC_CONFIG_DIR", os.fspath(tmp_path / "config"))
    made = HostChild(tmp_path / "repo")
    yield made
    made.close(LIMIT_S)


def test_nothing_starts_before_the_first_link(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    child = HostChild(tmp_path, arguments=FAKE)
    assert child.pid is None
    assert NAME not in {thread.name for thread in set(threading.enumerate()) - before}


def test_the_page_and_the_conversation_are_told(child: HostChild) -> None:
    end = End()
    end.open(child, "echo", client="page-1", aside="cells-1")
    assert end.frame() == {"opened": {"client": "page-1", "aside": "cells-1"}}


@pytest.mark.parametrize("wrong", ["", "a b", 'a"', "x" * 65])
def test_a_name_that_a_link_cannot_have_is_refused_at_once(child: HostChild, wrong: str) -> None:
    end = End()
    with pytest.raises(AcError):
        end.open(child, wrong)
    with pytest.raises(AcError):
        end.open(child, "echo", aside="a b")
    assert child.pid is None


def test_links_from_many_threads_share_one_process(child: HostChild) -> None:
    pids: list[object] = []

    def use(number: int) -> None:
        end = End()
        end.open(child, f"echo-{number}").send('"pid"')
        end.frame()
        pids.append(end.frame())

    threads = [threading.Thread(target=use, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT_S)
    assert len(pids) == 8
    assert set(pids) == {child.pid}


def test_it_gets_the_kernel_s_environment_as_it_is_at_its_start(
    child: HostChild, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", "set in a cell")
    monkeypatch.setenv("PYTHONPATH", "relative:/absolute")
    end = End()
    end.open(child, "echo").send('"environment"')
    end.frame()
    found = end.frame()
    assert isinstance(found, dict)
    assert found["SOME_KEY"] == "set in a cell"
    assert "relative" not in found["PYTHONPATH"].split(":")


def test_after_its_end_it_opens_nothing(child: HostChild) -> None:
    end = End()
    end.open(child, "echo").send('"pid"')
    end.frame()
    pid = end.frame()
    assert isinstance(pid, int)
    child.close(LIMIT_S)
    child.close(LIMIT_S)
    assert not is_running(pid)
    with pytest.raises(NotReady):
        end.open(child, "echo-2")
    with pytest.raises(NotReady):
        child.submit(asyncio.sleep(0))


KERNEL = """
import os, time
from pathlib import Path
from jupyter_ac.hosts.kernel.child.links import Ends
from jupyter_ac.hosts.kernel.child.host import HostChild
def say(line):
    os.write(1, (str(line) + chr(10)).encode())  # in one piece: threads and processes speak at once
child = HostChild(Path("/"), arguments={arguments!r})
child.open("echo", Ends(say, print)).send('"pid"')
{then}
time.sleep(3600)
"""


@contextmanager
def kernel(then: str) -> Iterator["subprocess.Popen[str]"]:
    script = KERNEL.format(arguments=FAKE, then=then)
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def test_it_ends_when_the_kernel_is_killed() -> None:
    with kernel("") as process:
        assert process.stdout is not None
        assert "opened" in process.stdout.readline()
        pid = int(process.stdout.readline())
        process.kill()
        wait_until_gone(pid)


FORK = """
time.sleep(0)
while child.pid is None: time.sleep(0.01)
forked = os.fork()
if not forked:
    try:
        child.open("echo-2", Ends(print, print))
    except Exception as error:
        say(type(error).__name__)
    child.close(5)
    time.sleep(3600)
say("fork " + str(forked))
"""


def test_a_fork_neither_hangs_nor_keeps_it_alive() -> None:
    with kernel(FORK) as process:
        assert process.stdout is not None
        lines = {process.stdout.readline().strip() for _ in range(4)}
        assert "NotReady" in lines
        pid = next(int(line) for line in lines if line.isdigit())
        forked = next(int(line.split()[1]) for line in lines if line.startswith("fork"))
        try:
            process.kill()
            wait_until_gone(pid)
            assert is_running(forked)
        finally:
            os.kill(forked, 9)


def test_a_peer_of_ours_calls_the_real_host(real: HostChild) -> None:
    async def branch() -> object:
        connection = await real.connect("mine", "aside-1", {})
        peer = connection.peer
        try:
            return await peer.call("Repo.get_current_branch"), peer.remote_methods
        finally:
            await peer.close()
            await connection.life

    found = real.submit(branch()).result(LIMIT_S)
    assert isinstance(found, tuple)
    assert "branch" in found[0]
    assert "LLMService.chat_streaming" in found[1]


def test_without_a_repository_the_real_host_says_so(tmp_path: Path) -> None:
    nowhere = HostChild(tmp_path)
    try:
        with pytest.raises(ConnectionClosed) as caught:
            nowhere.submit(nowhere.connect("mine", "", {})).result(LIMIT_S)
        assert caught.value.close_code == 4404
        assert "repository" in str(caught.value)
    finally:
        nowhere.close(LIMIT_S)


def test_two_links_of_the_real_host_are_two_connections(real: HostChild) -> None:
    first, second = End(), End()
    first.open(real, "one", client="a")
    second.open(real, "two", client="b")
    for end in (first, second):
        handshake = end.frame()
        assert isinstance(handshake, dict)
        assert handshake["method"] == "system.listComponents"


HOSTILE_FRAMES = (
    '"\ud800"',
    'null,{"close":{}}',
    'null,{"open":{"client":"x","aside":"another"}}',
    '{}],["two",null,{"close":{}}',
    "[" * 100_000,
    "x" * 1_000_000,
    "\0",
    "",
    "\n" * 1000,
    '{"jsonrpc":"2.0","id":1e400,"method":"Repo.is_clean"}',
)


def test_hostile_frames_of_one_page_harm_no_other_and_not_itself(real: HostChild) -> None:
    hostile, other = End(), End()
    one = hostile.open(real, "one", client="a")
    two = other.open(real, "two", client="b")
    for frame in HOSTILE_FRAMES:
        one.send(frame)
        two.send('{"jsonrpc":"2.0","id":"well","method":"Repo.is_clean","params":{"args":[]}}')
    one.send('{"jsonrpc":"2.0","id":"still","method":"Repo.is_clean","params":{"args":[]}}')
    answers = [other.frame() for _ in range(len(HOSTILE_FRAMES) + 1)]
    assert sum(answer.get("id") == "well" for answer in map(_object, answers)) == len(
        HOSTILE_FRAMES
    )
    while _object(hostile.frame()).get("id") != "still":
        pass


def _object(frame: object) -> dict[str, object]:
    assert isinstance(frame, dict)
    return frame


def named() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == NAME}


@pytest.fixture
def others() -> set[threading.Thread]:
    """Those of children that other tests have not ended yet."""
    return named()


@pytest.fixture
def thread() -> Iterator[LoopThread]:
    made = LoopThread()
    yield made
    made.stop()
    made.join(LIMIT_S)


async def name_of_thread() -> str:
    return threading.current_thread().name


def test_a_coroutine_runs_on_a_daemon_thread_of_its_own(
    others: set[threading.Thread], thread: LoopThread
) -> None:
    assert thread.submit(name_of_thread()).result(LIMIT_S) == NAME
    (found,) = named() - others
    assert found.daemon
    assert not thread.is_here


def test_functions_run_in_the_order_of_their_calls(thread: LoopThread) -> None:
    seen: list[int] = []
    for number in range(100):
        assert thread.call(seen.append, number)
    thread.submit(asyncio.sleep(0)).result(LIMIT_S)
    assert seen == list(range(100))


def test_at_its_end_what_runs_is_cancelled_and_nothing_is_taken_any_more() -> None:
    thread = LoopThread()
    ended: list[str] = []

    async def long() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    future = thread.submit(long())
    thread.submit(asyncio.sleep(0)).result(LIMIT_S)
    thread.stop()
    thread.join(LIMIT_S)
    assert ended == ["cancelled"]
    assert future.cancelled()
    assert not thread.call(print)
    with pytest.raises(NotReady):
        thread.submit(name_of_thread())
