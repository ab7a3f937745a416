"""The sending thread: order, batches, the bound on messages a second, and the end."""

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.hosts.kernel.relay.endpoint import NEVER
from jupyter_ac.hosts.kernel.relay.pump import Message, Pump, TokenBucket

WAIT_S = 90


def wait_for(event: threading.Event) -> None:
    event.wait(WAIT_S)


class Waiting:
    """A source that sends all it has as one message."""

    def __init__(self) -> None:
        self.items: deque[int] = deque()
        self.ended = threading.Event()

    def due(self) -> float:
        return -NEVER if self.items else NEVER

    def next(self, now: float) -> Message | None:
        del now
        if not self.items:
            return None
        message = {"items": list(self.items)}
        self.items.clear()
        return message

    def end(self) -> None:
        self.ended.set()


class Harness:
    """A pump whose messages are kept with the time at which they went."""

    def __init__(self) -> None:
        self.source = Waiting()
        self.sent: queue.SimpleQueue[tuple[float, Message]] = queue.SimpleQueue()
        self.threads: set[str] = set()
        self.pump = Pump(self.source, self._send)

    def _send(self, message: Message) -> None:
        if message.get("type") == "bad":
            raise OSError("no socket")
        self.threads.add(threading.current_thread().name)
        self.sent.put((time.monotonic(), message))

    def say(self, number: int) -> None:
        self.pump.do(lambda: self.source.items.append(number))


@pytest.fixture
def harness() -> Iterator[Harness]:
    harness = Harness()
    yield harness
    harness.pump.close()


def test_many_events_become_few_messages_and_none_is_lost(harness: Harness) -> None:
    for number in range(5000):
        harness.say(number)
        if not number % 500:
            time.sleep(0.02)
    times: list[float] = []
    items: list[object] = []
    while len(items) < 5000:
        sent_at, message = harness.sent.get(timeout=WAIT_S)
        times.append(sent_at)
        batch = message["items"]
        assert isinstance(batch, list)
        items += batch
    assert items == list(range(5000))
    for start in times:
        assert sum(start <= moment < start + 1 for moment in times) <= 20
    assert harness.threads == {"jupyter-ac-relay"}


def test_what_is_posted_comes_in_its_order_and_first(harness: Harness) -> None:
    held = threading.Event()
    harness.pump.do(lambda: wait_for(held))
    harness.say(1)
    for number in range(6):
        harness.pump.post({"post": number})
    held.set()
    messages = [harness.sent.get(timeout=WAIT_S)[1] for _ in range(7)]
    assert messages == [*({"post": number} for number in range(6)), {"items": [1]}]


def test_a_job_or_a_message_that_fails_stops_nothing(
    harness: Harness, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise RuntimeError("a fault")

    with caplog.at_level(logging.CRITICAL):
        harness.pump.do(fail)
        harness.pump.post({"type": "bad"})
        harness.pump.post({"type": "good"})
        assert harness.sent.get(timeout=WAIT_S)[1] == {"type": "good"}


def test_before_the_end_what_was_posted_still_goes(harness: Harness) -> None:
    for number in range(30):
        harness.pump.post({"post": number})
    harness.pump.close()
    assert harness.source.ended.wait(WAIT_S)
    messages = [harness.sent.get(timeout=WAIT_S)[1] for _ in range(30)]
    assert messages[-1] == {"post": 29}


def test_it_has_no_thread_before_it_is_used() -> None:
    before = threading.active_count()
    Pump(Waiting(), print).close()
    assert threading.active_count() == before


@given(st.floats(1, 50), st.integers(1, 6), st.lists(st.floats(0, 2), min_size=1, max_size=80))
def test_no_second_sees_more_than_the_rate_and_the_burst(
    per_second: float, burst: int, pauses: list[float]
) -> None:
    pace, now, times = TokenBucket(per_second, burst), 100.0, []
    for pause in pauses:
        now = max(now + pause, pace.ready_at())
        pace.spend(now)
        times.append(now)
    for start in times:
        assert sum(start <= time < start + 1 for time in times) <= per_second + burst + 1e-6


def test_after_a_rest_a_few_go_at_once() -> None:
    pace = TokenBucket(10, 3)
    for _ in range(3):
        assert pace.ready_at() <= 5.0
        pace.spend(5.0)
    assert pace.ready_at() > 5.0
    pace.spend(pace.ready_at())
    assert pace.ready_at() <= 5.21
    assert pace.ready_at() <= 6.0
