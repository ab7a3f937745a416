import asyncio
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, Busy, RefusedPath
from jupyter_ac.store import locks
from jupyter_ac.store.locks import NamedLocks, hold

HOLDER = """
import asyncio, pathlib, sys
from jupyter_ac.store.locks import hold

async def main():
    async with hold(pathlib.Path(sys.argv[1]), "git"):
        print("held", flush=True)
        sys.stdin.read()

asyncio.run(main())
"""


def _hold_elsewhere(state_dir: Path) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(state_dir)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    return child


def _end(child: subprocess.Popen[str]) -> None:
    child.kill()
    child.communicate(timeout=30)


async def test_only_one_task_is_inside(tmp_path: Path) -> None:
    inside = most = 0

    async def work() -> None:
        nonlocal inside, most
        async with hold(tmp_path, "git"):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.001)
            inside -= 1

    await asyncio.wait_for(asyncio.gather(*(work() for _ in range(20))), 30)
    assert (inside, most) == (0, 1)


async def test_locks_of_different_names_do_not_meet(tmp_path: Path) -> None:
    async with hold(tmp_path, "git"), hold(tmp_path, "edits"):
        assert {place.suffix for place in (tmp_path / "locks").iterdir()} == {".lock", ".held"}


async def test_a_lock_held_elsewhere_is_waited_for_and_its_age_said(tmp_path: Path) -> None:
    child = _hold_elsewhere(tmp_path)
    try:
        started = time.monotonic()
        with pytest.raises(Busy, match=rf"Process {child.pid} has held the lock 'git' for \d+ s"):
            async with hold(tmp_path, "git", wait_s=0.2):
                pass
        assert time.monotonic() - started >= 0.2
    finally:
        _end(child)


async def test_a_lock_ends_with_the_process_that_held_it(tmp_path: Path) -> None:
    _end(_hold_elsewhere(tmp_path))
    async with hold(tmp_path, "git", wait_s=1):
        note = json.loads((tmp_path / "locks" / "git.held").read_text())
        assert set(note) == {"pid", "since"}


async def test_the_loop_stays_free_while_waiting(tmp_path: Path) -> None:
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0.005)
            turns += 1

    async with hold(tmp_path, "git"):
        counting = asyncio.ensure_future(count())
        with pytest.raises(Busy):
            async with hold(tmp_path, "git", wait_s=0.2):
                pass
        counting.cancel()
    assert turns > 5


async def test_a_waiter_that_is_cancelled_leaves_the_lock_free(tmp_path: Path) -> None:
    async def wait() -> None:
        async with hold(tmp_path, "git", wait_s=5):
            pass

    async with hold(tmp_path, "git"):
        waiting = asyncio.ensure_future(wait())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    async with hold(tmp_path, "git", wait_s=0):
        pass


async def test_an_error_inside_frees_the_lock_and_passes(tmp_path: Path) -> None:
    with pytest.raises(LookupError):
        async with hold(tmp_path, "git"):
            raise LookupError
    async with hold(tmp_path, "git", wait_s=0):
        pass


@pytest.mark.parametrize("note", ["", "nonsense", "[]", '{"pid": "x", "since": null}'])
async def test_a_note_that_can_not_be_read_is_done_without(tmp_path: Path, note: str) -> None:
    async with hold(tmp_path, "git"):
        (tmp_path / "locks" / "git.held").write_text(note)
        with pytest.raises(Busy, match="Another process holds the lock 'git'"):
            async with hold(tmp_path, "git", wait_s=0):
                pass


async def test_a_folder_that_can_not_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "locks").write_text("a file")
    with pytest.raises(RefusedPath, match="folder 'locks' is behind a link, or is no fold"):
        async with hold(tmp_path, "git"):
            pass


async def test_a_state_folder_that_was_removed_is_made_again(tmp_path: Path) -> None:
    state = tmp_path / "git" / "jupyter_ac"
    state.parent.mkdir()
    async with hold(state, "git", wait_s=0):
        shutil.rmtree(state)
    async with hold(state, "git", wait_s=0):
        assert (state.stat().st_mode & 0o777, (state / "locks").is_dir()) == (0o700, True)
    state.parent.rename(tmp_path / "moved")
    with pytest.raises(AcError, match="lock 'git' doesn't exist; open the repository where it is"):
        async with hold(state, "git", wait_s=0):
            pass
    assert not state.parent.exists()


