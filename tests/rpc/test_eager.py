"""Coroutines that are started eagerly, and the guarantees when they wait."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from contextvars import ContextVar

import pytest

from jupyter_ac.rpc.eager import Starter

NAME: ContextVar[str] = ContextVar("name", default="unset")


@asynccontextmanager
async def starting() -> AsyncIterator[Starter]:
    """Give a starter; at the end no task of its is left."""
    before = asyncio.all_tasks()
    starter = Starter()
    yield starter
    async with asyncio.timeout(30):
        await starter.close()
        assert asyncio.all_tasks() <= before


async def nothing() -> None:
    return


async def test_what_never_waits_has_ended_when_start_returns() -> None:
    ran: list[int] = []

    async def quick(number: int) -> None:
        ran.append(number)

    before = len(asyncio.all_tasks())
    async with starting() as starter:
        for number in range(3):
            assert starter.start(quick(number)) is None
        assert ran == [0, 1, 2]
        assert len(asyncio.all_tasks()) == before + 1


async def test_what_waits_goes_on_in_a_task() -> None:
    gate = asyncio.Event()
    ran: list[str] = []

    async def waits() -> None:
        ran.append("begun")
        await gate.wait()
        ran.append("in between")
        await asyncio.sleep(0)
        ran.append("ended")

    async with starting() as starter:
        task = starter.start(waits())
        assert task is not None
        assert ran == ["begun"]
        gate.set()
        await task
        assert ran == ["begun", "in between", "ended"]


async def test_the_task_is_the_same_from_beginning_to_end_and_the_callers_is_its_own_again() -> (
    None
):
    observed: list[object] = []

    async def looks() -> None:
        observed.append(asyncio.current_task())
        await asyncio.sleep(0)
        observed.append(asyncio.current_task())

    async with starting() as starter:
        mine = asyncio.current_task()
        task = starter.start(looks())
        assert asyncio.current_task() is mine
        assert task is not None
        await task
        assert observed == [task, task]


async def test_starting_outside_of_any_task() -> None:
    async def waits() -> None:
        await asyncio.sleep(0)

    loop = asyncio.get_running_loop()
    started: asyncio.Future[object] = loop.create_future()
    async with starting() as starter:
        loop.call_soon(lambda: started.set_result(starter.start(waits())))
        task = await started
        assert isinstance(task, asyncio.Task)
        await task


async def test_a_coroutine_may_start_another() -> None:
    order: list[str] = []

    async def inner() -> None:
        order.append("inner")
        await asyncio.sleep(0)
        order.append("inner again")

    async def outer(starter: Starter) -> None:
        order.append("outer")
        task = starter.start(inner())
        assert task is not None
        await task
        order.append("outer again")

    async with starting() as starter, starting() as other:
        task = starter.start(outer(other))
        assert task is not None
        await task
        assert order == ["outer", "inner", "inner again", "outer again"]


async def test_a_timeout_that_is_entered_at_once_holds_on_to_the_right_task() -> None:
    outcome: list[str] = []

    async def gives_up() -> None:
        try:
            async with asyncio.timeout(0.01):
                await asyncio.Event().wait()
        except TimeoutError:
            outcome.append("gave up")

    async with starting() as starter:
        task = starter.start(gives_up())
        assert task is not None
        await task
        assert outcome == ["gave up"]


async def test_a_task_group_that_is_entered_at_once_works() -> None:
    results: list[int] = []

    async def one(number: int) -> None:
        await asyncio.sleep(0)
        results.append(number)

    async def group() -> None:
        async with asyncio.TaskGroup() as tasks:
            for number in range(3):
                tasks.create_task(one(number))

    async with starting() as starter:
        task = starter.start(group())
        assert task is not None
        await task
        assert sorted(results) == [0, 1, 2]


async def test_context_variables_are_inherited_kept_and_not_passed_on() -> None:
    observed: list[str] = []

    async def names(name: str, *, wait: bool) -> None:
        observed.append(NAME.get())
        NAME.set(name)
        if wait:
            await asyncio.sleep(0)
            observed.append(NAME.get())
            await asyncio.create_task(child())

    async def child() -> None:
        observed.append(NAME.get())

    NAME.set("outside")
    async with starting() as starter:
        starter.start(names("one", wait=False))
        task = starter.start(names("two", wait=True))
        assert task is not None
        assert NAME.get() == "outside"
        await task
        assert observed == ["outside", "outside", "two", "two"]
        assert NAME.get() == "outside"


async def waits_for_event(_: list[str]) -> None:
    await asyncio.Event().wait()


async def waits_for_turns(_: list[str]) -> None:
    while True:
        await asyncio.sleep(0)


async def waits_for_child(observed: list[str]) -> None:
    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            observed.append("child")
            raise

    task = asyncio.create_task(waits())
    await asyncio.gather(task)


async def waits_for_quick_futures(_: list[str]) -> None:
    loop = asyncio.get_running_loop()
    while True:
        soon = loop.create_future()
        loop.call_soon(settle, soon)
        await soon


def settle(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)


@pytest.mark.parametrize("is_fresh", [True, False])
@pytest.mark.parametrize("after", [0, 1, 2, 3])
@pytest.mark.parametrize(
    "kind", [waits_for_event, waits_for_turns, waits_for_child, waits_for_quick_futures]
)
async def test_a_cancellation_reaches_the_coroutine_at_any_time(
    kind: Callable[[list[str]], Coroutine[None, None, None]], after: int, is_fresh: bool
) -> None:
    observed: list[str] = []

    async def waits() -> None:
        try:
            await kind(observed)
        except asyncio.CancelledError:
            observed.append("cancelled")
            raise

    async with starting() as starter:
        if not is_fresh:
            assert starter.start(nothing()) is None
            await asyncio.sleep(0)
        task = starter.start(waits())
        assert task is not None
        for _ in range(after):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert observed[-1] == "cancelled"
        if kind is waits_for_child and after > 0:
            assert observed == ["child", "cancelled"]


async def test_what_it_waits_for_may_be_waited_for_by_others() -> None:
    gate: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    ran: list[int] = []

    async def waits(number: int) -> None:
        await asyncio.shield(gate) if number % 2 else await gate
        ran.append(number)

    async with starting() as starter:
        tasks = []
        for number in range(6):
            tasks.append(starter.start(waits(number)))
            tasks.append(asyncio.create_task(waits(number)))
        await asyncio.sleep(0)
        gate.set_result(None)
        await asyncio.gather(*filter(None, tasks))
        assert len(tasks) == len(ran) == 12


async def test_what_it_waits_for_may_come_before_the_task() -> None:
    gate: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    ran: list[int] = []

    async def waits() -> None:
        ran.append(await gate)

    async with starting() as starter:
        task = starter.start(waits())
        gate.set_result(5)
        assert task is not None
        await task
        assert ran == [5]


async def test_a_coroutine_may_survive_its_cancellation() -> None:
    observed: list[str] = []

    async def stubborn() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            observed.append("heard")
        await asyncio.sleep(0)
        observed.append("went on")

    async with starting() as starter:
        task = starter.start(stubborn())
        assert task is not None
        task.cancel()
        await task
        assert observed == ["heard", "went on"]


async def test_errors_come_out_at_once_or_of_the_task() -> None:
    async def fails(*, wait: bool) -> None:
        if wait:
            await asyncio.sleep(0)
        raise ValueError("on purpose")

    async with starting() as starter:
        with pytest.raises(ValueError, match="on purpose"):
            starter.start(fails(wait=False))
        assert asyncio.current_task() is not None
        task = starter.start(fails(wait=True))
        assert task is not None
        with pytest.raises(ValueError, match="on purpose"):
            await task


async def test_after_the_end_a_start_works_as_before() -> None:
    async def waits() -> None:
        await asyncio.sleep(0)

    async with starting() as starter:
        assert starter.start(nothing()) is None
        await starter.close()
        await starter.close()
        task = starter.start(waits())
        assert task is not None
        await task
