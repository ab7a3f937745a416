"""Runs coroutines in parallel in a task group that raises a single error."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import TypeVar

T = TypeVar("T")


@asynccontextmanager
async def grouped() -> AsyncIterator[asyncio.TaskGroup]:
    """Open a task group whose tasks end with the block.

    If one fails the others are cancelled and awaited, and its error is raised itself, not in a
    group.
    """
    try:
        async with asyncio.TaskGroup() as tasks:
            yield tasks
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from None


async def gather(*work: Coroutine[object, object, T]) -> list[T]:
    """Run coroutines in parallel, as in `grouped`, and return the results in order."""
    async with grouped() as tasks:
        running = [tasks.create_task(one) for one in work]
    return [task.result() for task in running]
