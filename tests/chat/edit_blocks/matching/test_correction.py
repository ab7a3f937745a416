"""The block that would fit, offered where a uniform shift is the only cause."""

import pytest

from jupyter_ac.chat.edit_blocks.matching.correction import (
    Correction,
    Shift,
    correct,
    shift_between,
    shift_of,
)
from jupyter_ac.chat.edit_blocks.matching.lines import fold


def corrected(file: str, old: str, new: str) -> Correction | None:
    lines, wanted = file.encode().split(b"\n"), old.split("\n")
    folded = fold(lines), fold([line.encode() for line in wanted])
    return correct(lines, folded, wanted, new.split("\n"))


@pytest.mark.parametrize("space", ["    ", "\t", " \t "])
def test_a_shift_to_the_right_is_corrected(space: str) -> None:
    file = f"class A:\n{space}def f():\n\n{space}    return 1\nend"
    found = corrected(file, "def f():\n\n    return 1", "def f():\n\n    return 2\n\nx")
    assert found == Correction(
        (f"{space}def f():", "", f"{space}    return 1"),
        (f"{space}def f():", "", f"{space}    return 2", "", f"{space}x"),
    )


def test_a_shift_to_the_left_is_corrected() -> None:
    found = corrected(
        "def f():\n    return 1\n", "  def f():\n      return 1", "  def f():\n      2"
    )
    assert found == Correction(("def f():", "    return 1"), ("def f():", "    2"))


def test_a_shift_of_one_line_is_corrected() -> None:
    assert corrected("a\n    b\nc", "b", "x") == Correction(("    b",), ("    x",))


@pytest.mark.parametrize(
    ("file", "old"),
    [
        ("    a\n      b", "a\nb"),
        ("\ta\n    b", "a\nb"),
        ("    a \n    b", "a\nb"),
        ("    a\n    'b'", 'a\n"b"'),
        ("    a\n\n    b", "a\nb"),
        ("    a\n    c", "a\nb"),
        ("\ta", "    a"),
        ("    a\n    \n    b", "a\n\nb"),
    ],
)
def test_any_further_difference_leaves_no_correction(file: str, old: str) -> None:
    assert corrected(file, old, "x") is None


def test_two_places_leave_no_correction() -> None:
    assert corrected("    a\nb\n    a", "a", "x") is None
    assert corrected("    a\nb\n        a", "a", "x") is None


def test_too_many_look_alikes_leave_no_correction() -> None:
    assert corrected("\n".join(["    a"] * 100), "a", "x") is None


def test_a_look_alike_with_another_cause_is_no_second_place() -> None:
    assert corrected("    'a'\nb\n\"a\"", "'a'", "x") == Correction(("    'a'",), ("    x",))


def test_a_new_text_that_cannot_be_shifted_leaves_no_correction() -> None:
    assert corrected("a\nb", "    a", "  x") is None


def test_empty_lines_at_the_ends_have_to_be_there_too() -> None:
    assert corrected("x\n\n    a\n\ny", "\na\n", "b") == Correction(("", "    a", ""), ("    b",))
    assert corrected("    a\n\ny", "\na\n", "b") is None


def test_a_shift_is_white_space_at_the_start() -> None:
    assert shift_between("a", "  a") == Shift("  ", is_deeper=True)
    assert shift_between("  a", "a") == Shift("  ", is_deeper=False)
    assert shift_between("a", "ba") is None
    assert shift_between("a", "a") is None
    assert shift_between("a", "\u00a0a") is None


def test_lines_of_another_number_have_no_shift() -> None:
    assert shift_of(["a"], [" a", " b"]) is None
    assert shift_of([""], [" "]) is None
