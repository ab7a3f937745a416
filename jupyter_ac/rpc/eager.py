"""Starts coroutines eagerly, instead of in the next iteration of the event loop.

A coroutine that ends without waiting then costs no task, no loop iteration and no callback. asyncio
has this from Python 3.12 on (`eager_start`); this is the same for all versions, with the two
functions documented for implementations of tasks.
"""

import asyncio
from asyncio.tasks import _enter_task, _leave_task
from collections.abc import Coroutine, Generator
from contextvars import Context, copy_context
from types import TracebackType
from typing import TypeAlias

Pause: TypeAlias = "asyncio.Future[object] | None"
"""What a coroutine yields: a future, or None for the loop's next iteration."""

Waits: TypeAlias = Coroutine[Pause, None, None]
"""A coroutine without a result."""


class Starter:
    """Starts coroutines eagerly, each in its own context.

    One task is on standby. During the first steps of a coroutine that task is the current one; if
    the coroutine must wait, the task continues it, so that timeouts and task groups refer to the
    right task, and a new standby task is created.
    """

    def __init__(self) -> None:
        self._standby: _Standby | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self, coroutine: Waits) -> "asyncio.Task[None] | None":
        """Run a coroutine up to its first wait.

        Returns:
            The task that continues it; None if it has ended.

        Raises:
            BaseException: raised by the coroutine before its first wait.
        """
        loop = asyncio.get_running_loop()
        # Cleared temporarily, because the coroutine may start another one.
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
        """Cancel the standby task."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait([task])


class _Standby(Generator[Pause, None, None], Coroutine[Pause, None, None]):
    """The coroutine of a standby task: waits until it takes over a started coroutine.

    It is a generator of that coroutine's pauses, and its own awaitable iterator.

    Args:
        begun: the future to wait for until then.
    """

    def __init__(self, begun: "asyncio.Future[None]") -> None:
        self._begun = begun
        self._coroutine: Waits | None = None
        self._context: Context | None = None
        self._pause: Pause = None
        self._is_first = True

    def take_over(self, coroutine: Waits, pause: Pause, context: Context) -> None:
        """Continue a coroutine from its first wait."""
        self._coroutine, self._context, self._pause = coroutine, context, pause
        if pause is not None:
            # Every task does this with a future that it receives; others may wait for it meanwhile.
            pause._asyncio_future_blocking = False  # noqa: SLF001 - asyncio's protocol of futures
        if not self._begun.done():
            self._begun.set_result(None)

    def send(self, value: None, /) -> Pause:
        """Execute the next step."""
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
        """Execute the next step with an exception, such as a cancellation."""
        del value, traceback
        raised = error() if isinstance(error, type) else error
        if self._coroutine is None or self._context is None:
            try:
                raise raised
            finally:
                del error, raised  # the error holds this frame
        if self._is_first:
            pause = self._first_pause()
            # As in any task, the future that it waits for is cancelled as well, which may take
            # time.
            if pause is not None and pause.cancel() and not pause.done():
                return _pause_for(pause)
        step: Pause = self._context.run(self._coroutine.throw, raised)
        return step

    def __await__(self) -> Generator[Pause, None, None]:
        """Return the iterator of steps."""
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
