"""No second sees more than it may, and nothing waits longer than it must."""

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.hosts.kernel.relay.token_bucket import TokenBucket


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
