"""Limits of calls a minute, for each caller and method: token buckets.

A bucket holds a minute's calls and fills up evenly over a minute. It is kept as one number, the
time at which it will be full again (the generic cell rate algorithm of ITU-T I.371).
"""

import math
import re
import time
from collections.abc import Callable, Mapping
from typing import Final

from jupyter_ac.errors import RateLimited

EVERY_METHOD: Final = "*"
BILLED_PER_MINUTE: Final = 60.0
"""Default for methods that cost money."""

MAX_BUCKETS: Final = 10_000
SWEEP_S: Final = 1.0

_MINUTE_S: Final = 60.0
_RULE: Final = re.compile(r"\*|\w+\.(?:\*|\w+)")


def limit_fault(limits: Mapping[str, float]) -> str:
    """Return what is wrong with configured limits as a sentence; "" if nothing is."""
    for name, limit in limits.items():
        if not _RULE.fullmatch(name):
            return f'{name!r} is not a method, "Namespace.*" or "*".'
        if not (math.isfinite(limit) and limit >= 0):
            return f"The limit of {name} must be a number of calls a minute, or 0 for none."
    return ""


def rule_of(limits: Mapping[str, float], method: str) -> float | None:
    """Return the limit that a method, or a pattern of methods, has a rule for: the most specific.

    Args:
        limits: calls a minute by method, `Namespace.*` or `*`; 0 is no limit.
        method: a full name, `Namespace.*` or `*`.
    """
    limit = own_rule_of(limits, method)
    return limits.get(EVERY_METHOD) if limit is None else limit


def own_rule_of(limits: Mapping[str, float], method: str) -> float | None:
    """Return the limit of the method or its namespace, without the rule for every method."""
    limit = limits.get(method)
    return limits.get(f"{method.partition('.')[0]}.*") if limit is None else limit


def stricter_limit(one: float | None, other: float | None) -> float | None:
    """Return the smaller of two limits; 0 is no limit, None is no rule."""
    if not one or not other:
        return one or other or (one if other is None else other)
    return min(one, other)


def strictest_limits(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    """Merge two sets of rules, so that each method has the stricter one of its two limits."""
    merged = {
        name: stricter_limit(rule_of(one, name), rule_of(other, name))
        for name in dict.fromkeys([*one, *other])
    }
    return {name: limit for name, limit in merged.items() if limit is not None}


class RateLimiter:
    """Limits the calls of all callers of a host.

    Each caller has a bucket for each limited method, even if the rule is for a namespace: it may
    call each method a minute's number of times at once, and then as often as the bucket fills.

    At most `MAX_BUCKETS` are kept. Those that are full again are forgotten, which changes nothing;
    they are looked for when a new one is needed, at most once in `SWEEP_S`. While all others are in
    use, new callers share one bucket.

    Args:
        limits: calls a minute by method, `Namespace.*` or `*`; the most specific rule applies, and
            0 is no limit.
        billed_per_minute: limit for methods that cost money and that no rule for the method or its
            namespace names; of this and the rule for `*` the stricter one. 0 is no limit.
        clock: seconds, monotonic.

    Raises:
        ValueError: a limit or a name is wrong; `limit_fault` says it of settings.
    """

    def __init__(
        self,
        limits: Mapping[str, float],
        billed_per_minute: float = BILLED_PER_MINUTE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        fault = limit_fault(limits) or limit_fault({EVERY_METHOD: billed_per_minute})
        if fault:
            raise ValueError(fault)
        self._named = {name: limit for name, limit in limits.items() if name != EVERY_METHOD}
        every = limits.get(EVERY_METHOD)
        self._unnamed = every or 0.0
        self._unnamed_billed = stricter_limit(every, billed_per_minute) or 0.0
        self._clock = clock
        self._full_at: dict[tuple[tuple[str, ...], str], float] = {}
        self._shared_full_at = -math.inf
        self._next_sweep = -math.inf

    def take(self, caller: tuple[str, ...], method: str, *, is_billed: bool) -> None:
        """Count a call, before anything is done for it.

        Args:
            caller: the person, or whatever else calls are counted for.
            method: a name of the method table. Names that aren't in it would get buckets too.
            is_billed: the method costs money.

        Raises:
            RateLimited: the bucket is empty; the call wasn't counted.
        """
        limit = own_rule_of(self._named, method) if self._named else None
        if limit is None:
            limit = self._unnamed_billed if is_billed else self._unnamed
        if limit:
            self._take((caller, method), limit)

    def _take(self, key: tuple[tuple[str, ...], str], limit: float) -> None:
        now, step_s = self._clock(), _MINUTE_S / limit
        is_shared = key not in self._full_at and not self._has_room(now)
        before = self._shared_full_at if is_shared else self._full_at.get(key, now)
        full_at = max(before, now) + step_s
        # A limit below one call a minute has a bucket for one call.
        late_s = full_at - now - max(_MINUTE_S, step_s)
        if late_s > step_s * 1e-6:
            raise RateLimited(key[1], max(1, math.ceil(late_s * 1000)))
        if is_shared:
            self._shared_full_at = full_at
        else:
            self._full_at[key] = full_at

    def _has_room(self, now: float) -> bool:
        """Forget full buckets, and return whether there is room for one more."""
        if now >= self._next_sweep:
            self._next_sweep = now + SWEEP_S
            for key in [key for key, full_at in self._full_at.items() if full_at <= now]:
                del self._full_at[key]
        return len(self._full_at) < MAX_BUCKETS
