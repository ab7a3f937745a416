"""The text for Prometheus, read back by its own parser."""

from prometheus_client import REGISTRY, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from jupyter_ac.rpc.call_metrics import BOUNDS_S, CallMetrics


def samples(metrics: CallMetrics) -> dict[tuple[str, ...], float]:
    """Read each sample by its name and the values of its labels, in the order of their names."""
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(metrics.text().decode())
        for sample in family.samples
    }


def test_all_that_is_counted_is_there() -> None:
    metrics = CallMetrics(["A.b"])
    metrics.record("A.b", "success", 0.003)
    metrics.record("A.b", "busy", 60)
    metrics.count_retry("A.b")
    metrics.count_limited('evil"}\n')
    metrics.count_bytes("in", 3)
    metrics.count_bytes("out", 4)
    metrics.streams_open = 2
    metrics.record_tokens("openai/x", "cache_read", 9)
    metrics.record_cost("openai/x", 0.125)
    found = samples(metrics)
    expected = {
        ("jupyter_ac_requests_total", "A.b", "success"): 1,
        ("jupyter_ac_requests_total", "A.b", "error"): 1,
        ("jupyter_ac_retries_total", "A.b"): 1,
        ("jupyter_ac_rate_limited_total", "unknown"): 1,
        ("jupyter_ac_errors_total", "busy"): 1,
        ("jupyter_ac_request_seconds_count", "A.b"): 2,
        ("jupyter_ac_request_seconds_sum", "A.b"): 60.003,
        ("jupyter_ac_request_seconds_bucket", "0.0025", "A.b"): 0,
        ("jupyter_ac_request_seconds_bucket", "0.005", "A.b"): 1,
        ("jupyter_ac_request_seconds_bucket", "30.0", "A.b"): 1,
        ("jupyter_ac_request_seconds_bucket", "+Inf", "A.b"): 2,
        ("jupyter_ac_payload_bytes_total", "in"): 3,
        ("jupyter_ac_payload_bytes_total", "out"): 4,
        ("jupyter_ac_streams_open",): 2,
        ("jupyter_ac_tokens_total", "cache_read", "openai/x"): 9,
        ("jupyter_ac_cost_usd_total", "openai/x"): 0.125,
    }
    assert {key: found.get(key) for key in expected} == expected


def test_the_buckets_are_cumulative_and_inclusive() -> None:
    metrics = CallMetrics(["A.b"])
    for bound in BOUNDS_S:
        metrics.record("A.b", "success", bound)
    found = samples(metrics)
    reached = [found["jupyter_ac_request_seconds_bucket", str(each), "A.b"] for each in BOUNDS_S]
    assert reached == list(range(1, len(BOUNDS_S) + 1))


def test_labels_that_need_escapes_come_back() -> None:
    metrics = CallMetrics()
    metrics.record_tokens('a"b\\c\nd', "input", 1)
    assert samples(metrics)["jupyter_ac_tokens_total", "input", 'a"b\\c\nd'] == 1


def test_the_servers_own_registry_has_none_of_it() -> None:
    metrics = CallMetrics(["A.b"])
    metrics.record("A.b", "success", 1)
    assert b"jupyter_ac_requests" in metrics.text()
    assert b"jupyter_ac_requests" not in generate_latest(REGISTRY)
