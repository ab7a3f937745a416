"""The counts of calls in Prometheus' text format; loads its client, so import it when needed."""

from collections.abc import Iterator, Mapping
from itertools import accumulate

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from jupyter_ac.rpc.call_metrics import BOUNDS_S, MethodCounts, MetricsSummary


def exposition(summary: MetricsSummary, called: Mapping[str, MethodCounts]) -> bytes:
    """Return the counts as text.

    Args:
        summary: of the same counts.
        called: counts by method.
    """
    # Not the global registry: it has what other extensions of the same server count.
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Counts(summary, called))
    return generate_latest(registry)


class _Counts(Collector):
    """One reading of the counts as metric families."""

    def __init__(self, summary: MetricsSummary, called: Mapping[str, MethodCounts]) -> None:
        self._summary = summary
        self._called = called

    def collect(self) -> Iterator[Metric]:
        yield from self._by_method()
        yield self._latencies()
        yield from self._whole_host()
        yield from self._by_model()

    def _by_method(self) -> Iterator[Metric]:
        requests = CounterMetricFamily(
            "jupyter_ac_requests", "Answered calls.", labels=["method", "status"]
        )
        retries = CounterMetricFamily(
            "jupyter_ac_retries", "Calls with a known idempotency key.", labels=["method"]
        )
        limited = CounterMetricFamily(
            "jupyter_ac_rate_limited", "Calls refused as too many.", labels=["method"]
        )
        for row in self._summary["methods"]:
            name = row["method"]
            requests.add_metric([name, "success"], row["success"])
            requests.add_metric([name, "error"], row["error"])
            retries.add_metric([name], row["retries"])
            limited.add_metric([name], row["rate_limited"])
        yield from (requests, retries, limited)

    def _latencies(self) -> Metric:
        family = HistogramMetricFamily(
            "jupyter_ac_request_seconds", "From the frame to the answer.", labels=["method"]
        )
        bounds = [*map(str, BOUNDS_S), "+Inf"]
        for name, counts in self._called.items():
            reached = list(zip(bounds, accumulate(counts.buckets), strict=True))
            family.add_metric([name], reached, counts.seconds)
        return family

    def _whole_host(self) -> Iterator[Metric]:
        errors = CounterMetricFamily("jupyter_ac_errors", "Error answers.", labels=["type"])
        for kind, count in self._summary["errors"].items():
            errors.add_metric([kind], count)
        yield errors
        size = CounterMetricFamily(
            "jupyter_ac_payload_bytes", "Size of all frames.", labels=["direction"]
        )
        size.add_metric(["in"], self._summary["bytes_in"])
        size.add_metric(["out"], self._summary["bytes_out"])
        yield size
        yield GaugeMetricFamily(
            "jupyter_ac_streams_open",
            "Answers that are being streamed.",
            value=self._summary["streams_open"],
        )

    def _by_model(self) -> Iterator[Metric]:
        tokens = CounterMetricFamily(
            "jupyter_ac_tokens", "Tokens as the provider counts.", labels=["model", "kind"]
        )
        costs = CounterMetricFamily(
            "jupyter_ac_cost_usd", "US dollars, where the price is known.", labels=["model"]
        )
        for row in self._summary["models"]:
            for kind, count in row["tokens"].items():
                tokens.add_metric([row["model"], kind], count)
            costs.add_metric([row["model"]], row["cost_usd"])
        yield from (tokens, costs)
