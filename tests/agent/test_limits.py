import asyncio
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.agent.limits import RunBudget, RunLimits
from jupyter_ac.settings.app import AgentSettings

LIMITS = RunLimits.of(AgentSettings())


class Clock:
    """Seconds that a test sets."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def test_the_limits_are_the_users() -> None:
    assert RunLimits(25, 400_000, 1.0, 15) == LIMITS
    assert LIMITS.amounts() == {"steps": 25, "tokens": 400_000, "usd": 1.0, "seconds": 900.0}


def test_a_run_is_told_what_is_left() -> None:
    clock = Clock()
    budget = RunBudget(LIMITS, clock)
    assert budget.remaining_text() == "Left: 25 steps, 400,000 tokens, $1.00, 15 minutes."
    for _ in range(4):
        budget.note_step(5_000, 0.0175)
    clock.now_s += 119
    assert budget.remaining_text() == "Left: 21 steps, 380,000 tokens, $0.93, 13 minutes."
    assert budget.used() == {"steps": 4, "tokens": 20_000, "usd": 0.07, "seconds": 119.0}
    assert (budget.exceeded(), budget.is_last_step) == ("", False)


def test_little_is_not_said_to_be_more() -> None:
    clock = Clock()
    budget = RunBudget(RunLimits(2, 1001, 0.011, 2), clock)
    budget.note_step(1, 0.0085)
    clock.now_s += 61
    assert budget.remaining_text() == "Left: 1 step, 1,000 tokens, $0.0025, less than a minute."
    budget.note_step(2000, 1.0)
    clock.now_s += 6000
    assert budget.remaining_text() == "Left: 0 steps, 0 tokens, $0.00, less than a minute."


def test_money_is_left_out_where_no_price_is_known() -> None:
    budget = RunBudget(LIMITS, Clock())
    budget.note_step(10, None)
    assert budget.remaining_text() == "Left: 24 steps, 399,990 tokens, 15 minutes."
    assert (budget.used()["usd"], budget.remaining()["usd"]) == (None, None)
    budget.note_step(10, 2.0)
    budget.note_step(10, None)
    assert budget.used()["usd"] == 2.0
    assert "$1.00" in budget.exceeded()


@pytest.mark.parametrize(
    ("steps", "tokens", "usd", "minutes", "sentence"),
    [
        (24, 0, 0.0, 0, ""),
        (25, 0, 0.0, 0, "25 steps; continue with another question, or raise agent.max_steps"),
        (1, 399_999, 0.999, 14.9, ""),
        (
            1,
            400_000,
            0.0,
            0,
            "400,000 tokens; continue with another question, or raise agent.max_t",
        ),
        (1, 0, 1.0, 0, "$1.00; continue with another question, or raise agent.max_usd"),
        (1, 0, None, 0, ""),
        (0, 0, 0.0, 15, "15 minutes; continue with another question, or raise agent.max_minutes"),
    ],
)
def test_each_limit_ends_the_run_with_a_sentence(
    steps: int, tokens: int, usd: float | None, minutes: float, sentence: str
) -> None:
    clock = Clock()
    budget = RunBudget(LIMITS, clock)
    for _ in range(steps):
        budget.note_step(tokens, usd)
    clock.now_s += minutes * 60
    assert sentence in budget.exceeded()
    assert bool(budget.exceeded()) == bool(sentence)


def test_a_limit_of_one_step_or_one_minute_is_named_in_the_singular() -> None:
    budget = RunBudget(RunLimits(1, 1000, 1.0, 1), Clock())
    assert budget.is_last_step is True
    budget.note_step(1, 0.0)
    assert "limit of 1 step;" in budget.exceeded()


@pytest.mark.parametrize(
    ("steps", "tokens", "usd", "minutes", "is_last"),
    [
        (0, 0, 0.0, 0, False),
        (23, 10, 0.0, 0, False),
        (24, 10, 0.0, 0, True),
        (1, 133_000, 0.0, 0, False),
        (1, 134_000, 0.0, 0, True),
        (1, 10, 0.33, 0, False),
        (1, 10, 0.34, 0, True),
        (1, 10, None, 0, False),
        (1, 10, 0.0, 13.4, False),
        (1, 10, 0.0, 13.6, True),
    ],
)
def test_the_model_sums_up_when_no_further_step_would_fit(
    steps: int, tokens: int, usd: float | None, minutes: float, is_last: bool
) -> None:
    clock = Clock()
    budget = RunBudget(LIMITS, clock)
    for _ in range(steps):
        budget.note_step(tokens, usd)
    clock.now_s += minutes * 60
    assert budget.is_last_step is is_last


def test_a_window_that_is_nearly_full_ends_the_run_with_a_sentence() -> None:
    budget = RunBudget(LIMITS, window=1000)
    budget.note_step(700, None)
    assert budget.takes_result(100)
    assert (budget.exceeded(), budget.is_last_step) == ("", False)
    assert not budget.takes_result(101)
    assert budget.takes_result(100)
    assert budget.is_last_step
    assert "what the model takes, 1,000 tokens" in budget.exceeded()
    budget.note_step(700, None)
    assert (budget.exceeded(), budget.is_last_step) == ("", False)


def test_without_a_known_window_every_result_goes_back() -> None:
    budget = RunBudget(LIMITS)
    budget.note_step(700, None)
    assert budget.takes_result(10**9)
    assert (budget.exceeded(), budget.is_last_step) == ("", False)


def test_waits_for_the_user_dont_count() -> None:
    clock = Clock()
    budget = RunBudget(LIMITS, clock)
    clock.now_s += 10
    with budget.user_wait():
        clock.now_s += 1000
        assert budget.used()["seconds"] == 10.0
        with budget.user_wait():
            clock.now_s += 1000
        clock.now_s += 1000
        assert budget.used()["seconds"] == 10.0
    clock.now_s += 5
    assert budget.used()["seconds"] == 15.0


def test_a_wait_that_is_cancelled_ends_too() -> None:
    clock = Clock()
    budget = RunBudget(LIMITS, clock)

    def wait() -> None:
        with budget.user_wait():
            clock.now_s += 7
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        wait()
    clock.now_s += 5
    assert budget.used()["seconds"] == 5.0


STEP = st.tuples(
    st.integers(0, 50_000), st.none() | st.floats(0, 0.2), st.floats(0, 200), st.booleans()
)


@given(st.lists(STEP, max_size=40))
def test_a_run_that_keeps_its_limits_goes_over_none_by_more_than_its_last_step(
    steps: list[tuple[int, float | None, float, bool]],
) -> None:
    clock = Clock()
    budget = RunBudget(LIMITS, clock)
    was_told, made = False, 0
    for tokens, usd, seconds, is_wait in steps:
        if budget.exceeded():
            break
        was_told = budget.is_last_step
        before = budget.used()
        assert before["tokens"] < LIMITS.max_tokens
        assert (before["usd"] or 0) < LIMITS.max_usd
        assert before["seconds"] < LIMITS.max_minutes * 60
        if is_wait:
            with budget.user_wait():
                clock.now_s += seconds
            assert budget.used()["seconds"] == pytest.approx(before["seconds"])
        else:
            clock.now_s += seconds
        budget.note_step(tokens, usd)
        made += 1
        left = budget.remaining()
        assert min(left["steps"], left["tokens"], left["usd"] or 0, left["seconds"]) >= 0
        assert re.fullmatch(r"Left: [\w ,.$]+\.", budget.remaining_text())
    assert made == budget.used()["steps"] <= LIMITS.max_steps
    if made == LIMITS.max_steps:
        assert was_told
        assert budget.exceeded()


def test_the_last_step_leaves_money_for_an_answer_worth_having() -> None:
    for answer_usd, is_last in ((0.0, False), (0.03, True)):
        budget = RunBudget(RunLimits(9, 100_000, 0.1, 9), Clock(), answer_usd=answer_usd)
        budget.note_step(10, 0.03)
        assert budget.is_last_step is is_last
