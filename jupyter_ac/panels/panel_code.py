"""Runs the code of a panel: in a context of its own, with its tasks; its errors end nothing."""

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from contextlib import suppress
from contextvars import copy_context
from typing import Final, TypeVar

from jupyter_ac.errors import Busy
from jupyter_ac.panels.current_panel import CURRENT_PANEL, LogLevel
from jupyter_ac.panels.guard import Guarded
from jupyter_ac.panels.reports import Audience, Reports, loggable

T = TypeVar("T")

MAX_HANDLERS: Final = 256
"""Handlers of a panel that run at the same time. Effects are bounded by its components."""

_END_S: Final = 1.0
"""For tasks to end after they were cancelled."""


class PanelCode:
    """The code of one panel.

    Args:
        audience: who is told of errors and of lines of the log; may change.
    """

    def __init__(self, audience: Collection[Audience]) -> None:
        self._reports = Reports(audience)
        self._tasks: set[asyncio.Task[object]] = set()
        self._handlers: set[asyncio.Task[object]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = 0
        self._context = copy_context()
        self._context.run(CURRENT_PANEL.set, self)

    @property
    def loop(self) -> asyncio.AbstractEventLoop | None:
        """The loop between `start` and `end`."""
        return self._loop

    def start(self) -> None:
        """Run on the running loop from now on."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()

    async def end(self) -> None:
        """Cancel all tasks, and wait for them, but not for ever."""
        self._loop = None
        tasks = self._tasks - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=_END_S)

    def run(self, work: Callable[[], T]) -> T:
        """Do work in the panel's context; raises what it raises."""
        return self._context.copy().run(work)

    def handle(self, handler: Callable[..., object], args: Sequence[object]) -> None:
        """Run the function of an event; a coroutine goes on beside.

        Args:
            handler: gets as many of the arguments as it takes.
            args: of the event.

        Raises:
            Busy: too many of them are running.
        """
        if len(self._handlers) >= MAX_HANDLERS:
            raise Busy(f"The panel runs {MAX_HANDLERS} handlers already; wait for one to end.")
        self.run(lambda: self._handle(handler, args))

    def start_task(self, work: Coroutine[object, object, object]) -> asyncio.Task[object]:
        """Run a coroutine beside; what it raises is reported, and it ends with the panel."""
        task = asyncio.get_running_loop().create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        # One that is cancelled before its first step has never awaited it.
        task.add_done_callback(lambda _: work.close())
        return task

    def on_loop(self, work: Callable[[], None]) -> None:
        """Do work on the panel's thread: at once if this is it, else soon; never after its end."""
        loop = self._loop
        if loop is None:
            return
        if threading.get_ident() == self._thread:
            work()
            return
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(self._attempt, work)

    def log(self, level: LogLevel, *args: object) -> None:
        """Send a line to the hosts' log; from any thread."""
        line = [loggable(arg) for arg in args]
        self.on_loop(lambda: self._reports.log(level, *line))

    def report(self, error: BaseException) -> None:
        """Tell the hosts of an error."""
        self._reports.report(error)

    def _handle(self, handler: Callable[..., object], args: Sequence[object]) -> None:
        with Guarded(self.report):
            result = handler(*_accepted(handler, args))
            if inspect.isawaitable(result):
                work = result if inspect.iscoroutine(result) else _awaited(result)
                task = self.start_task(work)
                self._handlers.add(task)
                task.add_done_callback(self._handlers.discard)

    def _attempt(self, work: Callable[[], None]) -> None:
        with Guarded(self.report):
            self.run(work)

    async def _guarded(self, work: Coroutine[object, object, object]) -> None:
        with Guarded(self.report, (asyncio.CancelledError, GeneratorExit)):
            await work


async def _awaited(result: Awaitable[object]) -> object:
    return await result


def _accepted(handler: Callable[..., object], args: Sequence[object]) -> Sequence[object]:
    """Return the first arguments, as many as a function takes; in Python more are an error."""
    try:
        parameters = inspect.signature(handler).parameters.values()
    except (TypeError, ValueError):  # a builtin function without a signature
        return args
    if any(each.kind is inspect.Parameter.VAR_POSITIONAL for each in parameters):
        return args
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return args[: sum(each.kind in positional for each in parameters)]
