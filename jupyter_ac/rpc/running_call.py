"""What a running method can do for its caller: report progress, stream text, know its target.

`current_call()` returns it inside a coroutine method. Progress is LSP's `$/progress`; streams are
those of seed 004 (`stream_start`, `stream_data`, `stream_end`). Each report and each part of a
stream starts the call's time limit anew.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import NotReady
from jupyter_ac.rpc.call_metrics import CallMetrics
from jupyter_ac.rpc.messages import MessageId
from jupyter_ac.rpc.target_states import TargetMachine
from jupyter_ac.rpc.text_streams import TextStream

PROGRESS: Final = "$/progress"


@dataclass(slots=True, eq=False)
class RunningCall:
    """A call that is being carried out.

    Attributes:
        id: of the call; the default token of its progress and the `task_id` of its streams.
        notify: sends a notification to the caller.
        progress_token: what the caller wants as the token.
        reads_progress: whether the caller gets progress without having asked for it.
        target: the machine of the call's target; None for a method without states.
        metrics: counts the open streams.
        limit_s: the longest time without a report; None: no limit.
        timeout: the running limit.
    """

    id: MessageId
    notify: Callable[..., None]
    progress_token: object = None
    reads_progress: bool = True
    target: TargetMachine | None = None
    metrics: CallMetrics | None = None
    limit_s: float | None = None
    timeout: asyncio.Timeout | None = None

    def report(self, value: object) -> None:
        """Send `$/progress` with `{token, value}`, unless the caller wouldn't know it.

        Args:
            value: JSON; by LSP `{kind: "begin" | "report" | "end", message?, percentage?}`.
        """
        self.touch()
        if self.progress_token is None and not self.reads_progress:
            return
        token = self.id if self.progress_token is None else self.progress_token
        self.notify(PROGRESS, named={"token": token, "value": value})

    def touch(self) -> None:
        """Start the time limit anew."""
        if self.timeout is not None and self.limit_s is not None:
            self.timeout.reschedule(asyncio.get_running_loop().time() + self.limit_s)

    @asynccontextmanager
    async def stream(self) -> AsyncIterator[TextStream]:
        """Send text to the caller while it is written; the stream ends with the block.

        Its status says how: "ok", "cancelled", or "error", also when the time limit has passed.
        """
        stream = TextStream(self.id, self.notify, self.touch)
        self._count_stream(1)
        try:
            yield stream
        except asyncio.CancelledError:
            stream.end("error" if self._has_timed_out else "cancelled")
            raise
        except BaseException:
            stream.end("error")
            raise
        finally:
            self._count_stream(-1)
        stream.end("ok")

    @property
    def _has_timed_out(self) -> bool:
        return self.timeout is not None and self.timeout.expired()

    def _count_stream(self, change: int) -> None:
        if self.metrics is not None:
            self.metrics.streams_open += change


_CURRENT: Final[ContextVar[RunningCall]] = ContextVar("jupyter_ac_running_call")


def set_current_call(call: RunningCall) -> None:
    """Make a call the current one of this context; for the dispatch."""
    _CURRENT.set(call)


def current_call() -> RunningCall:
    """Return the call that is being carried out.

    Raises:
        NotReady: this code doesn't run inside a coroutine method that was called remotely.
    """
    call = _CURRENT.get(None)
    if call is None:
        raise NotReady("there is no call: this does not run inside a remote call")
    return call


def report_progress(value: object) -> None:
    """Report the progress of the running call, if there is one; see `RunningCall.report`."""
    call = _CURRENT.get(None)
    if call is not None:
        call.report(value)
