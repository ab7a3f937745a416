"""Threads for the plain methods of objects that are served.

Turning to other work and back costs the loop several times what a small method takes. So what was
quick the last time is waited for in place, for a moment: the method runs in its thread all the
same, and may block there, wait for the loop or fail as it likes.
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
"""What has taken no longer the last time is waited for in place."""

PATIENCE_S: Final = 0.001
"""How long the loop stands still for it at most."""


@dataclass(slots=True, eq=False)
class WorkDuration:
    """How quick some work was the last time.

    Attributes:
        is_quick: whether it was over in less time than turning to other work takes.
    """

    is_quick: bool = False


def _taken() -> threading.Lock:
    lock = threading.Lock()
    lock.acquire()
    return lock


@dataclass(slots=True, eq=False)
class _Job:
    """A call that waits for a thread, or is in one.

    Attributes:
        over: free as soon as `outcome` or `error` is there.
        waiting: who is to be told then in its loop; None while the loop stands still for it.
    """

    work: Callable[[], object]
    context: Context
    pace: WorkDuration
    over: threading.Lock = field(default_factory=_taken)
    waiting: "asyncio.Future[None] | None" = None
    outcome: object = None
    error: Exception | None = None

    def result(self) -> object:
        """Give what came of it; it is over."""
        if self.error is not None:
            raise self.error
        return self.outcome


class Threads:
    """Runs what would hold up the loop; belongs to that loop.

    Leaner than the standard library's pool, which costs twice as much as a small call. The threads
    start when they are needed and never keep the interpreter from ending.
    """

    def __init__(self) -> None:
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._count = 0
        self._running = 0

    async def run(self, work: Callable[[], object], pace: WorkDuration | None = None) -> object:
        """Run something in a thread that sees the caller's context variables.

        Cancelling the wait does not stop what runs.

        Args:
            work: raises nothing but `Exception`, and no `StopIteration`.
            pace: how quick it was the last time; brought up to date. None: not known.
        """
        job = _Job(work, copy_context(), pace or WorkDuration())
        self._running += 1
        if self._running > self._count < THREADS:
            self._count += 1
            threading.Thread(target=_serve, args=(self._jobs,), name="jrpc_oo", daemon=True).start()
        if job.pace.is_quick and self._running <= self._count:
            self._jobs.put(job)
            if job.over.acquire(timeout=PATIENCE_S):
                self._running -= 1
                return job.result()
            job.pace.is_quick = False
            job.waiting = self._future()
            if job.over.acquire(blocking=False):  # it has ended before it could see who waits
                _wake(job.waiting)
        else:
            job.waiting = self._future()
            self._jobs.put(job)
        await job.waiting
        return job.result()

    def close(self) -> None:
        """Let the threads end with what they are running; further work starts new ones."""
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
    except Exception as error:  # noqa: BLE001 - passed on
        job.error = error
    job.pace.is_quick = time.perf_counter() - begun_s <= QUICK_S
    job.over.release()
    if job.waiting is not None:
        with contextlib.suppress(RuntimeError):  # the loop has been closed meanwhile
            job.waiting.get_loop().call_soon_threadsafe(_wake, job.waiting)


def _wake(waiting: "asyncio.Future[None]") -> None:
    if not waiting.done():
        waiting.set_result(None)
