"""The calls of the other side of a connection: started, queued, refused, cancelled.

At most `IN_FLIGHT_LIMIT` run at once; further ones are queued in order; when `BACKLOG_LIMIT` are
queued, the connection stops reading. If the ages of calls are tracked (`overload`), calls that
arrive while answers are late are refused, and reading continues. `$/cancelRequest` (LSP 3.17)
cancels one.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from jupyter_ac.errors import RequestCancelled
from jupyter_ac.rpc.answer_styles import error_object
from jupyter_ac.rpc.connection import Call
from jupyter_ac.rpc.dispatch import Answer, Dispatch
from jupyter_ac.rpc.eager import Starter
from jupyter_ac.rpc.messages import MessageId, Params
from jupyter_ac.rpc.methods import Method
from jupyter_ac.rpc.overload import LATE_S, CallAges

_logger = logging.getLogger(__name__)

IN_FLIGHT_LIMIT: Final = 256
BACKLOG_LIMIT: Final = 1024
CANCEL: Final = "$/cancelRequest"

_GRACE_S: Final = 5.0
"""Time for a cancelled method to end."""


_IdKey: TypeAlias = tuple[type, MessageId]


class IncomingCalls:
    """Carries out the calls of one connection.

    Args:
        methods: the method table, which says what is urgent.
        dispatch: carries out one call.
        answer: callback for the outcome of each call that can be answered.

    Attributes:
        ages: of the running calls; None: no call is refused as busy.
        last_s: when a call came last, by the monotonic clock; 0 before.
    """

    def __init__(self, methods: Mapping[str, Method], dispatch: Dispatch, answer: Answer) -> None:
        self.ages: CallAges | None = None
        self.last_s = 0.0
        self._methods = methods
        self._dispatch = dispatch
        self._answer = answer
        self._tasks: dict[asyncio.Task[None], Call] = {}
        self._starter = Starter()
        self._backlog: deque[Call] = deque()
        # What can be cancelled, by the type and the value of its id.
        self._open: dict[_IdKey, dict[Call, asyncio.Task[None] | None]] = {}
        self._has_room = asyncio.Event()
        self._is_closed = False

    def __len__(self) -> int:
        """Return how many calls run and wait for something."""
        return len(self._tasks)

    @property
    def is_crowded(self) -> bool:
        """Whether as many calls are queued as may be."""
        return len(self._backlog) >= BACKLOG_LIMIT

    @property
    def is_full(self) -> bool:
        """Whether reading must stop: the queue is full and calls are not being refused."""
        is_refusing = self.ages is not None and self.ages.is_overloaded()
        return self.is_crowded and not is_refusing

    def admit(self, call: Call) -> None:
        """Start a call, queue it, or refuse it."""
        self.last_s = time.monotonic()
        if call.method == CANCEL:
            if self._dispatch.may_cancel(call):
                self._cancel(call)
            return
        if (ages := self.ages) is not None:
            if ages.is_overloaded() and not self._is_urgent(call):
                self._end(call, error_object(ages.refuse(), call.style))
                return
            call.age = ages.begin()
        is_crowded = self._backlog or len(self._tasks) >= IN_FLIGHT_LIMIT
        if is_crowded and not self._is_urgent(call):
            self._backlog.append(call)
            self._list(call, None)
        else:
            self._start(call)

    async def run(self, calls: Sequence[Call]) -> None:
        """Carry out the calls of an exchange; returns when all have ended."""
        if len(calls) == 1 and calls[0].method != CANCEL:
            # In this task: one of its own would cost as much as a short call.
            waits = self._dispatch.start(calls[0], self._end)
            if waits is not None:
                await waits
            return
        for call in calls:
            self.admit(call)
        await self.wait_for_end()

    async def wait_for_room(self, limit_s: float) -> bool:
        """Wait until calls can be admitted again.

        Args:
            limit_s: the longest wait, where the ages of calls aren't tracked.

        Returns:
            False: nothing has ended in that time, and the connection can't go on.
        """
        try:
            async with asyncio.timeout(limit_s if self.ages is None else LATE_S):
                while self.is_full:
                    self._has_room.clear()
                    await self._has_room.wait()
        except TimeoutError:
            return self.ages is not None
        return True

    async def wait_for_end(self) -> None:
        """Wait until all calls have ended, also those that are queued."""
        while self._tasks and not self._is_closed:
            self._has_room.clear()
            await self._has_room.wait()

    def stop(self) -> None:
        """Start nothing more; what runs goes on until `aclose`."""
        self._is_closed = True
        self._backlog.clear()
        self._open.clear()
        self._has_room.set()

    async def cancel_all(self) -> "list[asyncio.Task[None]]":
        """Cancel what runs; returns the tasks that end now."""
        self.stop()
        if self.ages is not None:
            self.ages.close()
            self.ages = None
        running = list(self._tasks)
        for task in running:
            task.cancel()
        await self._starter.close()
        return running

    def detach(self) -> None:
        """Let go of the connection, after `cancel_all`; what still ends isn't answered."""
        self._answer = _unanswered
        del self._dispatch

    def _is_urgent(self, call: Call) -> bool:
        method = self._methods.get(call.method)
        return method is not None and method.is_urgent

    def _start(self, call: Call) -> None:
        waits = self._dispatch.start(call, self._end)
        if waits is None:
            return
        try:
            task = self._starter.start(waits)
        except Exception:
            _logger.exception("answering %s failed", call.method)
            return
        if task is not None:
            task.set_name(call.method)
            self._tasks[task] = call
            self._list(call, task)
            task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        call = self._tasks.pop(task, None)
        if call is not None:
            self._unlist(call)
        if not task.cancelled() and (error := task.exception()) is not None:
            _logger.error("answering %s failed", task.get_name(), exc_info=error)
        while self._backlog and len(self._tasks) < IN_FLIGHT_LIMIT and not self._is_closed:
            self._start_queued(self._backlog.popleft())
        self._has_room.set()

    def _start_queued(self, call: Call) -> None:
        if not call.is_cancelled:
            self._unlist(call)
            self._start(call)

    def _list(self, call: Call, task: "asyncio.Task[None] | None") -> None:
        if call.is_answered and call.id is not None:
            self._open.setdefault((type(call.id), call.id), {})[call] = task

    def _unlist(self, call: Call) -> None:
        key = (type(call.id), call.id)
        calls = self._open.get(key, {})
        calls.pop(call, None)
        if not calls:
            self._open.pop(key, None)

    def _end(self, call: Call, outcome: object) -> None:
        if call.age is not None and self.ages is not None:
            self.ages.end(call.age)
        self._answer(call, outcome)

    def _cancel(self, order: Call) -> None:
        """Cancel the open calls with an id; an unknown one has been answered already."""
        call_id = _cancelled_id(order.params)
        # Taken off: cancelled once more, a call would take itself for one whose connection ends.
        for call, task in self._open.pop((type(call_id), call_id), {}).items():
            call.is_cancelled = True
            if task is not None:
                task.cancel()
            else:
                cancelled = RequestCancelled(f"{call.method} was cancelled before it began")
                self._end(call, error_object(cancelled, call.style))
        if order.is_answered:
            self._answer(order, None)


def _unanswered(_call: Call, _outcome: object) -> None:
    """The connection has ended."""


def _cancelled_id(params: Params) -> MessageId:
    """Return the id in `{id}`, or in the first argument of jrpc-oo; None if there is none."""
    named: object = params
    if isinstance(named, dict) and "args" in named:
        named = named["args"]
    if isinstance(named, list):
        named = named[0] if named else None
    found = named.get("id") if isinstance(named, dict) else None
    is_id = isinstance(found, str | int | float) and not isinstance(found, bool)
    return found if is_id else None


async def wait_for_stuck(running: "list[asyncio.Task[None]]") -> None:
    """Wait for cancelled calls to end, and log those that don't."""
    if not running:
        return
    _, stuck = await asyncio.wait(running, timeout=_GRACE_S)
    for task in stuck:
        _logger.error("%s does not end after its connection", task.get_name())
