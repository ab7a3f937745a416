import asyncio

import pytest

from jupyter_ac.services.repo.limiter import Limiter


class Page:
    """Stands for a caller."""


async def test_a_third_caller_does_not_wait_for_one_that_asks_too_often() -> None:
    limiter = Limiter(each=2, overall=3)
    done = asyncio.Event()
    greedy, other = Page(), Page()

    async def work() -> None:
        async with limiter.turn(greedy):
            await done.wait()

    tasks = [asyncio.create_task(work()) for _ in range(20)]
    await asyncio.sleep(0)
    async with asyncio.timeout(30), limiter.turn(other):
        assert not any(task.done() for task in tasks)
        done.set()
    await asyncio.gather(*tasks)


async def test_no_more_than_so_many_work_at_once() -> None:
    limiter = Limiter(each=2, overall=3)
    at_work: list[Page] = []
    most: list[tuple[int, int]] = []

    async def work(page: Page) -> None:
        async with limiter.turn(page):
            at_work.append(page)
            most.append((at_work.count(page), len(at_work)))
            await asyncio.sleep(0)
            at_work.remove(page)

    pages = [Page(), Page(), Page()]
    await asyncio.gather(*(work(page) for page in pages for _ in range(10)))
    assert (max(own for own, _ in most), max(all_ for _, all_ in most)) == (2, 3)


async def test_a_turn_ends_with_its_work_however_that_ends() -> None:
    limiter, page = Limiter(each=1, overall=1), Page()
    with pytest.raises(ValueError, match="failed"):
        async with limiter.turn(page):
            raise ValueError("failed")
    async with asyncio.timeout(30), limiter.turn(page):
        assert len(limiter._own) == 1


async def test_a_caller_that_is_gone_is_forgotten() -> None:
    limiter, page = Limiter(each=1, overall=1), Page()
    async with limiter.turn(page):
        assert len(limiter._own) == 1
    del page
    assert len(limiter._own) == 0
