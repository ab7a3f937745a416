import asyncio

from jupyter_ac.services.repo.refcounted_task import RefcountedTask

WAIT_S = 90


class Work:
    def __init__(self) -> None:
        self.begun = 0
        self.ended = asyncio.Event()

    async def run(self) -> None:
        self.begun += 1
        self.ended.clear()
        try:
            await asyncio.Event().wait()
        finally:
            self.ended.set()


async def test_work_goes_on_while_anybody_is_there() -> None:
    work = Work()
    attendance = RefcountedTask(work.run, 0)
    async with attendance.attended():
        assert work.begun == 1
        async with attendance.attended():
            assert work.begun == 1
        assert attendance.is_running
    async with asyncio.timeout(WAIT_S):
        await work.ended.wait()
    async with attendance.attended():
        assert work.begun == 2
    await attendance.aclose()
    assert not attendance.is_running


async def test_whoever_comes_back_soon_finds_it_running() -> None:
    work = Work()
    attendance = RefcountedTask(work.run, 60)
    for _ in range(3):
        async with attendance.attended():
            pass
        assert attendance.is_running
    assert work.begun == 1
    await attendance.aclose()
    assert work.ended.is_set()


async def test_work_that_was_cancelled_begins_anew_for_the_next() -> None:
    """Also for one who comes before its end."""
    work = Work()
    attendance = RefcountedTask(work.run, 0)
    async with attendance.attended():
        pass
    attendance._stop()
    async with attendance.attended():
        assert work.begun == 2
        assert attendance.is_running
        await asyncio.sleep(0)
        assert not work.ended.is_set()
    await attendance.aclose()


async def test_nobody_ever_came() -> None:
    attendance = RefcountedTask(Work().run, 0)
    await attendance.aclose()
    assert not attendance.is_running


async def test_nothing_begins_again_after_the_end() -> None:
    """A page may come, or still be there, while the host stops."""
    work = Work()
    attendance = RefcountedTask(work.run, 0)
    async with attendance.attended():
        await attendance.aclose()
        assert work.ended.is_set()
        async with attendance.attended():
            assert not attendance.is_running
    assert (work.begun, attendance.is_running) == (1, False)
