"""The only thread that sends over a comm: runs queued jobs and limits the rate of messages."""

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final, Protocol

from jupyter_ac.hosts.kernel.relay.endpoint import NEVER

_FOREVER: Final = float("inf")


class TokenBucket:
    """Token bucket: allows a burst after a pause, and then a steady rate.

    No second sees more than `per_second + burst` of them.

    Args:
        per_second: the steady rate.
        burst: how many go at once after a rest.
    """

    def __init__(self, per_second: float, burst: int) -> None:
        self._interval_s = 1 / per_second
        self._burst = burst
        # When the last token that was spent will have come back.
        self._paid_at = -_FOREVER

    def ready_at(self) -> float:
        """Return when the next may go, on the clock that `spend` is given."""
        return self._paid_at - (self._burst - 1) * self._interval_s

    def spend(self, now: float) -> None:
        """Take one token."""
        self._paid_at = max(self._paid_at, now) + self._interval_s


logger = logging.getLogger(__name__)

PER_SECOND: Final = 16
BURST: Final = 4

Job = Callable[[], None]
Message = Mapping[str, object]


class MessageSource(Protocol):
    """Has messages to send when asked; used on the pump's thread only."""

    def due(self) -> float:
        """Return when there is a message; it may lie in the past."""

    def next(self, now: float) -> Message | None:
        """Give the message that is due, if one is."""

    def end(self) -> None:
        """Release all resources; the last call."""


class Pump:
    """Runs jobs one after another and sends what is due in between, from a thread of its own.

    No second sees more than 20 messages: the first after a rest goes at once, the others wait for
    their turn, and a source makes one of what has come up meanwhile.

    Args:
        source: has what is to be sent besides what is posted.
        send: sends one message.
    """

    def __init__(self, source: MessageSource, send: Callable[[Message], None]) -> None:
        self._source = source
        self._send = send
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._posts: deque[Message] = deque()
        self._pace = TokenBucket(PER_SECOND, BURST)
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def do(self, job: Job) -> None:
        """Run a job on the thread, which begins with the first; never blocks, from any thread."""
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="jupyter-ac-relay", daemon=True
                )
                self._thread.start()
        self._jobs.put(job)

    def post(self, message: Message) -> None:
        """Send a message in its turn, before the source's; never blocks, from any thread."""
        self.do(lambda: self._posts.append(message))

    def close(self) -> None:
        """End the thread when all jobs are done; what was posted is still sent."""
        with self._starting:
            if self._thread is not None:
                self._jobs.put(None)

    def _run(self) -> None:
        while True:
            for job in self._wait():
                if job is None:
                    self._try(self._source.end)
                    self._try(self._send_posts)
                    return
                self._try(job)
            self._try(self._send_due)

    def _wait(self) -> list[Job | None]:
        """Return all jobs that there are; waits for the first until something is due."""
        due_at = self._due()
        wait_s = None if due_at == NEVER else max(0.0, due_at - time.monotonic())
        jobs: list[Job | None] = []
        with suppress(queue.Empty):
            jobs.append(self._jobs.get(timeout=wait_s))
            while True:
                jobs.append(self._jobs.get_nowait())
        return jobs

    def _due(self) -> float:
        due_at = -NEVER if self._posts else self._source.due()
        return max(due_at, self._pace.ready_at())

    def _send_due(self) -> None:
        while (now := time.monotonic()) >= self._pace.ready_at():
            message = self._posts.popleft() if self._posts else self._source.next(now)
            if message is None:
                return
            self._pace.spend(now)
            self._send(message)

    def _send_posts(self) -> None:
        while self._posts:
            self._send(self._posts.popleft())

    def _try(self, job: Job) -> None:
        try:
            job()
        except Exception:
            logger.exception("a message between the page and the kernel was lost")
