"""What a check found."""

from jupyter_ac.hosts.cli.checks.result import Finding, State, fail, ok, warn


def test_the_three_ways_to_say_it() -> None:
    assert ok("fine", "a", "b") == Finding(State.OK, "fine", "", ("a", "b"))
    assert warn("slow", "hurry") == Finding(State.WARN, "slow", "hurry")
    assert fail("broken", "mend it", "x") == Finding(State.FAIL, "broken", "mend it", ("x",))
