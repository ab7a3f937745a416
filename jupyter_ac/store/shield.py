"""Work that is seen through: it must not be left half done, nor its lock be given away before."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


async def to_end(work: Awaitable[T]) -> T:
    """Do the work and return no earlier than it, whoever cancels meanwhile.

    Raises:
        CancelledError: the caller was cancelled; the work has come to its end all the same.
        Exception: what `work` raises.
    """
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        task.exception()
        raise cancelled
    return task.result()
