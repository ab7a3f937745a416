"""Providers' prompt caches by their published rules, and the best that any marks could do.

Unit: one input token that no cache serves. Reading costs 0.1 of it. Where prompts are marked,
writing costs 1.25: a prefix is kept where a mark stands, of which a request has four at most, and
found again where a later request has a mark on the same prefix or within 20 blocks behind it. Where
the provider decides, the longest beginning that an earlier request had is read in steps of 128
tokens, and writing is free. Both take no prefix below a minimum and forget what isn't used for five
or ten minutes.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

READ: Final = 0.1
WRITE: Final = 1.25
MOST_MARKS: Final = 4
LOOKBACK: Final = 20
STEP: Final = 128
MARKED_TTL_S: Final = 300.0
AUTOMATIC_TTL_S: Final = 600.0


@dataclass(frozen=True, slots=True)
class Part:
    """A text part of a request, named by its role and text."""

    name: str
    tokens: int
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class Sent:
    """A request and when it left."""

    at_s: float
    parts: tuple[Part, ...]

    @property
    def tokens(self) -> int:
        """All of them."""
        return sum(part.tokens for part in self.parts)

    def prefixes(self) -> list[tuple[str, int]]:
        """Name each prefix, with its tokens."""
        digest, total = hashlib.sha256(), 0
        found = []
        for part in self.parts:
            digest.update(part.name.encode() + b"\0")
            total += part.tokens
            found.append((digest.hexdigest(), total))
        return found


@dataclass(frozen=True, slots=True)
class Bill:
    """What a request took, in tokens; the rest is neither read nor written."""

    read: int
    written: int
    rest: int

    @property
    def tokens(self) -> int:
        """All of them."""
        return self.read + self.written + self.rest

    @property
    def cost(self) -> float:
        """In uncached tokens."""
        return READ * self.read + WRITE * self.written + self.rest


@dataclass(slots=True)
class MarkedCache:
    """A cache of prefixes that were marked.

    Attributes:
        minimum: the shortest prefix that it takes, in tokens.
        ttl_s: how long it keeps what isn't used.
    """

    minimum: int = 1024
    ttl_s: float = MARKED_TTL_S
    _used: dict[str, float] = field(default_factory=dict)

    def take(self, request: Sent) -> Bill:
        """Serve a request."""
        ends = request.prefixes()
        marks = [at for at, part in enumerate(request.parts) if part.is_marked]
        assert len(marks) <= MOST_MARKS
        read, last = 0, 0
        for mark in marks:
            if ends[mark][1] < self.minimum:
                continue
            last = ends[mark][1]
            near = ends[max(0, mark + 1 - LOOKBACK) : mark + 1]
            known = [size for name, size in near if self._is_kept(name, request.at_s)]
            read = max([read, *known])
        for name, size in ends:
            if size <= read and self._is_kept(name, request.at_s):
                self._used[name] = request.at_s
        for mark in marks:
            if ends[mark][1] >= self.minimum:
                self._used[ends[mark][0]] = request.at_s
        written = max(0, last - read)
        return Bill(read, written, request.tokens - read - written)

    def _is_kept(self, name: str, now_s: float) -> bool:
        return name in self._used and now_s - self._used[name] <= self.ttl_s


@dataclass(slots=True)
class AutomaticCache:
    """A cache of all beginnings of earlier requests."""

    minimum: int = 1024
    ttl_s: float = AUTOMATIC_TTL_S
    _used: dict[str, float] = field(default_factory=dict)

    def take(self, request: Sent) -> Bill:
        """Serve a request."""
        ends = request.prefixes()
        read = 0
        for name, size in ends:
            if name not in self._used or request.at_s - self._used[name] >= self.ttl_s:
                break
            read = size
        read = read // STEP * STEP if read >= self.minimum else 0
        self._used.update((name, request.at_s) for name, _ in ends)
        return Bill(read, 0, request.tokens - read)


def best_marked(requests: Sequence[Sent], ttl_s: float = MARKED_TTL_S) -> float:
    """Return the least that these requests could cost, with all marks set knowing the future.

    Each prefix is looked at alone: the requests that have it, cut where a gap is longer than the
    cache keeps it, are groups; one that stands alone is best not written, else the first writes and
    the others read. The choices fit each other, since a shorter prefix is in every group that a
    longer one is in. Minimum, lookback and the number of marks can only make it dearer, so this is
    a lower bound.
    """
    times: dict[str, list[float]] = defaultdict(list)
    tokens: dict[str, int] = {}
    for request in requests:
        before = 0
        for name, size in request.prefixes():
            times[name].append(request.at_s)
            tokens[name] = size - before
            before = size
    return sum(tokens[name] * _least(seen, ttl_s) for name, seen in times.items())


def _least(times: Iterable[float], ttl_s: float) -> float:
    groups: list[int] = []
    last = None
    for at in times:
        if last is not None and at - last <= ttl_s:
            groups[-1] += 1
        else:
            groups.append(1)
        last = at
    return sum(1.0 if size == 1 else WRITE + READ * (size - 1) for size in groups)
