"""Limits of calls: which rule applies, when a bucket is empty, and how many buckets there are."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import RateLimited
from jupyter_ac.rpc import token_bucket
from jupyter_ac.rpc.token_bucket import (
    RateLimiter,
    limit_fault,
    rule_of,
    stricter_limit,
    strictest_limits,
)

ANNA, BERT = ("anna",), ("bert",)


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def allowed(
    limiter: RateLimiter, method: str, caller: tuple[str, ...] = ANNA, *, is_billed: bool = False
) -> int:
    """Call until it is refused, and return how often that was; 1000 stands for no limit."""
    for count in range(1000):
        try:
            limiter.take(caller, method, is_billed=is_billed)
        except RateLimited:
            return count
    return 1000


def test_a_minutes_calls_may_come_at_once_and_then_as_the_bucket_fills() -> None:
    clock = Clock()
    limiter = RateLimiter({"A.b": 30}, clock=clock)
    assert allowed(limiter, "A.b") == 30
    clock.now += 1.9
    with pytest.raises(RateLimited) as caught:
        limiter.take(ANNA, "A.b", is_billed=False)
    assert (caught.value.code, caught.value.details) == (-32002, {"retry_after_ms": 100})
    assert "A.b was called too often" in caught.value.message
    clock.now += 0.1
    assert allowed(limiter, "A.b") == 1
    clock.now += 30
    assert allowed(limiter, "A.b") == 15
    clock.now += 3600
    assert allowed(limiter, "A.b") == 30


def test_who_waits_as_long_as_is_said_is_served() -> None:
    clock = Clock()
    limiter = RateLimiter({"*": 7}, clock=clock)
    allowed(limiter, "A.b")
    for _ in range(100):
        with pytest.raises(RateLimited) as caught:
            limiter.take(ANNA, "A.b", is_billed=False)
        wait_ms = caught.value.details["retry_after_ms"]
        assert isinstance(wait_ms, int)
        assert wait_ms > 0
        clock.now += wait_ms / 1000
        limiter.take(ANNA, "A.b", is_billed=False)


def test_less_than_one_call_a_minute() -> None:
    clock = Clock()
    limiter = RateLimiter({"A.b": 0.5}, clock=clock)
    assert allowed(limiter, "A.b") == 1
    clock.now += 119
    assert allowed(limiter, "A.b") == 0
    clock.now += 1
    assert allowed(limiter, "A.b") == 1


def test_each_caller_and_each_method_has_its_own_bucket() -> None:
    limiter = RateLimiter({"A.*": 2}, clock=Clock())
    for caller in (ANNA, BERT, ("anna", "other page")):
        assert allowed(limiter, "A.b", caller) == allowed(limiter, "A.c", caller) == 2


def test_the_most_specific_rule_applies() -> None:
    limiter = RateLimiter({"*": 5, "A.*": 4, "A.b": 3, "A.free": 0}, clock=Clock())
    assert [allowed(limiter, name) for name in ("A.b", "A.c", "B.c", "A.free")] == [3, 4, 5, 1000]


@pytest.mark.parametrize(
    ("limits", "billed_per_minute", "expected"),
    [
        ({}, 60, 60),
        ({"*": 0}, 60, 60),
        ({"*": 30}, 60, 30),
        ({"*": 90}, 60, 60),
        ({"*": 90}, 0, 90),
        ({}, 0, 1000),
        ({"A.b": 90, "*": 30}, 60, 90),
        ({"A.*": 0}, 60, 1000),
        ({"B.*": 5}, 60, 60),
    ],
)
def test_a_billed_method_without_a_rule_of_its_own(
    limits: dict[str, float], billed_per_minute: float, expected: int
) -> None:
    limiter = RateLimiter(limits, billed_per_minute, Clock())
    assert allowed(limiter, "A.b", is_billed=True) == expected


def test_without_rules_nothing_else_is_limited() -> None:
    limiter = RateLimiter({}, clock=Clock())
    assert allowed(limiter, "A.b") == 1000


def test_full_buckets_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_bucket, "MAX_BUCKETS", 10)
    clock = Clock()
    limiter = RateLimiter({"*": 2}, clock=clock)
    for count in range(100):
        clock.now += 31
        assert allowed(limiter, "A.b", (str(count),)) == 2
        assert len(limiter._full_at) <= 3


def test_when_all_are_in_use_new_callers_share_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_bucket, "MAX_BUCKETS", 3)
    clock = Clock()
    limiter = RateLimiter({"*": 5}, clock=clock)
    for name in "abc":
        limiter.take((name,), "A.b", is_billed=False)
    assert allowed(limiter, "A.b", ("d",)) == 5
    assert allowed(limiter, "A.b", ("e",)) == 0
    assert allowed(limiter, "A.b", ("a",)) == 4
    assert len(limiter._full_at) == 3
    # b and c are full again: there is room for two.
    clock.now += 12
    assert allowed(limiter, "A.b", ("e",)) == allowed(limiter, "A.b", ("f",)) == 5
    assert allowed(limiter, "A.b", ("g",)) == 1


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"A.b": -1}, "The limit of A.b must be a number"),
        ({"A.*": math.nan}, "must be a number"),
        ({"*": math.inf}, "must be a number"),
        ({"A.get_*": 1}, "'A.get_*' is not a method"),
        ({"A": 1}, "'A' is not"),
        ({"": 1}, "'' is not"),
        ({"A.b.c": 1}, "'A.b.c' is not"),
        ({"*.b": 1}, "is not"),
    ],
)
def test_wrong_limits_are_said(limits: dict[str, float], message: str) -> None:
    assert message in limit_fault(limits)
    with pytest.raises(ValueError, match=r"must be a number|is not a method"):
        RateLimiter(limits)


def test_a_wrong_limit_for_billed_methods_is_refused() -> None:
    with pytest.raises(ValueError, match="must be a number"):
        RateLimiter({}, -1)


RULES = st.dictionaries(
    st.sampled_from(["*", "A.*", "B.*", "A.b", "A.c", "B.c"]), st.sampled_from([0.0, 1, 5, 9])
)


@given(RULES, RULES, st.sampled_from(["A.b", "A.c", "B.c", "C.d"]))
def test_of_two_sets_of_rules_each_method_has_the_stricter_limit(
    one: dict[str, float], other: dict[str, float], name: str
) -> None:
    merged = rule_of(strictest_limits(one, other), name)
    assert merged == stricter_limit(rule_of(one, name), rule_of(other, name))
    expected = [limit for limit in (rule_of(one, name), rule_of(other, name)) if limit]
    assert (merged or 0) == min(expected, default=0)


@given(
    st.floats(0.1, 600, allow_nan=False),
    st.lists(st.floats(0, 30, allow_nan=False), max_size=200),
)
def test_never_more_than_a_bucket_and_what_flows_in(limit: float, waits: list[float]) -> None:
    clock = Clock()
    limiter = RateLimiter({"*": limit}, clock=clock)
    begun, count = clock.now, 0
    for wait_s in waits:
        clock.now += wait_s
        try:
            limiter.take(ANNA, "A.b", is_billed=False)
        except RateLimited:
            continue
        count += 1
        assert count <= max(limit, 1) + (clock.now - begun) * limit / 60 + 1e-3
