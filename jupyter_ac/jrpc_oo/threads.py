"""Threads for the plain methods of objects that are served."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from contextvars import Context, copy_context
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from typing import Final

THREADS: Final = 32


@dataclass(slots=True, eq=False)
class _Job:
    """A call that waits for a thread, or is in one."""

    work: Callable[[], object]
    context: Context
    loop: asyncio.AbstractEventLoop
    future: "asyncio.Future[object]"


class Threads:
    """Runs what would hold up the loop; belongs to that loop.

    Leaner than the standard library's pool, which costs twice as much as a small call. The threads
    start when they are needed and never keep the interpreter from ending.
    """

    def __init__(self) -> None:
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._count = 0
        self._running = 0

    async def run(self, work: Callable[[], object]) -> object:
        """Run something in a thread that sees the caller's context variables.

        Cancelling the wait does not stop what runs.

        Args:
            work: raises nothing but `Exception`, and no `StopIteration`.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[object] = loop.create_future()
        self._running += 1
        if self._running > self._count < THREADS:
            self._count += 1
            threading.Thread(target=_serve, args=(self._jobs,), name="jrpc_oo", daemon=True).start()
        self._jobs.put(_Job(work, copy_context(), loop, future))
        future.add_done_callback(self._done)
        return await future

    def close(self) -> None:
        """Let the threads end with what they are running; further work starts new ones."""
        for _ in range(self._count):
            self._jobs.put(None)
        self._jobs = SimpleQueue()
        self._count = 0

    def _done(self, _future: "asyncio.Future[object]") -> None:
        self._running -= 1


def _serve(jobs: "SimpleQueue[_Job | None]") -> None:
    while (job := jobs.get()) is not None:
        if not job.future.done():
            _run(job)


def _run(job: _Job) -> None:
    deliver: Callable[[], None]
    try:
        deliver = partial(_answer, job.future, job.context.run(job.work))
    except Exception as error:  # noqa: BLE001 - passed on
        deliver = partial(_fail, job.future, error)
    with contextlib.suppress(RuntimeError):  # the loop has been closed meanwhile
        job.loop.call_soon_threadsafe(deliver)


def _answer(future: "asyncio.Future[object]", result: object) -> None:
    if not future.done():
        future.set_result(result)


def _fail(future: "asyncio.Future[object]", error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
