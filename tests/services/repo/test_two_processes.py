"""Two of our processes and a git in a terminal, at work on one repository."""

import asyncio
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jupyter_ac.errors import Busy
from jupyter_ac.git.repository import discover
from tests.support.changing import service_of
from tests.support.repositories import RepositoryFolder, git_environment, make_repository
from tests.support.rival import Acknowledged, count, ended, running_rival
from tests.support.sanity import require_sane

WAIT_S = 90.0
COUNTED = 12


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    made = make_repository(tmp_path / "r", {"a": "1\n", "counter": "0\n"})
    made.git("config", "user.name", "Ada")
    made.git("config", "user.email", "ada@example.org")
    return made


class Terminal(threading.Thread):
    """Stages a file of its own again and again; gives way to locks as a person would.

    Args:
        root: the repository.
        commits: whether it commits as well. `git commit` reads the index before it takes the lock,
            so that it can put back what others have staged in between.
    """

    def __init__(self, root: Path, *, commits: bool) -> None:
        super().__init__()
        self.root = root
        self.enough = threading.Event()
        self.staged = 0
        self.commits = 0
        self._work = ("commit", "-q", "-m", "theirs") if commits else ("status", "--short")

    def run(self) -> None:
        while not self.enough.is_set():
            (self.root / "theirs").write_text(f"{self.staged}\n")
            if not self.git("add", "theirs"):
                continue
            self.staged += 1
            if self.git(*self._work):
                self.commits += 1

    def git(self, *args: str) -> bool:
        done = subprocess.run(
            ["git", *args], cwd=self.root, env=git_environment(), capture_output=True, check=False
        )
        return done.returncode == 0


@contextmanager
def terminal(root: Path, *, commits: bool) -> Iterator[Terminal]:
    thread = Terminal(root, commits=commits)
    thread.start()
    try:
        yield thread
    finally:
        thread.enough.set()
        thread.join(WAIT_S)


def number_in(folder: RepositoryFolder) -> int:
    return int((folder.root / "counter").read_text())


def wait_for(folder: RepositoryFolder, number: int) -> None:
    end = time.monotonic() + WAIT_S
    while number_in(folder) < number:
        assert time.monotonic() < end, f"stuck at {number_in(folder)}"
        time.sleep(0.02)


def require_counted(folder: RepositoryFolder, *told: Acknowledged) -> None:
    assert min(len(each.counted) for each in told) > 0, "one kept the other out"
    assert min(len(each.commits) for each in told) > 0
    counted = sorted(number for one in told for number in one.counted)
    assert counted == list(range(1, number_in(folder) + 1))
    require_sane(folder, [commit for one in told for commit in one.commits])


def test_two_processes_and_a_terminal_lose_nothing(folder: RepositoryFolder) -> None:
    with running_rival(folder.root, "one") as one, running_rival(folder.root, "two") as two:
        with terminal(folder.root, commits=False) as theirs:
            wait_for(folder, COUNTED)
        told = ended(one), ended(two)
    require_counted(folder, *told)
    assert theirs.staged > 0
    for each in told:
        assert each.refused == []
        staged = {name: folder.git("show", f":{name}") for name in each.staged}
        assert staged == each.staged
    made = sum(len(each.commits) for each in told)
    assert int(folder.git("rev-list", "--count", "HEAD")) == 1 + made


def test_no_commit_and_no_write_is_lost_beside_a_terminal_that_commits(
    folder: RepositoryFolder,
) -> None:
    with running_rival(folder.root, "one") as one, running_rival(folder.root, "two") as two:
        with terminal(folder.root, commits=True) as theirs:
            wait_for(folder, COUNTED)
        told = ended(one), ended(two)
    require_counted(folder, *told)
    for each in told:
        # What the other git put back into the index is named, and nothing else is refused.
        assert [reason for reason in each.refused if "the index still has it" not in reason] == []
    # Two gits that commit at once share one file for the message; so commits are counted.
    made = theirs.commits + sum(len(each.commits) for each in told)
    assert int(folder.git("rev-list", "--count", "HEAD")) == 1 + made


def test_a_lock_whose_holder_was_killed_is_taken_over_at_once(folder: RepositoryFolder) -> None:
    with running_rival(folder.root, "one") as one, running_rival(folder.root, "two") as two:
        wait_for(folder, 5)
        one.kill()
        one.wait(WAIT_S)
        at = number_in(folder)
        wait_for(folder, at + 10)
        told = ended(two)
    assert told.refused == []
    assert sorted(set(told.counted)) == told.counted
    folder.git("fsck", "--full", "--strict")
    staged = {name: folder.git("show", f":{name}") for name in told.staged}
    assert staged == told.staged


async def test_a_process_that_stands_still_makes_others_give_up_in_time_and_does_no_damage(
    folder: RepositoryFolder,
) -> None:
    service = service_of(await discover(folder.root), wait_s=0.3)
    with running_rival(folder.root, "one") as one:
        await asyncio.to_thread(wait_for, folder, 3)
        said: list[str] = []
        async with asyncio.timeout(WAIT_S):
            # Until it is stopped with a lock of ours in its hands; it may be one of git's first.
            while not any(f"Process {one.pid} has held the lock" in reason for reason in said):
                said.clear()
                os.kill(one.pid, signal.SIGSTOP)
                for call in (service.staging.stage_all, lambda: count(service, Acknowledged())):
                    try:
                        await call()
                    except Busy as error:
                        said.append(error.message)
                os.kill(one.pid, signal.SIGCONT)
        await asyncio.to_thread(wait_for, folder, number_in(folder) + 5)
        told = await asyncio.to_thread(ended, one)
    assert told.refused == []
    require_sane(folder, told.commits)
