"""An event loop in a daemon thread: the kernel's own loop belongs to the user's cells."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Final, TypeVar

from jupyter_ac.errors import NotReady

_Result = TypeVar("_Result")

NAME: Final = "jupyter-ac-child"


class LoopThread:
    """Runs callbacks and coroutines for callers on any thread, until it is stopped.

    The loop is asyncio's plain one, whatever policy the user's code has installed.
    """

    def __init__(self) -> None:
        self._loop = asyncio.SelectorEventLoop()
        self._thread = threading.Thread(target=self._run, name=NAME, daemon=True)
        self._thread.start()

    @property
    def is_here(self) -> bool:
        """Whether the caller runs on this thread."""
        return threading.current_thread() is self._thread

    def call(self, function: Callable[..., object], *args: object) -> bool:
        """Run a function on the loop soon, in the order of the calls; False after the end."""
        try:
            self._loop.call_soon_threadsafe(function, *args)
        except RuntimeError:  # the loop is closed
            return False
        return True

    def submit(self, work: Coroutine[object, object, _Result]) -> Future[_Result]:
        """Run a coroutine on the loop.

        Raises:
            NotReady: the thread has ended.
        """
        try:
            return asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError as error:
            work.close()
            raise NotReady("the kernel's helper thread has ended") from error

    def stop(self) -> None:
        """End the thread soon; what still runs on the loop is cancelled."""
        self.call(self._loop.stop)

    def join(self, timeout_s: float) -> None:
        """Wait for the end; not on the thread itself."""
        if not self.is_here:
            self._thread.join(timeout_s)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            tasks = asyncio.all_tasks(self._loop)
            for task in tasks:
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        finally:
            self._loop.close()
