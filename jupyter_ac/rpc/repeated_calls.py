"""Calls that are sent again with the same key: done once, answered each time.

A client that lost the answer to a call doesn't know whether the call was carried out. It sends the
call again with the same `idempotency_key`, and gets the answer of the first one. Failures aren't
kept: the repeated call is carried out.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, TypeAlias

from jupyter_ac.errors import Busy, InvalidParams
from jupyter_ac.rpc.codec import encode

MAX_KEPT: Final = 1000
KEPT_S: Final = 600.0
MAX_KEY: Final = 200
CLOSE_S: Final = 5.0

RepeatKey: TypeAlias = tuple[str, ...]
"""Caller, method and the key that the caller gave."""


@dataclass(slots=True)
class _Kept:
    task: "asyncio.Task[object]"
    begun_s: float
    params: bytes


class RepeatedCalls:
    """The results of keyed calls: at most `MAX_KEPT`, for `KEPT_S` seconds.

    A call goes on when its connection ends: the client that lost it asks for the result by the same
    key on another connection.

    Args:
        clock: seconds, monotonic.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept: OrderedDict[RepeatKey, _Kept] = OrderedDict()

    def knows(self, key: RepeatKey) -> bool:
        """Return whether a call with this key runs or was answered."""
        self._forget_old()
        return key in self._kept

    async def run(
        self, key: RepeatKey, params: object, work: Callable[[], Coroutine[object, object, object]]
    ) -> object:
        """Carry out a call, or wait for the result of the first one with this key.

        Args:
            key: see `repeat_key`.
            params: of the call; JSON.
            work: carries it out; raises what the call raises.

        Raises:
            Busy: as many keyed calls as are kept are running.
            InvalidParams: the first call with this key had other params.
        """
        digest = sha256(encode(params).encode()).digest()
        self._forget_old()
        kept = self._kept.get(key)
        if kept is None:
            kept = self._begin(key, digest, work)
        elif kept.params != digest:
            raise InvalidParams(
                "idempotency_key was used for a call with other params; take another one"
            )
        # A cancelled caller leaves the call alone: see `cancel`.
        return await asyncio.shield(kept.task)

    def cancel(self, key: RepeatKey) -> None:
        """Cancel the call with this key, if it runs."""
        if (kept := self._kept.get(key)) is not None:
            kept.task.cancel()

    async def aclose(self) -> None:
        """Cancel all that run."""
        running = [kept.task for kept in self._kept.values() if not kept.task.done()]
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running, timeout=CLOSE_S)

    def _begin(
        self, key: RepeatKey, digest: bytes, work: Callable[[], Coroutine[object, object, object]]
    ) -> _Kept:
        self._make_room()
        task = asyncio.create_task(work(), name="a call with a key")
        kept = self._kept[key] = _Kept(task, self._clock(), digest)
        task.add_done_callback(lambda ended: self._ended(key, kept, ended))
        return kept

    def _ended(self, key: RepeatKey, kept: _Kept, task: "asyncio.Task[object]") -> None:
        """Forget a failure: a repeated call is carried out again."""
        has_failed = task.cancelled() or task.exception() is not None
        if has_failed and self._kept.get(key) is kept:
            del self._kept[key]

    def _forget_old(self) -> None:
        latest = self._clock() - KEPT_S
        while self._kept:
            key, oldest = next(iter(self._kept.items()))
            if oldest.begun_s > latest or not oldest.task.done():
                return
            del self._kept[key]

    def _make_room(self) -> None:
        if len(self._kept) < MAX_KEPT:
            return
        for key, kept in self._kept.items():
            if kept.task.done():
                del self._kept[key]
                return
        raise Busy("Too many calls with an idempotency_key are running; try again in a moment.")


def repeat_key(caller: tuple[str, ...], method: str, given: object) -> RepeatKey:
    """Return the key under which a result is kept.

    Args:
        caller: who calls; others with the same key get nothing of it.
        method: the method's name.
        given: the member `idempotency_key`, untrusted.

    Raises:
        InvalidParams: it is no text of 1 to `MAX_KEY` characters.
    """
    if not isinstance(given, str) or not 0 < len(given) <= MAX_KEY:
        raise InvalidParams(f"idempotency_key must be a string of 1 to {MAX_KEY} characters")
    return (*caller, method, given)
