import asyncio
import os
from pathlib import Path

import pytest

from jupyter_ac.errors import Busy
from jupyter_ac.store import exclusive
from jupyter_ac.store.exclusive import NamedLocks
from jupyter_ac.store.locks import hold


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
    monkeypatch.setattr(exclusive, "QUEUE_S", 0.05)
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
    exclusive = NamedLocks(tmp_path)
    held = [exclusive.is_held]
    async with exclusive.hold("one", "It can't be done"):
        held.append(exclusive.is_held)
        async with exclusive.hold("two", "It can't be done"):
            pass
        held.append(exclusive.is_held)
    held.append(exclusive.is_held)
    assert held == [False, True, True, False]
