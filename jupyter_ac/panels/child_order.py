"""Which siblings stay in place when their order changes: the most that can."""

from bisect import bisect_left
from collections.abc import Sequence


def longest_increasing(numbers: Sequence[int]) -> list[int]:
    """Return the places of a longest strictly increasing subsequence, in n log n steps."""
    smallest: list[int] = []
    """The smallest last number of a subsequence, by its length - 1."""
    places: list[int] = []
    before = [-1] * len(numbers)
    for place, number in enumerate(numbers):
        length = bisect_left(smallest, number)
        before[place] = places[length - 1] if length else -1
        if length == len(smallest):
            smallest.append(number)
            places.append(place)
        else:
            smallest[length] = number
            places[length] = place
    found = []
    place = places[-1] if places else -1
    while place >= 0:
        found.append(place)
        place = before[place]
    found.reverse()
    return found


def staying(old: Sequence[str], new: Sequence[str]) -> set[str]:
    """Return the ids that need no move to get from an order to another one; as many as possible.

    Args:
        old: without repetitions.
        new: the same.
    """
    places = {each: place for place, each in enumerate(old)}
    common = [each for each in new if each in places]
    numbers = [places[each] for each in common]
    return {common[at] for at in longest_increasing(numbers)}
