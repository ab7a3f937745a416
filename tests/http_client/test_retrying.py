"""Which calls are sent again, and when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import (
    AccessDenied,
    AcError,
    Busy,
    Conflict,
    ConnectionClosed,
    NotFound,
    RemoteError,
    StaleEpoch,
    TimedOut,
)
from jupyter_ac.http_client.retrying import (
    LONGEST_S,
    Pauses,
    acts,
    is_stale,
    may_pass,
    ordered_pause_s,
)


@pytest.mark.parametrize(
    "error",
    [
        ConnectionClosed("c"),
        Busy("b"),
        RemoteError("r", "TIMEOUT"),
        RemoteError("r", "RATE_LIMITED", {"retry_after_ms": 900}),
        RemoteError("r", -32001, {"type": "UNAVAILABLE"}),
        RemoteError("r", -32002, {"retry_after_ms": 900}),
        RemoteError("r", -32000, {"type": "timeout"}),
        RemoteError("r", -32000, {"type": "TIMEOUT"}),
        RemoteError("r", -32000, {"type": "busy"}),
    ],
)
def test_what_may_pass(error: AcError) -> None:
    assert may_pass(error)


@pytest.mark.parametrize(
    "error",
    [
        AccessDenied("a"),
        Conflict("c"),
        NotFound("n"),
        StaleEpoch(1, 2),
        TimedOut("t"),
        RemoteError("r", "INTERNAL_ERROR"),
        RemoteError("r", "INVALID_STATE", {"current_state": "connecting"}),
        RemoteError("r", -32000, {"type": "conflict"}),
        RemoteError("r", -32603),
        RemoteError("r", -32002, {"retry_after_ms": 61_000}),
        Busy("b", {"retry_after": 61}),
    ],
)
def test_what_stays_as_it_is(error: AcError) -> None:
    assert not may_pass(error)


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        (RemoteError("r", -32002, {"retry_after_ms": 1500}), 1.5),
        (Busy("b", {"retry_after": 3}), 3.0),
        (RemoteError("r", -32002, {"retry_after_ms": "soon"}), 0.0),
        (RemoteError("r", -32002, {"retry_after_ms": True}), 0.0),
        (RemoteError("r", -32002, [1]), 0.0),
        (RemoteError("r", -32002), 0.0),
    ],
)
def test_the_pause_that_a_server_asks_for(error: AcError, seconds: float) -> None:
    assert ordered_pause_s(error) == seconds


def test_pauses_double_up_to_the_longest() -> None:
    longest = Pauses(random=lambda: 1.0)
    lengths = [longest.length_s(tried) for tried in range(7)]
    assert lengths == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]
    assert longest.length_s(1000) == LONGEST_S


def test_an_ordered_pause_comes_before_the_random_one() -> None:
    assert Pauses(random=lambda: 0.0).length_s(3, 2.5) == 2.5
    assert Pauses(random=lambda: 0.5).length_s(1, 2.5) == 3.0


@given(st.integers(0, 50))
def test_the_jitter_is_full(tried: int) -> None:
    assert 0.0 <= Pauses().length_s(tried) <= LONGEST_S


def test_a_stale_epoch_in_both_forms() -> None:
    assert is_stale(RemoteError("s", "STALE_EPOCH", {"current_epoch": 2}))
    assert is_stale(RemoteError("s", -32010, {"type": "STALE_EPOCH"}))
    assert is_stale(RemoteError("s", -32000, {"type": "stale_epoch"}))
    assert not is_stale(RemoteError("s", "INVALID_STATE"))
    assert not is_stale(ConnectionClosed())


@pytest.mark.parametrize(
    "method",
    ["js", "cdp", "reload", "fetch.resume", "Browser.js", "Browser.fetch_fail", "Browser.click"],
)
def test_what_acts_in_a_page_is_not_sent_again_for_another(method: str) -> None:
    assert acts(method)


@pytest.mark.parametrize(
    "method", ["clear", "network", "jsx", "fetch", "browser.startInspect", "Browser.network"]
)
def test_what_reads_or_ends_is_sent_again(method: str) -> None:
    assert not acts(method)
