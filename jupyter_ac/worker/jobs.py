"""Jobs that send events while they run, and that the host can cancel."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Final, TypeVar

from jupyter_ac.errors import Cancelled
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method

_Result = TypeVar("_Result")

_REMEMBERED: Final = 1024


class Jobs:
    """The running jobs by the channel number that the host gave them."""

    def __init__(self) -> None:
        self._running: dict[int, asyncio.Task[object]] = {}
        self._cancelled_early: dict[int, None] = {}

    @method(Access.EXECUTE)
    def cancel(self, channel: int) -> None:
        """Cancel a job; one that has not begun yet is not begun."""
        task = self._running.get(channel)
        if task is not None:
            task.cancel()
            return
        self._cancelled_early[channel] = None
        if len(self._cancelled_early) > _REMEMBERED:
            del self._cancelled_early[next(iter(self._cancelled_early))]

    @method(Access.READ)
    def running(self) -> int:
        """Count the tasks of the process, those of the libraries included."""
        return len(asyncio.all_tasks())

    async def run(self, channel: int, work: Coroutine[object, object, _Result]) -> _Result:
        """Await `work` so that `cancel` can end it.

        Raises:
            Cancelled: it was cancelled by its channel.
        """
        if channel in self._cancelled_early:
            del self._cancelled_early[channel]
            work.close()
            raise Cancelled("cancelled before it began")
        task = asyncio.get_running_loop().create_task(work)
        self._running[channel] = task
        try:
            return await task
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if current is not None and current.cancelling():
                task.cancel()
                raise
            raise Cancelled("cancelled by the host") from None
        finally:
            del self._running[channel]


def emitter(channel: int) -> Callable[[object], None]:
    """Return the function that sends an event of this job to the host."""
    peer = current_caller().peer

    def emit(event: object) -> None:
        peer.notify("Host.event", channel, event)

    return emit
