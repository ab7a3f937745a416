import asyncio

import pytest

from jupyter_ac.errors import GitError
from jupyter_ac.git.task_groups import gather


async def _give(value: int) -> int:
    await asyncio.sleep(0)
    return value


async def test_results_come_in_the_order_of_the_work() -> None:
    assert await gather(_give(1), _give(2), _give(3)) == [1, 2, 3]


async def test_no_work_gives_no_results() -> None:
    assert await gather() == []


async def test_one_failure_cancels_the_others_and_is_raised_as_it_is() -> None:
    ended = asyncio.Event()

    async def fail() -> int:
        await asyncio.sleep(0)
        raise GitError("no")

    async def wait() -> int:
        try:
            return await asyncio.wait_for(asyncio.Future(), 30)
        finally:
            ended.set()

    with pytest.raises(GitError, match="no"):
        await gather(wait(), fail())
    assert ended.is_set()
