"""The order of listeners, and what reaches whom."""

from dataclasses import dataclass

import pytest

from jupyter_ac.event_bus import EventBus


@dataclass(frozen=True)
class Happened:
    what: str


@dataclass(frozen=True)
class HappenedTwice(Happened):
    pass


def test_listeners_are_called_in_the_order_of_their_subscription() -> None:
    bus, heard = EventBus(), list[tuple[str, object]]()
    bus.subscribe(Happened, lambda event: heard.append(("first", event)))
    bus.subscribe(str, lambda event: heard.append(("text", event)))
    bus.subscribe(Happened, lambda event: heard.append(("second", event)))
    bus.publish(Happened("x"))
    assert heard == [("first", Happened("x")), ("second", Happened("x"))]


def test_a_listener_of_a_class_gets_events_of_its_subclasses_only() -> None:
    bus, heard, narrow = EventBus(), list[Happened](), list[HappenedTwice]()
    bus.subscribe(Happened, heard.append)
    bus.subscribe(HappenedTwice, narrow.append)
    bus.publish(HappenedTwice("x"))
    bus.publish(Happened("y"))
    assert heard == [HappenedTwice("x"), Happened("y")]
    assert narrow == [HappenedTwice("x")]


def test_a_listener_that_fails_keeps_nobody_from_the_event(
    caplog: pytest.LogCaptureFixture,
) -> None:
    bus, heard = EventBus(), list[Happened]()

    def fail(_event: Happened) -> None:
        raise ValueError("broken")

    bus.subscribe(Happened, fail)
    bus.subscribe(Happened, heard.append)
    bus.publish(Happened("x"))
    assert heard == [Happened("x")]
    assert "a listener of Happened failed" in caplog.text
