"""Load shedding: when answers come late, further calls are refused at once instead of queued.

What a call waits for doesn't matter (threads, git, the disk, other calls before it): its age is the
time since its frame was read. One slow method is no overload, so it takes `LATE_CALLS` late calls
in the host; and a connection whose own calls are answered in time is not refused because others
wait.
"""

import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import Busy

_logger = logging.getLogger(__name__)

LATE_S: Final = 5.0
LATE_CALLS: Final = 64
LOG_S: Final = 60.0

_STEP_S: Final = 0.25
"""Calls that begin within it are counted together."""

Clock = Callable[[], float]


@dataclass(slots=True, eq=False)
class CallCohort:
    """Calls that began at about the same time, and how many of them are open."""

    begun_s: float
    open: int = 0
    is_late: bool = False


class HostLoad:
    """How many calls of all connections of a host are late.

    Args:
        clock: seconds, monotonic.

    Attributes:
        late: open calls that have waited longer than `LATE_S`, as far as has been looked.
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self.clock = clock
        self.late = 0
        self._refused = 0
        self._next_line_s = clock()

    def refuse(self) -> Busy:
        """Count a refused call, and give the error that answers it."""
        self._refused += 1
        now = self.clock()
        if now >= self._next_line_s:
            self._next_line_s = now + LOG_S
            _logger.warning(
                "overloaded: %d calls wait longer than %g s; %d refused as busy",
                self.late,
                LATE_S,
                self._refused,
            )
            self._refused = 0
        return Busy(
            f"The server is overloaded: answers take longer than {LATE_S:g} s. Nothing was done; "
            "try again in a moment."
        )


class CallAges:
    """The open calls of one connection by their age.

    Args:
        host: the load of the whole host.
    """

    def __init__(self, host: HostLoad) -> None:
        self._host = host
        self._batches: deque[CallCohort] = deque()
        self._late = 0

    def begin(self) -> CallCohort:
        """Count a call in; gives what `end` wants to know."""
        now = self._host.clock()
        if not self._batches or now - self._batches[-1].begun_s > _STEP_S:
            self._batches.append(CallCohort(now))
        batch = self._batches[-1]
        batch.open += 1
        return batch

    def end(self, batch: CallCohort) -> None:
        """Count a call out: it is answered."""
        batch.open -= 1
        if batch.is_late:
            self._late -= 1
            self._host.late -= 1

    def is_overloaded(self) -> bool:
        """Say whether the next call is to be refused."""
        latest = self._host.clock() - LATE_S
        while self._batches and self._batches[0].begun_s < latest:
            batch = self._batches.popleft()
            batch.is_late = True
            self._late += batch.open
            self._host.late += batch.open
        return self._late > 0 and self._host.late >= LATE_CALLS

    def refuse(self) -> Busy:
        """Give the error that answers a call in an overload."""
        return self._host.refuse()

    def close(self) -> None:
        """Forget all calls: the connection has ended, and nobody waits for them."""
        self._host.late -= self._late
        self._late = 0
        self._batches.clear()
