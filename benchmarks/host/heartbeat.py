"""How long an event loop stalls: a heartbeat every 5 ms that notes how late it is."""

import asyncio
import time
from dataclasses import dataclass
from typing import Final, TypedDict

INTERVAL_S: Final = 0.005


class Stall(TypedDict):
    """The longest stall, and the most processor time between two beats, in milliseconds."""

    longest_ms: float
    busiest_ms: float


@dataclass
class Pulse:
    """The heartbeat of the running loop; it ends with the loop.

    Attributes:
        longest_s: the longest that a beat was late.
        busiest_s: the most processor time that this process took between two beats, all threads:
            on a busy machine a beat is late for other reasons too.
    """

    longest_s: float = 0.0
    busiest_s: float = 0.0
    due: float = 0.0
    worked: float = 0.0

    def start(self) -> None:
        """Begin to beat."""
        loop = asyncio.get_running_loop()
        self.worked = time.process_time()
        self.due = loop.time() + INTERVAL_S
        loop.call_at(self.due, self._beat)

    def take(self) -> Stall:
        """Give what happened since the last question."""
        self._note()
        stall = Stall(longest_ms=self.longest_s * 1000, busiest_ms=self.busiest_s * 1000)
        self.longest_s = self.busiest_s = 0.0
        return stall

    def _beat(self) -> None:
        self._note()
        self.start()

    def _note(self) -> None:
        late_s = asyncio.get_running_loop().time() - self.due
        self.longest_s = max(self.longest_s, late_s)
        self.busiest_s = max(self.busiest_s, time.process_time() - self.worked)
