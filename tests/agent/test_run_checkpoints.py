import asyncio
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, NotReady
from jupyter_ac.git.checkpoints.store import Checkpoint
from tests.agent.runs import RunWorld, run_world


async def writes(world: RunWorld, name: str, text: str = "new\n") -> str:
    await asyncio.to_thread((world.folder.root / name).write_text, text)
    return name


async def test_what_changes_something_is_an_interval(tmp_path: Path) -> None:
    world = await run_world(tmp_path)
    checkpoints = world.checkpoints()
    assert await checkpoints.around(1, lambda: writes(world, "made.txt")) == "made.txt"
    await checkpoints.around(2, lambda: writes(world, "made.txt"))
    await checkpoints.around(3, lambda: writes(world, "a.txt"))
    assert [one.step for one in checkpoints.intervals] == [1, 3]
    assert checkpoints.intervals[0].after == checkpoints.intervals[1].before
    assert checkpoints.changed == {"made.txt", "a.txt"}


async def test_what_the_user_changes_between_two_steps_is_not_the_runs(tmp_path: Path) -> None:
    world = await run_world(tmp_path)
    checkpoints = world.checkpoints()
    await checkpoints.around(1, lambda: writes(world, "a.txt"))
    await writes(world, "b.txt", "the user's\n")
    await checkpoints.around(2, lambda: writes(world, "made.txt"))
    assert checkpoints.changed == {"a.txt", "made.txt"}
    assert checkpoints.intervals[0].after != checkpoints.intervals[1].before


async def test_what_a_command_in_the_background_changes_between_two_steps_is_the_runs(
    tmp_path: Path,
) -> None:
    world = await run_world(tmp_path)
    checkpoints = world.checkpoints()
    checkpoints.is_busy = lambda: True
    await checkpoints.around(1, lambda: writes(world, "made.txt"))
    await writes(world, "b.txt", "between\n")
    checkpoints.is_busy = lambda: False
    await checkpoints.around(2, lambda: writes(world, "a.txt"))
    await writes(world, "b.txt", "the user's\n")
    await checkpoints.close()
    assert [one.step for one in checkpoints.intervals] == [1, 1, 2]
    assert checkpoints.changed == {"made.txt", "b.txt", "a.txt"}
    names = [name for one in checkpoints.intervals for name in (one.before, one.after)]
    assert names[1:5:2] == names[2:6:2]


async def test_what_a_command_changes_until_the_run_ends_is_the_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = await run_world(tmp_path)
    checkpoints = world.checkpoints()
    checkpoints.is_busy = lambda: True
    await checkpoints.around(1, lambda: writes(world, "made.txt"))
    await writes(world, "b.txt", "late\n")
    await checkpoints.close()
    assert checkpoints.changed == {"made.txt", "b.txt"}
    await checkpoints.around(2, lambda: writes(world, "a.txt"))

    async def full(_run: str) -> Checkpoint:
        raise NotReady("The disk is full.")

    monkeypatch.setattr(world.store, "take", full)
    await checkpoints.close()
    assert checkpoints.changed == {"made.txt", "b.txt", "a.txt"}


async def test_a_failure_and_a_cancellation_are_noted_too(tmp_path: Path) -> None:
    world = await run_world(tmp_path)
    checkpoints = world.checkpoints()

    async def fails() -> None:
        await writes(world, "half.txt")
        raise NotReady("No.")

    with pytest.raises(NotReady):
        await checkpoints.around(1, fails)
    begun = asyncio.Event()

    async def hangs() -> None:
        await writes(world, "b.txt")
        begun.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(checkpoints.around(2, hangs))
    await asyncio.wait_for(begun.wait(), 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [one.step for one in checkpoints.intervals] == [1, 2]
    assert checkpoints.changed == {"half.txt", "b.txt"}


async def test_nothing_is_done_without_a_checkpoint_before_it(tmp_path: Path) -> None:
    world = await run_world(tmp_path)
    with pytest.raises(AcError):
        await world.checkpoints("../else").around(1, lambda: writes(world, "made.txt"))
    assert not (world.folder.root / "made.txt").exists()


async def test_what_was_done_stays_when_no_checkpoint_can_be_taken_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = await run_world(tmp_path)
    take, taken = world.store.take, list[Checkpoint]()

    async def take_once(run: str) -> Checkpoint:
        if taken:
            raise NotReady("The disk is full.")
        taken.append(await take(run))
        return taken[0]

    monkeypatch.setattr(world.store, "take", take_once)
    checkpoints = world.checkpoints()
    assert await checkpoints.around(1, lambda: writes(world, "made.txt")) == "made.txt"
    assert (checkpoints.intervals, checkpoints.changed) == ([], set())
