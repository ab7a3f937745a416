"""What a check found."""

from jupyter_ac.hosts.cli.checks.result import CheckResult, CheckState, fail, ok, warn


def test_the_three_ways_to_say_it() -> None:
    assert ok("fine", "a", "b") == CheckResult(CheckState.OK, "fine", "", ("a", "b"))
    assert warn("slow", "hurry") == CheckResult(CheckState.WARN, "slow", "hurry")
    assert fail("broken", "mend it", "x") == CheckResult(
        CheckState.FAIL, "broken", "mend it", ("x",)
    )
