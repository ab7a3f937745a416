"""Starting coroutines at once instead of in the loop's next turn.

A coroutine that ends without waiting for anything then costs no task, no turn of the loop, no
callback. asyncio has this from Python 3.12 on (`eager_start`); this is the same for all versions,
by the two functions that its documentation names for implementations of tasks.
"""

import asyncio
from asyncio.tasks import _enter_task, _leave_task
from collections.abc import Coroutine, Generator
from contextvars import Context, copy_context
from types import TracebackType
from typing import TypeAlias

Pause: TypeAlias = "asyncio.Future[object] | None"
"""What a coroutine waits for: a future, or the loop's next turn."""

Waits: TypeAlias = Coroutine[Pause, None, None]
"""What is started: a coroutine that gives nothing."""


class Starter:
    """Starts coroutines, each in a context of its own.

    One task stands by. While a coroutine takes its first steps that task is the current one; if
    the coroutine has to wait, the task goes on with it, so that timeouts and task groups hold on to
    the right one, and another task stands by.
    """

    def __init__(self) -> None:
        self._standby: _Standby | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self, coroutine: Waits) -> "asyncio.Task[None] | None":
        """Run a coroutine up to where it waits.

        Returns:
            The task that it goes on in; None: it has ended.

        Raises:
            BaseException: what the coroutine raised before it waited.
        """
        loop = asyncio.get_running_loop()
        # Taken away for the time being: the coroutine may start another.
        standby, task = self._standby, self._task
        self._standby = self._task = None
        if standby is None or task is None or task.done():
            standby = _Standby(loop.create_future())
            task = loop.create_task(standby)
        context = copy_context()
        current = asyncio.current_task(loop)
        if current is not None:
            _leave_task(loop, current)
        _enter_task(loop, task)
        pause, has_ended = None, True
        try:
            pause = context.run(coroutine.send, None)
            has_ended = False
        except StopIteration:
            return None
        finally:
            _leave_task(loop, task)
            if current is not None:
                _enter_task(loop, current)
            if has_ended:
                self._standby, self._task = standby, task
        standby.take_over(coroutine, pause, context)
        return task

    async def close(self) -> None:
        """End the task that stands by."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait([task])


class _Standby(Generator[Pause, None, None], Coroutine[Pause, None, None]):
    """What a task runs until a coroutine that has begun already needs it; then, that coroutine.

    A generator of the coroutine's pauses, and thereby what awaiting it gives.

    Args:
        begun: what it waits for until then.
    """

    def __init__(self, begun: "asyncio.Future[None]") -> None:
        self._begun = begun
        self._coroutine: Waits | None = None
        self._context: Context | None = None
        self._pause: Pause = None
        self._is_first = True

    def take_over(self, coroutine: Waits, pause: Pause, context: Context) -> None:
        """Go on with a coroutine from where it waits for the first time."""
        self._coroutine, self._context, self._pause = coroutine, context, pause
        if pause is not None:
            # Every task does so with a future that it gets; others may wait for it meanwhile.
            pause._asyncio_future_blocking = False  # noqa: SLF001 - asyncio's protocol of futures
        if not self._begun.done():
            self._begun.set_result(None)

    def send(self, value: None, /) -> Pause:
        """Take the next step."""
        del value
        if self._coroutine is None or self._context is None:
            return _pause_for(self._begun)
        if self._is_first:
            pause = self._first_pause()
            if pause is None:
                return None
            if not pause.done():
                return _pause_for(pause)
        return self._context.run(self._coroutine.send, None)

    def throw(
        self,
        error: type[BaseException] | BaseException,
        value: object = None,
        traceback: TracebackType | None = None,
        /,
    ) -> Pause:
        """Take the next step with an error, such as a cancellation."""
        del value, traceback
        raised = error() if isinstance(error, type) else error
        if self._coroutine is None or self._context is None:
            raise raised
        if self._is_first:
            pause = self._first_pause()
            # What it waits for is cancelled with it, as by any task, and may take its time.
            if pause is not None and pause.cancel() and not pause.done():
                return _pause_for(pause)
        step: Pause = self._context.run(self._coroutine.throw, raised)
        return step

    def __await__(self) -> Generator[Pause, None, None]:
        """Give the steps to whoever waits in place of a task."""
        return self

    def close(self) -> None:
        """Close the coroutine, if there is one."""
        if self._coroutine is not None:
            self._coroutine.close()

    def _first_pause(self) -> Pause:
        pause, self._pause, self._is_first = self._pause, None, False
        return pause


def _pause_for(future: "asyncio.Future[object] | asyncio.Future[None]") -> Pause:
    pause: Pause = next(future.__await__())
    return pause
