"""Calls that are sent again with the same key: done once, answered each time.

A client that lost the answer to a call doesn't know whether the call was carried out. It sends the
call again with the same `idempotency_key`, and gets the answer of the first one. Failures aren't
kept: the repeated call is carried out.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from jupyter_ac.errors import Busy, InvalidParams

MAX_KEPT: Final = 1000
KEPT_S: Final = 600.0
MAX_KEY: Final = 200

RepeatKey: TypeAlias = tuple[str, ...]
"""Caller, method and the key that the caller gave."""


@dataclass(slots=True)
class _Answered:
    done: "asyncio.Future[object]"
    begun_s: float


class RepeatedCalls:
    """The results of keyed calls: at most `MAX_KEPT`, for `KEPT_S` seconds.

    Args:
        clock: seconds, monotonic.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept: OrderedDict[RepeatKey, _Answered] = OrderedDict()

    def knows(self, key: RepeatKey) -> bool:
        """Return whether a call with this key runs or was answered."""
        self._forget_old()
        return key in self._kept

    async def run(self, key: RepeatKey, work: Callable[[], Awaitable[object]]) -> object:
        """Carry out a call, or wait for the result of the first one with this key.

        Args:
            key: see `repeat_key`.
            work: carries it out; raises what the call raises.

        Raises:
            Busy: as many keyed calls as are kept are running.
        """
        while (first := self._kept.get(key)) is not None:
            await asyncio.wait({first.done})
            if not first.done.cancelled():
                return first.done.result()
        self._forget_old()
        self._make_room()
        own = _Answered(asyncio.get_running_loop().create_future(), self._clock())
        self._kept[key] = own
        try:
            own.done.set_result(await work())
        except BaseException:
            # Whoever waits for it carries the call out again.
            del self._kept[key]
            own.done.cancel()
            raise
        return own.done.result()

    def _forget_old(self) -> None:
        latest = self._clock() - KEPT_S
        while self._kept:
            key, oldest = next(iter(self._kept.items()))
            if oldest.begun_s > latest or not oldest.done.done():
                return
            del self._kept[key]

    def _make_room(self) -> None:
        if len(self._kept) < MAX_KEPT:
            return
        for key, kept in self._kept.items():
            if kept.done.done():
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
