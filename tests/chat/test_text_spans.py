import re

from jupyter_ac.chat.text_spans import matches, merged


def test_spans_that_overlap_are_joined_and_empty_ones_left_out() -> None:
    assert merged([(7, 9), (0, 3), (2, 5), (5, 6), (6, 6)]) == [(0, 5), (5, 6), (7, 9)]


def test_matches_are_found_once_wherever_a_slice_ends() -> None:
    for where in (0, 65_530, 65_536, 73_720, 300_000):
        text = " " * where + "word" * 3 + " " * 100_000
        found = [match.span() for match in matches(re.compile("word"), text)]
        assert found == [(where + at, where + at + 4) for at in (0, 4, 8)]


def test_the_first_match_is_whole_also_when_it_is_longer_than_a_slice() -> None:
    match, *_ = matches(re.compile("a+"), "b" + "a" * 300_000)
    assert match.span() == (1, 300_001)
