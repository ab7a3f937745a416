"""Awaits a coroutine to completion even if the caller is cancelled."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


async def run_to_completion(work: Awaitable[T]) -> T:
    """Wait for the work to complete, even if the caller is cancelled meanwhile.

    Otherwise the work would be left half done, or its lock be released before its end.

    Raises:
        CancelledError: the caller was cancelled; the work is complete nevertheless.
        Exception: whatever `work` raises.
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
