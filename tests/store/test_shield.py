import asyncio

import pytest

from jupyter_ac.store.shield import run_to_completion


async def test_the_result_and_the_error_are_passed_on() -> None:
    async def fails() -> None:
        raise KeyError("k")

    assert await run_to_completion(asyncio.sleep(0, "done")) == "done"
    with pytest.raises(KeyError):
        await run_to_completion(fails())


async def test_who_is_cancelled_waits_for_the_end() -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()
    ended: list[str] = []

    async def work() -> None:
        begun.set()
        await go_on.wait()
        ended.append("whole")

    caller = asyncio.create_task(run_to_completion(work()))
    await asyncio.wait_for(begun.wait(), 30)
    for _ in range(2):
        caller.cancel()
        await asyncio.sleep(0)
    assert not caller.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(caller, 30)
    assert ended == ["whole"]
