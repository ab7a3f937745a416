"""Counts of a host's calls, for `get_metrics` and for Prometheus (seed 004, "Metrics to Track").

Plain numbers, because each call is counted; `metrics_text` gives them to Prometheus' client when
they are asked for.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from itertools import accumulate
from typing import Final, Literal, TypeAlias, TypedDict

SUCCESS: Final = "success"
UNKNOWN: Final = "unknown"
OTHER: Final = "other"

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
"""Of `CallMetrics.text`."""

MAX_LABELS: Final = 100
"""Different types of errors, and different models; further ones count as `other`."""

BOUNDS_S: Final = (
    *(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5),
    *(1.0, 2.5, 5.0, 10.0, 30.0),
)
"""Upper bounds of the buckets of latencies, inclusive; one more bucket has what took longer."""

TokenKind: TypeAlias = Literal["input", "output", "cache_read", "cache_write", "reasoning"]
"""`cache_read` and `cache_write` are parts of `input`, `reasoning` of `output`."""


class LatencySummary(TypedDict):
    """How long calls of a method took, from the frame to the answer.

    Attributes:
        count: of the calls.
        sum_ms: of all of them.
        p50_ms: half of them took at most this; estimated from buckets, as the next two.
        p95_ms: 95 % took at most this.
        p99_ms: 99 % took at most this; 30,000 if they took longer than that.
    """

    count: int
    sum_ms: float
    p50_ms: float
    p95_ms: float
    p99_ms: float


class MethodSummary(TypedDict):
    """The calls of one method.

    Attributes:
        method: full name; `unknown` for all names that no method has.
        success: calls that were answered with a result.
        error: calls that were answered with an error.
        retries: calls with an idempotency key that was used before.
        rate_limited: calls that were refused because there were too many.
        latency: of all calls that were answered.
    """

    method: str
    success: int
    error: int
    retries: int
    rate_limited: int
    latency: LatencySummary


class ModelUse(TypedDict):
    """What was asked of one model.

    Attributes:
        model: its name; `other` for all beyond the first hundred.
        tokens: number by kind: `input`, `output`, `cache_read` and `cache_write` (parts of
            `input`), `reasoning` (part of `output`).
        cost_usd: of the answers whose price is known.
    """

    model: str
    tokens: dict[str, int]
    cost_usd: float


class MetricsSummary(TypedDict):
    """The counts since the start of the host.

    Attributes:
        methods: those that were called, by name.
        errors: number of error answers by type (`data.type`).
        bytes_in: size of all frames that were received.
        bytes_out: size of all frames that were sent.
        streams_open: answers that are being streamed now.
        models: those that were asked, by name.
    """

    methods: list[MethodSummary]
    errors: dict[str, int]
    bytes_in: int
    bytes_out: int
    streams_open: int
    models: list[ModelUse]


class MethodCounts:
    """The counts of one method.

    Attributes:
        errors: calls that were answered with an error.
        retries: see `MethodSummary`.
        limited: calls that were refused as too many.
        seconds: sum of all latencies.
        buckets: number of calls by latency; see `BOUNDS_S`.
    """

    __slots__ = ("buckets", "errors", "limited", "retries", "seconds")

    def __init__(self) -> None:
        self.errors = self.retries = self.limited = 0
        self.seconds = 0.0
        self.buckets = [0] * (len(BOUNDS_S) + 1)

    @property
    def count(self) -> int:
        """All calls that were answered."""
        return sum(self.buckets)

    def latency(self) -> LatencySummary:
        """Summarize the latencies."""
        p50, p95, p99 = (round(self._quantile_s(share) * 1000, 3) for share in (0.5, 0.95, 0.99))
        sum_ms = round(self.seconds * 1000, 3)
        return {"count": self.count, "sum_ms": sum_ms, "p50_ms": p50, "p95_ms": p95, "p99_ms": p99}

    def _quantile_s(self, share: float) -> float:
        """Estimate a quantile as Prometheus does: calls are spread evenly within a bucket."""
        rank = share * self.count
        below = 0
        lower_s = 0.0
        for upper_s, reached in zip(BOUNDS_S, accumulate(self.buckets), strict=False):
            if reached >= rank > below:
                return lower_s + (upper_s - lower_s) * (rank - below) / (reached - below)
            below, lower_s = reached, upper_s
        return lower_s if rank else 0.0


class CallMetrics:
    """Counts for one host; used in its event loop.

    Names of methods come from outside, so only those of the method table are counted by name.

    Args:
        methods: full names.

    Attributes:
        streams_open: answers that are being streamed now; whoever opens and ends them sets it.
    """

    def __init__(self, methods: Iterable[str] = ()) -> None:
        self.streams_open = 0
        self._unknown = MethodCounts()
        self._methods: dict[str, MethodCounts] = {}
        self._errors: dict[str, int] = {}
        self._bytes = {"in": 0, "out": 0}
        self._tokens: dict[str, dict[str, int]] = {}
        self._costs: dict[str, float] = {}
        self.know(methods)

    def know(self, methods: Iterable[str]) -> None:
        """Count methods by their names from now on; known names stay as they are."""
        for name in methods:
            self._methods.setdefault(name, MethodCounts())

    def record(self, method: str, status: str, seconds: float) -> None:
        """Count an answered call.

        Args:
            method: its name, whatever the caller wrote.
            status: `success`, or the type of the error (`data.type`).
            seconds: from the frame to the answer.
        """
        counts = self._methods.get(method) or self._unknown
        counts.seconds += seconds
        counts.buckets[bisect_left(BOUNDS_S, seconds)] += 1
        if status != SUCCESS:
            counts.errors += 1
            label = _bounded(self._errors, status)
            self._errors[label] = self._errors.get(label, 0) + 1

    def count_bytes(self, direction: Literal["in", "out"], n: int) -> None:
        """Count the size of a frame in bytes."""
        self._bytes[direction] += n

    def count_retry(self, method: str) -> None:
        """Count a call with an idempotency key that was used before."""
        (self._methods.get(method) or self._unknown).retries += 1

    def count_limited(self, method: str) -> None:
        """Count a call that was refused because there were too many."""
        (self._methods.get(method) or self._unknown).limited += 1

    def record_tokens(self, model: str, kind: TokenKind, n: int) -> None:
        """Count tokens that a model has read or written."""
        kinds = self._tokens.setdefault(_bounded(self._tokens, model), {})
        kinds[kind] = kinds.get(kind, 0) + n

    def record_cost(self, model: str, usd: float) -> None:
        """Count what an answer of a model has cost, in US dollars."""
        label = _bounded(self._costs, model)
        self._costs[label] = self._costs.get(label, 0.0) + usd

    def text(self) -> bytes:
        """Return all counts in Prometheus' text format, see `CONTENT_TYPE`."""
        # 150 ms to import.
        exposition: Callable[[MetricsSummary, Mapping[str, MethodCounts]], bytes] = import_module(
            "jupyter_ac.rpc.metrics_text"
        ).exposition
        return exposition(self.summary(), dict(self.called()))

    def called(self) -> Iterator[tuple[str, MethodCounts]]:
        """Yield the methods that were called and their counts, by name."""
        named = {**self._methods, UNKNOWN: self._unknown}
        for name, counts in sorted(named.items()):
            if any(counts.buckets) or counts.retries or counts.limited:
                yield name, counts

    def summary(self) -> MetricsSummary:
        """Return all counts, for `get_metrics`."""
        return {
            "methods": [_summary(name, counts) for name, counts in self.called()],
            "errors": dict(sorted(self._errors.items())),
            "bytes_in": self._bytes["in"],
            "bytes_out": self._bytes["out"],
            "streams_open": self.streams_open,
            "models": [
                {
                    "model": model,
                    "tokens": dict(self._tokens.get(model, {})),
                    "cost_usd": self._costs.get(model, 0.0),
                }
                for model in sorted({*self._tokens, *self._costs})
            ],
        }


def _bounded(labels: Mapping[str, object], label: str) -> str:
    return label if label in labels or len(labels) < MAX_LABELS else OTHER


def _summary(name: str, counts: MethodCounts) -> MethodSummary:
    return {
        "method": name,
        "success": counts.count - counts.errors,
        "error": counts.errors,
        "retries": counts.retries,
        "rate_limited": counts.limited,
        "latency": counts.latency(),
    }
