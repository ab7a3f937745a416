"""What is counted, under which names, and how latencies are estimated."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.rpc.call_metrics import BOUNDS_S, MAX_LABELS, CallMetrics, MethodSummary


def of(metrics: CallMetrics, method: str) -> MethodSummary:
    (found,) = (row for row in metrics.summary()["methods"] if row["method"] == method)
    return found


def test_nothing_was_called() -> None:
    assert CallMetrics(["A.b"]).summary() == {
        "methods": [],
        "errors": {},
        "bytes_in": 0,
        "bytes_out": 0,
        "streams_open": 0,
        "models": [],
    }


def test_calls_are_counted_by_method_and_outcome() -> None:
    metrics = CallMetrics(["A.b", "A.c"])
    for status in ("success", "success", "busy", "internal", "busy"):
        metrics.record("A.b", status, 0.5)
    metrics.count_retry("A.b")
    metrics.count_limited("A.c")
    row = of(metrics, "A.b")
    assert (row["success"], row["error"], row["retries"], row["rate_limited"]) == (2, 3, 1, 0)
    assert (row["latency"]["count"], row["latency"]["sum_ms"]) == (5, 2500)
    assert of(metrics, "A.c")["rate_limited"] == 1
    assert metrics.summary()["errors"] == {"busy": 2, "internal": 1}


def test_names_from_outside_are_counted_together() -> None:
    metrics = CallMetrics(["A.b"])
    for number in range(1000):
        metrics.record(f"A.{number}", "method_not_found", 0.0001)
        metrics.count_limited(f"A.{number}")
        metrics.count_retry(f"A.{number}")
    (row,) = metrics.summary()["methods"]
    assert (row["method"], row["error"], row["rate_limited"], row["retries"]) == (
        "unknown",
        1000,
        1000,
        1000,
    )


def test_methods_may_become_known_later() -> None:
    metrics = CallMetrics(["A.b"])
    metrics.record("A.b", "success", 0)
    metrics.know(["A.b", "A.c"])
    metrics.record("A.c", "success", 0)
    assert [row["method"] for row in metrics.summary()["methods"]] == ["A.b", "A.c"]


def test_types_of_errors_and_models_are_bounded() -> None:
    metrics = CallMetrics()
    for number in range(MAX_LABELS + 50):
        metrics.record("A.b", f"type {number}", 0)
        metrics.record_tokens(f"model {number}", "input", 2)
        metrics.record_cost(f"model {number}", 0.5)
    summary = metrics.summary()
    assert len(summary["errors"]) == len(summary["models"]) == MAX_LABELS + 1
    assert summary["errors"]["other"] == 50
    others = {"model": "other", "tokens": {"input": 100}, "cost_usd": 25.0}
    assert others in summary["models"]


def test_bytes_streams_tokens_and_money() -> None:
    metrics = CallMetrics()
    metrics.count_bytes("in", 10)
    metrics.count_bytes("out", 1 << 40)
    metrics.count_bytes("in", 5)
    metrics.streams_open += 1
    metrics.record_tokens("m", "input", 7)
    metrics.record_tokens("m", "input", 1)
    metrics.record_tokens("free", "output", 3)
    metrics.record_cost("m", 0.25)
    summary = metrics.summary()
    assert (summary["bytes_in"], summary["bytes_out"]) == (15, 1 << 40)
    assert summary["streams_open"] == 1
    assert summary["models"] == [
        {"model": "free", "tokens": {"output": 3}, "cost_usd": 0.0},
        {"model": "m", "tokens": {"input": 8}, "cost_usd": 0.25},
    ]


@pytest.mark.parametrize(
    ("seconds", "p50_ms", "p99_ms"),
    [
        ([], 0, 0),
        ([0.0007] * 10, 0.5, 0.99),
        ([0.001] * 100, 0.5, 0.99),
        ([0.003] * 50 + [0.2] * 50, 5.0, 247),
        ([100.0] * 3, 30_000, 30_000),
    ],
)
def test_quantiles_are_estimated_within_their_bucket(
    seconds: list[float], p50_ms: float, p99_ms: float
) -> None:
    metrics = CallMetrics(["A.b"])
    metrics.count_retry("A.b")
    for each in seconds:
        metrics.record("A.b", "success", each)
    latency = of(metrics, "A.b")["latency"]
    assert latency["p50_ms"] == pytest.approx(p50_ms)
    assert latency["p99_ms"] == pytest.approx(p99_ms)


@given(st.lists(st.floats(0, 40, allow_nan=False), min_size=1))
def test_an_estimate_is_in_the_bucket_of_the_true_quantile(seconds: list[float]) -> None:
    metrics = CallMetrics(["A.b"])
    for each in seconds:
        metrics.record("A.b", "success", each)
    latency = of(metrics, "A.b")["latency"]
    ordered = sorted(seconds)
    for share, estimate_ms in ((0.5, latency["p50_ms"]), (0.95, latency["p95_ms"])):
        true_s = ordered[max(0, -(-int(share * 100) * len(ordered) // 100) - 1)]
        upper_s = next((bound for bound in BOUNDS_S if true_s <= bound), BOUNDS_S[-1])
        lower_s = max((bound for bound in BOUNDS_S if bound < true_s), default=0.0)
        assert min(lower_s, upper_s) * 1000 - 1e-3 <= estimate_ms <= upper_s * 1000 + 1e-3
    assert latency["p50_ms"] <= latency["p95_ms"] <= latency["p99_ms"]


def test_prometheus_is_loaded_only_for_its_text() -> None:
    program = (
        "import sys; from jupyter_ac.rpc.call_metrics import CallMetrics\n"
        "metrics = CallMetrics(['A.b']); metrics.record('A.b', 'success', 1); metrics.summary()\n"
        "assert 'prometheus_client' not in sys.modules\n"
        "assert b'A.b' in metrics.text()\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
