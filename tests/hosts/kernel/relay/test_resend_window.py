"""Numbering under every loss: what is pushed comes out once, in order, whatever happens between."""

import json
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.hosts.kernel.relay.resend_window import (
    KEPT_PARTS,
    FramePart,
    FrameRun,
    Incoming,
    Outgoing,
    read_parts,
    spell_parts,
)

frames = st.lists(st.text(alphabet="ab😀", max_size=12), min_size=1, max_size=20)
# What becomes of each message: lost, delivered, delivered twice, kept back for later.
fates = st.lists(st.sampled_from(["drop", "pass", "twice", "later"]), max_size=60)


@dataclass
class Road:
    """Between the two ends; what was kept back arrives after what followed it."""

    incoming: Incoming
    delivered: list[str] = field(default_factory=list)
    late: list[FrameRun] = field(default_factory=list)

    def carry(self, run: FrameRun, fate: str) -> None:
        if fate == "later":
            self.late.append(run)
            return
        for _ in range({"drop": 0, "pass": 1, "twice": 2}[fate]):
            self.delivered += self.incoming.take(run)
        late, self.late = self.late, []
        for kept in late:
            self.delivered += self.incoming.take(kept)


@given(frames, fates, st.integers(1, 9))
def test_every_frame_arrives_once_and_in_order(
    pushed: list[str], plan: list[str], message_chars: int
) -> None:
    outgoing, road = Outgoing(message_chars=message_chars), Road(Incoming())
    remaining = iter(plan)
    queue = list(pushed)
    for _ in range(4 * sum(map(len, pushed)) + 4 * len(pushed) + len(plan) + 4):
        if queue:
            outgoing.push(queue.pop(0))
        road.carry(outgoing.take(), next(remaining, "pass"))
        # Also when nothing is missing: what is asked for in vain does no harm.
        outgoing.acknowledge(road.incoming.received)
        if road.incoming.has_gap or not outgoing.is_pending:
            assert outgoing.rewind(road.incoming.received + 1)
    assert road.delivered == pushed
    assert not road.incoming.has_gap
    assert not outgoing.is_unacknowledged
    assert not outgoing.is_pending


@given(frames, st.integers(1, 9))
def test_a_run_holds_as_much_as_a_message_may(pushed: list[str], message_chars: int) -> None:
    outgoing = Outgoing(message_chars=message_chars)
    for frame in pushed:
        outgoing.push(frame)
    runs = []
    while outgoing.is_pending:
        runs.append(outgoing.take())
    assert [run.first for run in runs] == [
        1 + sum(len(earlier.parts) for earlier in runs[:at]) for at in range(len(runs))
    ]
    for run in runs:
        assert sum(len(part.text) for part in run.parts) <= message_chars
    assert runs[-1].first + len(runs[-1].parts) - 1 == outgoing.last == outgoing.sent


def test_what_was_lost_goes_again_in_fewer_messages() -> None:
    outgoing, incoming = Outgoing(), Incoming()
    for number in range(10):
        outgoing.push(f"frame {number}")
        run = outgoing.take()
        assert incoming.take(run) if number < 3 else True
    assert outgoing.acknowledge(incoming.received)
    assert outgoing.rewind(4)
    assert incoming.take(outgoing.take()) == [f"frame {number}" for number in range(3, 10)]
    assert incoming.repeated == 0
    assert not outgoing.is_pending


def test_what_is_no_longer_kept_cannot_be_had_again() -> None:
    outgoing = Outgoing(kept_chars=10, message_chars=6)
    for _ in range(5):
        outgoing.push("frames")
        outgoing.take()
    assert not outgoing.rewind(1)
    assert outgoing.rewind(outgoing.sent)
    assert outgoing.take() == FrameRun(5, (FramePart("frames"),))


def test_an_acknowledgement_of_what_never_was_changes_nothing() -> None:
    outgoing = Outgoing()
    outgoing.push("a")
    assert not outgoing.acknowledge(1)
    outgoing.take()
    assert not outgoing.acknowledge(2)
    assert outgoing.acknowledge(1)
    assert not outgoing.acknowledge(1)
    assert outgoing.rewind(7)
    assert not outgoing.is_pending


def test_what_arrives_after_all_need_not_go_again() -> None:
    outgoing = Outgoing()
    for frame in "abc":
        outgoing.push(frame)
    outgoing.take()
    assert outgoing.rewind(1)
    assert outgoing.acknowledge(2)
    assert outgoing.take() == FrameRun(3, (FramePart("c"),))


def test_more_may_not_wait_than_allowed() -> None:
    outgoing = Outgoing(waiting_chars=10)
    full = []
    for frame in ("x" * 10, "y"):
        outgoing.push(frame)
        full.append(outgoing.is_full)
    outgoing.take()
    assert [*full, outgoing.is_full] == [False, True, False]


def test_an_empty_run_tells_of_what_was_lost_before_it() -> None:
    incoming = Incoming()
    gaps = []
    for run in (FrameRun(3), FrameRun(1, (FramePart("a"),)), FrameRun(2, (FramePart("b"),))):
        incoming.take(run)
        gaps.append(incoming.has_gap)
    assert gaps == [True, True, False]


def test_what_came_early_is_kept_within_a_bound() -> None:
    incoming = Incoming(kept_chars=4)
    assert incoming.take(FrameRun(2, (FramePart("bbbb"), FramePart("c")))) == []
    assert incoming.take(FrameRun(1, (FramePart("a"),))) == ["a", "bbbb"]
    assert incoming.has_gap
    assert incoming.take(FrameRun(3, (FramePart("c"),))) == ["c"]


def test_empty_parts_are_bounded_too() -> None:
    early, endless = Incoming(), Incoming()
    early.take(FrameRun(2, (FramePart(""),) * (KEPT_PARTS + 5)))
    # Those that were kept come with the one that was missing, the others have to come again.
    assert len(early.take(FrameRun(1, (FramePart("a"),)))) == 1 + KEPT_PARTS
    assert early.has_gap
    assert endless.take(FrameRun(1, (FramePart("", continues=True),) * (KEPT_PARTS + 1))) == []
    assert endless.is_too_long


def test_a_frame_that_never_ends_is_noticed() -> None:
    incoming = Incoming(frame_chars=10)
    too_long = []
    for number in (1, 2):
        assert incoming.take(FrameRun(number, (FramePart("x" * 6, continues=True),))) == []
        too_long.append(incoming.is_too_long)
    assert too_long == [False, True]


@given(st.lists(st.builds(FramePart, st.text(max_size=4), st.booleans()), max_size=5))
def test_parts_survive_the_wire(parts: list[FramePart]) -> None:
    assert read_parts(json.loads(json.dumps(spell_parts(parts)))) == tuple(parts)


def test_what_is_no_part_is_refused() -> None:
    wrongs: list[object] = [1, None, [], ["a", "b"], [1], {}]
    for wrong in wrongs:
        assert read_parts(["fine", wrong]) is None
