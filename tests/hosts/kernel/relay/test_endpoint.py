"""Two ends and a bad road between them, on a clock that the test moves."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.hosts.kernel.relay.endpoint import (
    ACKNOWLEDGE_S,
    ANSWER_S,
    ASK_S,
    NEVER,
    PING_MAX_S,
    PING_S,
    End,
    Envelope,
)
from jupyter_ac.hosts.kernel.relay.resend_window import FramePart, FrameRun, Outgoing
from tests.support.examples import examples


def sent(end: End, now: float) -> Envelope:
    envelope = end.poll(now)
    assert envelope is not None
    return envelope


def test_a_frame_goes_at_once_and_is_acknowledged_soon() -> None:
    here, there = End(), End()
    assert here.due() == NEVER
    here.push("a")
    assert here.due() < 0
    assert there.receive(sent(here, 0.0), 0.0) == ["a"]
    assert there.due() == pytest.approx(ACKNOWLEDGE_S)
    assert there.poll(ACKNOWLEDGE_S / 2) is None
    answer = sent(there, ACKNOWLEDGE_S)
    assert answer == Envelope(FrameRun(1), ack=1)
    assert here.receive(answer, 0.3) == []
    assert here.due() == there.due() == NEVER


def test_an_answer_carries_the_acknowledgement() -> None:
    here, there = End(), End()
    here.push("question")
    there.receive(sent(here, 0.0), 0.0)
    there.push("answer")
    assert sent(there, 0.1) == Envelope(FrameRun(1, (FramePart("answer"),)), ack=1)
    assert there.poll(0.9) is None


def test_a_lost_last_message_is_noticed_by_a_question() -> None:
    here, there = End(), End()
    here.push("lost")
    sent(here, 0.0)
    question = sent(here, PING_S)
    assert question == Envelope(FrameRun(2), ping=True)
    there.receive(question, PING_S)
    # The answer to the question goes first; that something is missing is said a little later.
    assert there.poll(PING_S) is None
    assert not sent(there, PING_S + ANSWER_S).resend
    asked = sent(there, PING_S + ASK_S)
    assert asked.resend
    here.receive(asked, 2.0)
    assert here.poll(2.0) is None
    assert there.receive(sent(here, 2.0 + ANSWER_S), 3.0) == ["lost"]


def test_a_gap_that_closes_by_itself_is_not_asked_for() -> None:
    here, there = End(), End()
    here.push("a")
    first = sent(here, 0.0)
    here.push("b")
    second = sent(here, 0.0)
    assert there.receive(second, 0.0) == []
    assert there.receive(first, ASK_S / 2) == ["a", "b"]
    assert there.due() == pytest.approx(ACKNOWLEDGE_S)


def test_questions_without_an_answer_become_rare() -> None:
    end = End()
    end.push("a")
    sent(end, 0.0)
    times: list[float] = []
    while len(times) < 8:
        assert sent(end, end.due()).ping
        times.append(end.due())
    pauses = [later - earlier for earlier, later in pairwise(times)]
    assert pauses == sorted(pauses)
    assert pauses[-1] == PING_MAX_S


def test_an_idle_end_asks_when_it_is_told_to() -> None:
    end = End()
    end.question(3.0)
    assert sent(end, 3.0).ping
    assert end.due() > 3.0
    end.receive(Envelope(FrameRun(1)), 3.5)
    assert end.due() == NEVER


def test_what_is_no_longer_kept_ends_the_link() -> None:
    end = End(Outgoing(kept_chars=1, message_chars=4))
    for _ in range(3):
        end.push("long")
        sent(end, 0.0)
    end.receive(Envelope(FrameRun(1), ack=0, resend=True), 0.0)
    assert end.is_gone


@settings(max_examples=examples(60))
@given(st.integers(0, 2**32), st.floats(0, 0.6), st.integers(1, 30))
def test_both_ends_have_everything_when_the_road_is_good_again(
    seed: int, loss: float, count: int
) -> None:
    chance = random.Random(seed)
    ends = (End(Outgoing(message_chars=8)), End(Outgoing(message_chars=8)))
    got: tuple[list[str], list[str]] = ([], [])
    road: list[tuple[float, int, Envelope]] = []
    now = 0.0
    while now < 400:
        if now < count:
            for number, end in enumerate(ends):
                end.push(f"{number} {now:.1f} " + "x" * chance.randrange(20))
        for number, end in enumerate(ends):
            envelope = end.poll(now)
            if envelope is None:
                continue
            copies = 0 if now < 60 and chance.random() < loss else chance.choice([1, 1, 2])
            road += [(now + chance.random(), 1 - number, envelope) for _ in range(copies)]
        for arrival in [arrival for arrival in road if arrival[0] <= now]:
            road.remove(arrival)
            got[arrival[1]].extend(ends[arrival[1]].receive(arrival[2], now))
        now += 0.5
    for number in (0, 1):
        assert [text.split(" ")[0] for text in got[number]] == [str(1 - number)] * len(got[number])
        times = [float(text.split(" ")[1]) for text in got[number]]
        assert times == sorted(times)
        assert len(times) == len(range(2 * count))
        assert not ends[number].is_gone
        assert ends[number].due() == NEVER
