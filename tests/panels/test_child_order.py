"""The fewest moves."""

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.panels.child_order import longest_increasing, staying

NUMBERS = st.lists(st.integers(0, 9), max_size=9, unique=True)


def is_increasing(numbers: list[int]) -> bool:
    return all(one < other for one, other in pairwise(numbers))


@given(NUMBERS)
def test_nothing_longer_increases(numbers: list[int]) -> None:
    places = longest_increasing(numbers)
    assert is_increasing(places)
    assert is_increasing([numbers[place] for place in places])
    longer = combinations(numbers, len(places) + 1)
    assert not any(is_increasing(list(each)) for each in longer)


@given(NUMBERS, NUMBERS)
def test_those_that_stay_are_in_the_same_order(old: list[int], new: list[int]) -> None:
    before, after = [str(each) for each in old], [str(each) for each in new]
    stay = staying(before, after)
    assert [each for each in before if each in stay] == [each for each in after if each in stay]
    assert stay <= set(before) & set(after)


def test_a_reversed_list_keeps_one() -> None:
    assert len(staying([str(n) for n in range(50)], [str(n) for n in reversed(range(50))])) == 1
