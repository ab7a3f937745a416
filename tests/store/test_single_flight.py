import asyncio

import pytest

from jupyter_ac.store.single_flight import SingleFlight


class Looking:
    """A look that ends when it is told to; gives how many began."""

    def __init__(self) -> None:
        self.begun = 0
        self.ended = 0
        self.go_on = asyncio.Event()
        self.fails = False

    async def look(self) -> int:
        self.begun += 1
        number = self.begun
        try:
            await self.go_on.wait()
        finally:
            self.ended += 1
        if self.fails:
            raise ValueError("no")
        return number


async def _until_begun(looking: Looking, count: int) -> None:
    async with asyncio.timeout(30):
        while looking.begun < count:
            await asyncio.sleep(0)


async def test_who_asks_at_once_shares_a_look_that_has_not_begun() -> None:
    looking = Looking()
    shared = SingleFlight(looking.look)
    first = [asyncio.create_task(shared.get()) for _ in range(3)]
    await _until_begun(looking, 1)
    later = [asyncio.create_task(shared.get()) for _ in range(5)]
    await asyncio.sleep(0)
    looking.go_on.set()
    assert await asyncio.gather(*first, *later) == [1, 1, 1, 2, 2, 2, 2, 2]


async def test_one_who_gives_up_harms_no_other() -> None:
    looking = Looking()
    shared = SingleFlight(looking.look)
    early = [asyncio.create_task(shared.get()) for _ in range(2)]
    await _until_begun(looking, 1)
    late = [asyncio.create_task(shared.get()) for _ in range(2)]
    await asyncio.sleep(0)
    early[0].cancel()
    late[0].cancel()
    looking.go_on.set()
    assert (await early[1], await late[1]) == (1, 2)


async def test_a_look_that_nobody_waits_for_ends_and_the_next_one_begins() -> None:
    looking = Looking()
    shared = SingleFlight(looking.look)
    task = asyncio.create_task(shared.get())
    await _until_begun(looking, 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    again = asyncio.create_task(shared.get())
    await _until_begun(looking, 2)
    assert looking.ended == 1
    looking.go_on.set()
    assert await again == 2


async def test_who_gives_up_last_goes_on_when_the_look_has_ended() -> None:
    ended: list[str] = []
    begun = asyncio.Event()

    async def look() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            for _ in range(10):  # as a command that is killed takes a while
                await asyncio.sleep(0)
            ended.append("look")

    async def give_up() -> None:
        try:
            await SingleFlight(look).get()
        finally:
            ended.append("caller")

    task = asyncio.create_task(give_up())
    await begun.wait()
    task.cancel()
    await asyncio.wait({task})
    assert ended == ["look", "caller"]
    assert task.cancelled()


async def test_one_who_gives_up_before_the_look_has_begun_leaves_nothing_behind() -> None:
    looking = Looking()
    shared = SingleFlight(looking.look)
    task = asyncio.create_task(shared.get())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    looking.go_on.set()
    assert await shared.get() == looking.begun


async def test_a_failure_reaches_all_who_wait_and_not_the_next() -> None:
    looking = Looking()
    looking.fails = True
    looking.go_on.set()
    shared = SingleFlight(looking.look)
    results = await asyncio.gather(*(shared.get() for _ in range(3)), return_exceptions=True)
    assert [str(result) for result in results] == ["no"] * 3
    looking.fails = False
    assert await shared.get() == 2