async def test_no_link_in_the_state_folder_is_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / "locks").mkdir()
    note = tmp_path / "locks" / "git.held"
    note.symlink_to(victim)
    async with hold(tmp_path, "git", wait_s=0):
        with pytest.raises(Busy, match="Another process holds"):
            async with hold(tmp_path, "git", wait_s=0):
                pass
    for name in ("git.lock", "git.held"):
        (tmp_path / "locks" / name).unlink(missing_ok=True)
    (tmp_path / "locks" / "git.lock").symlink_to(victim)
    with pytest.raises(RefusedPath, match="something else is at the path of its file"):
        async with hold(tmp_path, "git", wait_s=0):
            pass
    (tmp_path / "locks" / "git.lock").unlink()
    (tmp_path / "locks" / "git.lock").mkdir()
    with pytest.raises(RefusedPath, match="something else is at the path of its file"):
        async with hold(tmp_path, "git", wait_s=0):
            pass
    shutil.rmtree(tmp_path / "locks")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "locks").symlink_to(elsewhere)
    with pytest.raises(RefusedPath, match="behind a link"):
        async with hold(tmp_path, "git", wait_s=0):
            pass
    assert (victim.read_text(), list(elsewhere.iterdir())) == ("precious", [])


async def test_a_pipe_in_place_of_the_note_lets_nobody_wait(tmp_path: Path) -> None:
    (tmp_path / "locks").mkdir()
    note = tmp_path / "locks" / "git.held"
    os.mkfifo(note)
    async with hold(tmp_path, "git", wait_s=0):
        assert note.is_fifo()
        with pytest.raises(Busy, match="Another process holds"):
            async with hold(tmp_path, "git", wait_s=0):
                pass


async def test_tasks_take_turns_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    alone, order = NamedLocks(tmp_path), list[int]()

    async def one(number: int) -> None:
        async with alone.hold("git", "It can't be done"):
            order.append(number)
            await asyncio.sleep(0)
            order.append(number)

    async with asyncio.timeout(30):
        await asyncio.gather(*(one(number) for number in range(20)))
    assert order == [number for number in range(20) for _ in range(2)]


async def test_different_names_do_not_wait_for_each_other(tmp_path: Path) -> None:
    alone = NamedLocks(tmp_path)
    async with asyncio.timeout(30), alone.hold("a", "no"), alone.hold("b", "no"):
        assert {path.name for path in (tmp_path / "locks").glob("*.lock")} == {"a.lock", "b.lock"}


async def test_another_holder_is_named(tmp_path: Path) -> None:
    alone = NamedLocks(tmp_path, wait_s=0.05)
    async with hold(tmp_path, "git"):
        with pytest.raises(Busy, match=rf"can't be done now\. Process {os.getpid()}"):
            async with alone.hold("git", "It can't be done"):
                pass
    async with alone.hold("git", "It can't be done"):
        assert (tmp_path / "locks/git.held").exists()


async def test_who_waits_too_long_in_this_process_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "QUEUE_S", 0.05)
    alone = NamedLocks(tmp_path)
    async with alone.hold("git", "It can't be done"):
        with pytest.raises(Busy, match="too many operations are waiting"):
            async with alone.hold("git", "It can't be done"):
                pass


async def test_several_are_taken_in_one_order_and_all_given_back(tmp_path: Path) -> None:
    alone, inside, most = NamedLocks(tmp_path), 0, 0

    async def one(*names: str) -> None:
        nonlocal inside, most
        async with alone.hold_all(names, "It can't be done"):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1

    async with asyncio.timeout(30):
        await asyncio.gather(
            *(one("a", "b", "a") for _ in range(5)), *(one("b", "a") for _ in "12")
        )
        async with alone.hold("a", "no"), alone.hold("b", "no"):
            assert most == 1


async def test_it_is_held_while_anybody_has_a_lock(tmp_path: Path) -> None:
    named = NamedLocks(tmp_path)
    held = [named.is_held]
    async with named.hold("one", "It can't be done"):
        held.append(named.is_held)
        async with named.hold("two", "It can't be done"):
            pass
        held.append(named.is_held)
    held.append(named.is_held)
    assert held == [False, True, True, False]
