"""Several commands at once, ended together."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

T = TypeVar("T")


async def together(*work: Coroutine[object, object, T]) -> list[T]:
    """Run all at once and return the results in order.

    When one fails the others are cancelled and waited for, and its error is raised as it is, not
    in a group.
    """
    try:
        async with asyncio.TaskGroup() as tasks:
            running = [tasks.create_task(one) for one in work]
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from None
    return [task.result() for task in running]
