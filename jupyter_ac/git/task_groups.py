"""Several commands at once, ended together."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import TypeVar

T = TypeVar("T")


@asynccontextmanager
async def grouped() -> AsyncIterator[asyncio.TaskGroup]:
    """Give a group of tasks that has ended with the block.

    When one fails the others are cancelled and waited for, and its error is raised as it is, not
    in a group.
    """
    try:
        async with asyncio.TaskGroup() as tasks:
            yield tasks
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from None


async def together(*work: Coroutine[object, object, T]) -> list[T]:
    """Run all at once, as in `grouped`, and return the results in order."""
    async with grouped() as tasks:
        running = [tasks.create_task(one) for one in work]
    return [task.result() for task in running]
