"""Outgoing calls that are not answered yet."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from jupyter_ac.errors import ConnectionClosed, RemoteError, TimedOut
from jupyter_ac.rpc.messages import Failure, Success


class PendingCalls:
    """The futures of open calls, by call id. Belongs to one event loop."""

    def __init__(self) -> None:
        self._futures: dict[int, asyncio.Future[object]] = {}

    def __len__(self) -> int:
        return len(self._futures)

    @contextmanager
    def wait_for(
        self, call_id: int, method: str, limit_s: float
    ) -> Iterator["asyncio.Future[object]"]:
        """Yield the future of a call's result; it is dropped at the end of the block.

        Args:
            call_id: its id.
            method: its name, for the message of a timeout.
            limit_s: seconds after which the future fails with `TimedOut`.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[object] = loop.create_future()
        timer = loop.call_later(limit_s, _expire, future, method, limit_s)
        self._futures[call_id] = future
        try:
            yield future
        finally:
            timer.cancel()
            self._futures.pop(call_id, None)

    def settle(self, call_id: int, answer: Success | Failure) -> None:
        """Complete the future of a call; an unexpected answer is dropped."""
        future = self._futures.pop(call_id, None)
        if future is None or future.done():
            return
        if isinstance(answer, Success):
            future.set_result(answer.result)
        else:
            error = answer.error
            code = error.code if isinstance(error.code, int) else 0
            future.set_exception(RemoteError(error.message, code, error.data))

    def fail(self, ended: ConnectionClosed) -> None:
        """Fail all open calls after the end of the connection."""
        for future in self._futures.values():
            if not future.done():
                future.set_exception(ConnectionClosed(ended.message, ended.close_code))
        self._futures.clear()


def _expire(future: "asyncio.Future[object]", method: str, limit_s: float) -> None:
    if not future.done():
        future.set_exception(TimedOut(f"{method} was not answered within {limit_s:g} s"))
