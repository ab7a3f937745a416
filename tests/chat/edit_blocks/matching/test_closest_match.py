"""The place that comes closest."""

from jupyter_ac.chat.edit_blocks.matching.closest_match import LineRange, nearest
from jupyter_ac.chat.edit_blocks.matching.lines import fold


def found(file: list[str], old: list[str]) -> LineRange:
    lines, wanted = ([line.encode() for line in text] for text in (file, old))
    return nearest(lines, fold(lines), wanted, fold(wanted))


ALPHABET = [f"line {letter * 3}" for letter in "abcdefghijklmnopqrstuvwxyz"]


def test_the_lines_that_are_equal_show_the_place() -> None:
    place = found(ALPHABET, ["line ddd", "line changed", "line fff", "line ggg"])
    assert (place.start, place.stop) == (3, 7)
    assert place.likeness == 0.75


def test_changed_lines_at_the_ends_belong_to_the_place() -> None:
    place = found(ALPHABET, ["changed", "line eee", "line fff", "changed"])
    assert (place.start, place.stop) == (3, 7)


def test_lines_that_came_and_went_between_belong_to_the_place() -> None:
    old = [*ALPHABET[3:6], "new one", "new two", *ALPHABET[9:14]]
    place = found(ALPHABET, old)
    assert (place.start, place.stop) == (3, 14)


def test_empty_lines_are_counted() -> None:
    spaced = [line for each in ALPHABET for line in (each, "")]
    place = found(spaced, ["line ddd", "changed", "line fff"])
    assert (place.start, place.stop) == (6, 11)


def test_of_two_places_the_one_with_more_of_the_lines_is_closest() -> None:
    file = ["x one", "y two", "other", "", *["filler"] * 40, "x one", "y two", "z three", "other"]
    assert found(file, ["x one", "y two", "z three", "last"]).start == 44


def test_frequent_lines_do_not_vote() -> None:
    file = [*["return None"] * 1000, "def special():", "return None", *["return None"] * 1000]
    assert found(file, ["def special():", "pass_", "return None"]).start == 1000


def test_a_single_line_is_found_by_its_words() -> None:
    place = found(ALPHABET, ["line qqqq"])
    assert (place.start, place.stop) == (16, 17)
    assert place.likeness > 0.6


def test_a_line_of_frequent_words_is_found_by_its_longest_start_or_end() -> None:
    file = [f"the value is {number} here" for number in range(2000)]
    assert found(file, ["the value is 1234 hexe"]).start == 1234
    assert found(file, ["thx value is 1234 here"]).start == 1234


def test_nothing_alike_has_no_likeness() -> None:
    assert found(ALPHABET, ["something else"]).likeness == 0
    assert found([], ["something"]).likeness == 0


def test_bytes_without_words_are_no_place() -> None:
    assert found(["}", "{", "("], [")", "]"]).likeness == 0
