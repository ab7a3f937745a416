"""The rules of the providers' caches, and the bound that is called the best possible."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.caches import (
    MARKED_TTL_S,
    AutomaticCache,
    MarkedCache,
    Part,
    Sent,
    best_marked,
)

NEXT_S = 10.0


def sent(*names: str, at_s: float = 0.0, marks: Sequence[int] = (), tokens: int = 2000) -> Sent:
    return Sent(at_s, tuple(Part(name, tokens, at in marks) for at, name in enumerate(names)))


def test_a_marked_prefix_is_read_where_a_later_request_has_it() -> None:
    cache = MarkedCache()
    first = cache.take(sent("a", "b", "q", marks=[1]))
    assert (first.read, first.written, first.rest, first.cost) == (0, 4000, 2000, 7000)
    second = cache.take(sent("a", "b", "c", "r", marks=[2]))
    assert (second.read, second.written, second.rest) == (4000, 2000, 2000)
    assert cache.take(sent("a", "x", "c", marks=[2])).read == 0


def test_an_entry_is_looked_for_twenty_blocks_back_and_not_further() -> None:
    names = [str(number) for number in range(40)]
    for marks, read in (([19], 2000), ([20], 0), ([0, 39], 2000)):
        cache = MarkedCache()
        cache.take(sent(*names[:1], marks=[0]))
        assert cache.take(sent(*names, marks=marks)).read == read


def test_what_is_short_or_old_is_not_kept() -> None:
    cache = MarkedCache(minimum=1024)
    cache.take(sent("a", marks=[0], tokens=1023))
    assert cache.take(sent("a", marks=[0], tokens=1023)).written == 0
    cache.take(sent("b", marks=[0]))
    used = sent("b", marks=[0], at_s=MARKED_TTL_S)
    assert cache.take(used).read == 2000
    assert cache.take(replace(used, at_s=2 * MARKED_TTL_S)).read == 2000  # use keeps it
    assert cache.take(replace(used, at_s=3 * MARKED_TTL_S + 1)).read == 0


def test_an_automatic_cache_reads_the_common_beginning_in_steps() -> None:
    cache = AutomaticCache()
    assert cache.take(sent("a", "b", tokens=700)).read == 0
    assert cache.take(sent("a", "c", tokens=700)).read == 0  # below the minimum
    bill = cache.take(sent("a", "b", "d", tokens=700))
    assert (bill.read, bill.written, bill.cost) == (1280, 0, 0.1 * 1280 + 820)


def _placements(request: Sent) -> Iterator[Sent]:
    places = range(len(request.parts))
    for count in range(min(4, len(request.parts)) + 1):
        for marks in combinations(places, count):
            yield replace(
                request,
                parts=tuple(
                    replace(part, is_marked=at in marks) for at, part in enumerate(request.parts)
                ),
            )


def _by_trying(requests: Sequence[Sent]) -> float:
    """The least cost over all placements of marks."""
    costs = []
    for marked in product(*(list(_placements(request)) for request in requests)):
        cache = MarkedCache(minimum=0)
        costs.append(sum(cache.take(request).cost for request in marked))
    return min(costs)


_NAMES = st.lists(st.sampled_from("ab"), min_size=1, max_size=3)
_GAPS = st.sampled_from([NEXT_S, MARKED_TTL_S + 1])
_SESSIONS = st.lists(st.tuples(_NAMES, _GAPS, st.integers(1, 9)), min_size=1, max_size=3)


@given(_SESSIONS)
def test_the_best_possible_is_what_trying_all_marks_gives(
    session: list[tuple[list[str], float, int]],
) -> None:
    now, requests = 0.0, []
    for names, gap, _ in session:
        now += gap
        requests.append(sent(*names, at_s=now, tokens=10))
    assert abs(best_marked(requests) - _by_trying(requests)) < 1e-6


def test_a_log_that_only_grows_is_served_as_well_as_can_be() -> None:
    requests = [
        sent(*map(str, range(count)), at_s=count * NEXT_S, marks=[count - 1]) for count in (2, 4, 6)
    ]
    cache = MarkedCache()
    cost = sum(cache.take(request).cost for request in requests)
    last_written = 0.25 * 2 * 2000  # nobody knows that no request follows
    assert cost - last_written == best_marked(requests)
