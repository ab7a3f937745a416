"""A thread pool for plain methods of exposed objects.

Switching to other work and back costs the event loop several times the time of a small method. So
the loop waits briefly in place for a method that was fast the last time: the method still runs in a
thread, and may block there, wait for the loop or fail.
"""

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Final

THREADS: Final = 32

QUICK_S: Final = 0.0002
"""Limit for counting as fast."""

PATIENCE_S: Final = 0.001
"""Maximum time that the loop waits in place."""


@dataclass(slots=True, eq=False)
class WorkDuration:
    """Whether some work was fast the last time.

    Attributes:
        is_quick: whether it took less time than switching to other work.
    """

    is_quick: bool = False


def _acquired_lock() -> threading.Lock:
    lock = threading.Lock()
    lock.acquire()
    return lock


@dataclass(slots=True, eq=False)
class _Job:
    """A call that waits for a thread, or runs in one.

    Attributes:
        over: released when `outcome` or `error` is set.
        waiting: completed then in its loop; None while the loop waits in place.
    """

    work: Callable[[], object]
    context: Context
    duration: WorkDuration
    over: threading.Lock = field(default_factory=_acquired_lock)
    waiting: "asyncio.Future[None] | None" = None
    outcome: object = None
    error: Exception | None = None

    def result(self) -> object:
        """Return or raise the outcome, after the end."""
        if self.error is not None:
            raise self.error
        return self.outcome


class Threads:
    """Runs blocking work for one event loop.

    Has less overhead than the standard library's pool, which costs twice as much as a small call.
    The threads start when needed and never keep the interpreter from exiting.
    """

    def __init__(self) -> None:
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._count = 0
        self._running = 0

    async def run(self, work: Callable[[], object], duration: WorkDuration | None = None) -> object:
        """Run a function in a thread, with the caller's context variables.

        Cancelling the wait does not stop the function.

        Args:
            work: raises only `Exception`, and no `StopIteration`.
            duration: whether it was fast the last time; updated. None if unknown.
        """
        job = _Job(work, copy_context(), duration or WorkDuration())
        self._running += 1
        if self._running > self._count < THREADS:
            self._count += 1
            threading.Thread(target=_serve, args=(self._jobs,), name="jrpc_oo", daemon=True).start()
        if job.duration.is_quick and self._running <= self._count:
            self._jobs.put(job)
            if job.over.acquire(timeout=PATIENCE_S):
                self._running -= 1
                return job.result()
            job.duration.is_quick = False
            job.waiting = self._future()
            if job.over.acquire(blocking=False):  # it ended before `waiting` was set
                _wake(job.waiting)
        else:
            job.waiting = self._future()
            self._jobs.put(job)
        await job.waiting
        return job.result()

    def close(self) -> None:
        """Let the threads end after their present work; further work starts new ones."""
        for _ in range(self._count):
            self._jobs.put(None)
        self._jobs = SimpleQueue()
        self._count = 0

    def _future(self) -> "asyncio.Future[None]":
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        future.add_done_callback(self._done)
        return future

    def _done(self, _future: "asyncio.Future[None]") -> None:
        self._running -= 1


def _serve(jobs: "SimpleQueue[_Job | None]") -> None:
    while (job := jobs.get()) is not None:
        if job.waiting is None or not job.waiting.done():
            _run(job)


def _run(job: _Job) -> None:
    begun_s = time.perf_counter()
    try:
        job.outcome = job.context.run(job.work)
    except Exception as error:  # noqa: BLE001 - raised by `result`
        job.error = error
    job.duration.is_quick = time.perf_counter() - begun_s <= QUICK_S
    job.over.release()
    if job.waiting is not None:
        with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
            job.waiting.get_loop().call_soon_threadsafe(_wake, job.waiting)


def _wake(waiting: "asyncio.Future[None]") -> None:
    if not waiting.done():
        waiting.set_result(None)
