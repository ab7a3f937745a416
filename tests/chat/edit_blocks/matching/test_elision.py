"""Lines that stand for left-out ones; test_diagnosis.py has the many ways to write them."""

from jupyter_ac.chat.edit_blocks.matching.elision import elided_line, elided_place
from jupyter_ac.chat.edit_blocks.matching.normalization import fold

FILE = [b"a", b"b", b"c", b"", b"d", b"e"]


def test_the_first_line_that_stands_for_others_is_told() -> None:
    assert elided_line(["a", "...", "# ...", "d"], fold(FILE)) == (1, True)
    assert elided_line(["a", "d"], fold(FILE)) is None


def test_dots_that_the_file_has_and_words_are_in_doubt() -> None:
    assert elided_line(["a", "   ..."], fold([*FILE, b"..."])) == (1, False)
    assert elided_line(["# unchanged", "a"], fold(FILE)) == (0, False)
    assert elided_line(["# unchanged", "..."], fold(FILE)) == (1, True)


def place(old: list[str], elided: int, file: list[bytes] = FILE) -> tuple[int, int] | None:
    return elided_place(fold(file), old, elided, is_certain=True)


def test_the_place_reaches_from_the_first_part_to_the_second() -> None:
    assert place(["b", "...", "d"], 1) == (1, 5)


def test_of_several_parts_the_first_and_the_last_count() -> None:
    assert place(["a", "...", "x", "# ...", "e"], 1) == (0, 6)


def test_of_several_places_the_shortest_is_meant() -> None:
    file = [b"a", *FILE, *[b"x"] * 9, *FILE]
    assert place(["a", "...", "d"], 1, file) == (1, 6)
    assert place(["d", "...", "a"], 1, file) == (5, 17)


def test_without_a_second_part_the_first_is_the_place() -> None:
    assert place(["b", "c", "..."], 2) == (1, 3)
    assert place(["...", "d"], 0) == (4, 5)


def test_parts_that_are_not_there_in_this_order_have_no_place() -> None:
    assert place(["d", "...", "b"], 1) is None
    assert place(["x", "...", "b"], 1) is None
    assert place(["a", "...", "x"], 1) is None
    assert place(["..."], 0) is None
    assert place(["..."], 0, []) is None


def test_a_line_in_doubt_stands_for_more_than_one() -> None:
    old = ["a", "# the rest of it", "c"]
    assert elided_place(fold(FILE), old, 1, is_certain=False) is None
    assert elided_place(fold(FILE), [*old[:2], "d"], 1, is_certain=False) == (0, 5)


def test_dots_are_told_from_code_with_dots() -> None:
    assert elided_line(["    # ..."], fold(FILE)) == (0, True)
    for code in ("f(...args)", "...rest,", "a.b", "x = '...'", "a[..., 0]"):
        assert elided_line([code], fold(FILE)) is None


def test_a_long_row_of_comment_signs_is_read_in_one_go() -> None:
    """A pattern that tries all ways to divide them would not end."""
    assert elided_line(["# " * 5000 + "x"], fold(FILE)) is None
    assert elided_line(["//" * 5000 + " unchanged"], fold(FILE)) == (0, False)
