"""Load shedding: when answers are late, further calls are refused instead of queued.

The reason for the wait doesn't matter (threads, git, the disk, earlier calls): a call's age is the
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
"""Calls that begin within this time are counted together."""

Clock = Callable[[], float]


@dataclass(slots=True, eq=False)
class CallCohort:
    """Calls that began at about the same time, and the number of them still open."""

    begun_s: float
    open: int = 0
    is_late: bool = False


class HostLoad:
    """The number of late calls over all connections of a host.

    Args:
        clock: seconds, monotonic.

    Attributes:
        late: open calls older than `LATE_S`, as of the last check of each connection.
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self.clock = clock
        self.late = 0
        self._refused = 0
        self._next_line_s = clock()

    def refuse(self) -> Busy:
        """Count a refused call, and return the error that answers it."""
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
    """The open calls of one connection by age.

    Args:
        host: the load of the whole host.
    """

    def __init__(self, host: HostLoad) -> None:
        self._host = host
        self._batches: deque[CallCohort] = deque()
        self._late = 0

    def begin(self) -> CallCohort:
        """Count a new call; returns its cohort for `end`."""
        now = self._host.clock()
        if not self._batches or now - self._batches[-1].begun_s > _STEP_S:
            self._batches.append(CallCohort(now))
        batch = self._batches[-1]
        batch.open += 1
        return batch

    def end(self, batch: CallCohort) -> None:
        """Count an answered call."""
        batch.open -= 1
        if batch.is_late:
            self._late -= 1
            self._host.late -= 1

    def is_overloaded(self) -> bool:
        """Return whether the next call must be refused."""
        latest = self._host.clock() - LATE_S
        while self._batches and self._batches[0].begun_s < latest:
            batch = self._batches.popleft()
            batch.is_late = True
            self._late += batch.open
            self._host.late += batch.open
        return self._late > 0 and self._host.late >= LATE_CALLS

    def refuse(self) -> Busy:
        """Return the error that answers a call during overload."""
        return self._host.refuse()

    def close(self) -> None:
        """Drop all calls after the end of the connection."""
        self._host.late -= self._late
        self._late = 0
        self._batches.clear()
