"""Old text replaced by new: each rule of the edit protocol that is about a file's bytes."""

import pytest

from jupyter_ac.chat.edit_blocks.blocks import Near
from jupyter_ac.chat.edit_blocks.matching.replacing import Already, Missed, Replaced, replace_lines
from jupyter_ac.edit_rows import ErrorType, MissCause

BOM = b"\xef\xbb\xbf"


def lines(text: str) -> list[str]:
    """Return lines divided by `|`; "" is none, "|" is two empty ones."""
    return text.split("|") if text else []


def replaced(data: bytes, old: str, new: str) -> bytes:
    done = replace_lines(data, lines(old), lines(new))
    assert isinstance(done, Replaced), done
    assert done.data[: done.start] == data[: done.start]
    assert done.data[len(done.data) - len(data) + done.end :] == data[done.end :]
    return done.data


def missed(data: bytes, old: str, new: str) -> Missed:
    done = replace_lines(data, lines(old), lines(new))
    assert isinstance(done, Missed), done
    return done


# Whole lines, exactly, once.


def test_whole_lines_are_replaced_and_their_place_is_told() -> None:
    done = replace_lines(b"a\nb\nc\nd\n", ["b", "c"], ["b", "x", "y"])
    assert done == Replaced(b"a\nb\nx\ny\nd\n", line=3, added=2, removed=1, start=4, end=6)


@pytest.mark.parametrize("old", ["return 1", "  return 1 ", "eturn 1", " return", "RETURN 1"])
def test_a_part_of_a_line_or_a_likeness_is_no_match(old: str) -> None:
    assert missed(b"f:\n  return 1\n", old, "x").error_type is ErrorType.ANCHOR_NOT_FOUND


def test_all_of_the_old_text_counts_not_only_its_first_lines() -> None:
    data = b"def f():\n    return 1\ndef f():\n    return 2\n"
    assert replaced(data, "def f():|    return 2", "def f():|    return 3").endswith(b"return 3\n")


def test_an_old_text_at_several_places_is_ambiguous_and_the_places_are_named() -> None:
    done = missed(b"a\nx\na\nx\na\n", "a", "b")
    assert done.error_type is ErrorType.AMBIGUOUS_ANCHOR
    assert "3 places (lines 1, 3, 5)" in done.message
    assert done.cause is MissCause.NONE


def test_of_many_places_the_first_few_are_named() -> None:
    assert "9 places (lines 1, 2, 3, 4, 5 and 4 more)" in missed(b"a\n" * 9, "a", "b").message


def test_f_overlapping_matches_count() -> None:
    done = missed(b"a\na\na\n", "a|a", "b")
    assert done.error_type is ErrorType.AMBIGUOUS_ANCHOR
    assert "2 places (lines 1, 2)" in done.message


def test_an_old_text_longer_than_the_file_is_a_miss() -> None:
    assert missed(b"a\n", "a|b|c", "x").error_type is ErrorType.ANCHOR_NOT_FOUND


# (a) What a line is.


def test_a_only_lf_and_crlf_end_a_line() -> None:
    data = "a\rb\x0cc\u2028d\u0085e\nf\n".encode()
    assert replaced(data, "f", "g") == "a\rb\x0cc\u2028d\u0085e\ng\n".encode()
    assert missed(data, "b", "x").error_type is ErrorType.ANCHOR_NOT_FOUND


def test_a_lines_are_compared_without_their_ends() -> None:
    assert replaced(b"a\r\nb\nc\r\n", "a|b|c", "a|x|c") == b"a\r\nx\nc\r\n"


@pytest.mark.parametrize("old", ["a", "\ufeffa"])
def test_a_bom_is_no_part_of_line_1_and_stays(old: str) -> None:
    assert replaced(BOM + b"a\nb\n", old, old.replace("a", "x")) == BOM + b"x\nb\n"


def test_a_bom_stays_when_line_1_is_deleted() -> None:
    assert replaced(BOM + b"a\nb\n", "a", "") == BOM + b"b\n"
    assert replaced(BOM + b"a\n", "a", "") == BOM


def test_a_no_edit_brings_a_bom() -> None:
    assert replaced(b"a\nb\n", "a", "\ufeffx") == b"x\nb\n"
    assert replaced(BOM + b"a\n", "a", "\ufeffx") == BOM + b"x\n"
    assert isinstance(replace_lines(b"x\nb\n", ["a"], ["\ufeffx"]), Already)


def test_a_file_that_is_written_anew_may_begin_with_a_bom() -> None:
    assert replaced(b"", "", "\ufeffx") == BOM + b"x\n"
    assert isinstance(replace_lines(BOM + b"x\n", [], ["\ufeffx"]), Already)
    assert replaced(BOM, "", "\ufeffx") == BOM + b"x\n"


# (b) What keeps its bytes, and which ends written lines get.


def test_b_lines_common_to_both_ends_keep_their_bytes() -> None:
    data = b"a\nb\r\nc\nd\r\n"
    assert replaced(data, "a|b|c|d", "a|b|x|y|d") == b"a\nb\r\nx\ny\nd\r\n"


def test_b_written_lines_take_the_ends_of_those_they_replace() -> None:
    assert replaced(b"1\na\r\nb\n2\n", "a|b", "x|y") == b"1\nx\r\ny\n2\n"
    assert replaced(b"1\na\r\nb\n2\r\n", "a|b", "x|y|z") == b"1\nx\r\ny\nz\n2\r\n"
    assert replaced(b"1\na\r\nb\r\n2\n", "a|b", "x") == b"1\nx\r\n2\n"


def test_b_a_crlf_file_stays_crlf() -> None:
    assert replaced(b"a\r\nb\r\nc\r\n", "b", "x|y") == b"a\r\nx\r\ny\r\nc\r\n"


def test_b_lines_kept_between_two_changes_keep_their_ends() -> None:
    data = b"a\nkeep\r\nb\nc\n"
    assert replaced(data, "a|keep|b|c", "1|2|3|keep|x|c") == b"1\n2\n3\nkeep\r\nx\nc\n"


def test_b_a_kept_last_line_without_end_is_kept_though_equal_lines_precede_it() -> None:
    assert replaced(b"x\nx", "x|x", "x") == b"x"


# (c) The last newline.


def test_c_a_replaced_last_line_without_newline_stays_so() -> None:
    assert replaced(b"a\nb", "b", "x") == b"a\nx"
    assert replaced(b"a\r\nb", "b", "x|y") == b"a\r\nx\r\ny"
    assert replaced(b"b", "b", "x|y") == b"x\ny"


def test_c_a_last_newline_stays() -> None:
    assert replaced(b"a\nb\n", "b", "x|y") == b"a\nx\ny\n"
    assert replaced(b"a\nb\n", "b", "b|x") == b"a\nb\nx\n"


def test_c_lines_put_behind_a_last_line_without_newline_leave_none_either() -> None:
    assert replaced(b"a\r\nb", "b", "b|c|d") == b"a\r\nb\r\nc\r\nd"
    assert replaced(b"b", "b", "b|c") == b"b\nc"


def test_c_lines_put_ahead_of_a_last_line_without_newline_have_ends() -> None:
    assert replaced(b"a\nb", "b", "x|b") == b"a\nx\nb"


def test_c_an_empty_last_line_has_an_end_for_without_it_there_is_no_line() -> None:
    data = replaced(b"a\nb", "b", "x|")
    assert data == b"a\nx\n\n"
    assert replaced(b"a", "a", "a|") == b"a\n\n"
    assert isinstance(replace_lines(b"a\n\n", ["a"], ["a", ""]), Already)


@pytest.mark.parametrize("data", [b"", BOM])
@pytest.mark.parametrize("old", [[], [""], ["  "]])
def test_c_an_empty_file_with_empty_old_text_is_written(data: bytes, old: list[str]) -> None:
    done = replace_lines(data, old, ["a", "b"])
    assert isinstance(done, Replaced)
    assert done.data == data + b"a\nb\n"
    assert (done.line, done.added, done.removed) == (1, 2, 0)


def test_c_an_empty_file_that_is_to_be_empty_is_already() -> None:
    assert isinstance(replace_lines(b"", [], []), Already)


def test_a_file_with_lines_is_not_written_over() -> None:
    done = missed(b"a\n", "", "b")
    assert done.error_type is ErrorType.VALIDATION_ERROR
    assert missed(b"a\n", "", "").error_type is ErrorType.VALIDATION_ERROR


def test_a_file_that_has_the_new_text_and_no_other_is_already_there() -> None:
    assert replace_lines(b"a\r\nb", [], ["a", "b"]) == Already(1)


def test_empty_lines_can_be_old_text_of_a_file_with_lines() -> None:
    done = replace_lines(b"a\n\nb\n", [""], ["x"])
    assert isinstance(done, Replaced)
    assert done.data == b"a\nx\nb\n"


# (d) Deletion.


def test_d_empty_new_text_deletes_whole_lines_and_no_empty_line_stays() -> None:
    assert replaced(b"a\nb\nc\n", "b", "") == b"a\nc\n"
    assert replaced(b"a\nb\nc\n", "a|b", "") == b"c\n"
    assert replaced(b"a\nb\nc\n", "c", "") == b"a\nb\n"
    assert replaced(b"a\r\nb\r\n", "a|b", "") == b""


def test_d_an_empty_line_that_is_written_is_a_line() -> None:
    done = replace_lines(b"a\nb\nc\n", ["b"], [""])
    assert isinstance(done, Replaced)
    assert done.data == b"a\n\nc\n"


def test_d_a_deleted_last_line_without_newline_leaves_the_bytes_before_it() -> None:
    assert replaced(b"a\nb", "b", "") == b"a\n"
    assert replaced(b"a\nb", "a|b", "a") == b"a\n"
    assert replaced(b"b", "b", "") == b""


def test_d_a_deletion_with_lines_around_it_is_no_text_that_stands_already() -> None:
    assert replaced(b"foo()\n\nbar\n", "foo()||bar", "|bar") == b"\nbar\n"
    assert replaced(b"a\nb\n", "a|b", "a") == b"a\n"


# (e) What has been applied.


def test_e_a_new_text_that_stands_there_is_already_applied() -> None:
    assert replace_lines(b"a\nx\ny\nb\n", ["old"], ["x", "y"]) == Already(2)


def test_e_a_new_text_within_longer_lines_does_not_stand_there() -> None:
    assert missed(b"xx y\n", "old", "x").error_type is ErrorType.ANCHOR_NOT_FOUND


def test_e_a_repeated_insertion_changes_nothing() -> None:
    for old, new in (("a", "a|x"), ("a", "x|a"), ("a|b", "a|x|b"), ("a", "x|a|y")):
        once = replaced(b"1\na\nb\n2", old, new)
        assert isinstance(replace_lines(once, lines(old), lines(new)), Already)


def test_e_a_repeated_insertion_whose_lines_make_up_the_old_text_anew_changes_nothing() -> None:
    once = replaced(b"a\nb\nb\nb\n", "a|b|b", "a|b|X|a|b")
    assert once == b"a\nb\nX\na\nb\nb\n"
    assert isinstance(replace_lines(once, lines("a|b|b"), lines("a|b|X|a|b")), Already)


def test_e_an_old_text_outside_the_new_one_is_still_replaced() -> None:
    assert replaced(b"y\nx\n", "x", "y") == b"y\ny\n"


def test_e_an_old_text_outside_and_one_inside_are_two_places() -> None:
    done = missed(b"a\nx\nb\na\n", "a", "a|x")
    assert done.error_type is ErrorType.AMBIGUOUS_ANCHOR


def test_e_a_change_of_nothing_is_already_applied() -> None:
    assert isinstance(replace_lines(b"a\nb\na\n", ["a"], ["a"]), Already)


def test_e_with_empty_new_text_a_miss_is_never_already_applied() -> None:
    assert missed(b"a\n", "b", "").error_type is ErrorType.ANCHOR_NOT_FOUND


def test_e_empty_lines_that_stand_somewhere_are_not_the_new_text() -> None:
    done = replace_lines(b"a\n\nb\n", ["old"], [""])
    assert isinstance(done, Missed)
    assert done.error_type is ErrorType.ANCHOR_NOT_FOUND


def test_e_a_repeated_insertion_of_an_empty_line_changes_nothing() -> None:
    once = replace_lines(b"a\n \nb\n", [" "], ["", " "])
    assert isinstance(once, Replaced)
    assert once.data == b"a\n\n \nb\n"
    assert isinstance(replace_lines(once.data, [" "], ["", " "]), Already)


@pytest.mark.parametrize(
    ("data", "old", "new", "after"),
    [
        (b"a\r\nb\n", "b", "x|b", b"a\r\nx\r\nb\n"),
        (b"a\r\nb\n", "a", "a|x", b"a\r\nx\r\nb\n"),
        (b"a\nb\r\n", "a", "x|a", b"x\na\nb\r\n"),
        (b"a\r\nb\r\nc\nd", "d", "d|x", b"a\r\nb\r\nc\nd\r\nx"),
        (b"a\n1\r\n2\r\nb", "b", "b|x", b"a\n1\r\n2\r\nb\r\nx"),
    ],
)
def test_e_an_insertion_ends_as_the_line_before_else_after_else_the_majority(
    data: bytes, old: str, new: str, after: bytes
) -> None:
    assert replaced(data, old, new) == after


# What cannot be written, and what is offered.


def test_half_a_character_is_refused() -> None:
    done = missed(b"a\n", "a", "\ud83d")
    assert done.error_type is ErrorType.VALIDATION_ERROR
    assert missed(b"a\n", "\ud83d", "b").error_type is ErrorType.ANCHOR_NOT_FOUND


def test_a_miss_by_a_uniform_shift_offers_the_block_that_fits() -> None:
    data = b"class A:\n    def f(self):\n        return 1\n"
    done = missed(data, "def f(self):|    return 1", "def f(self):|    return 2")
    assert done.cause is MissCause.INDENTATION
    assert done.message.endswith("Shifted like that, the block fits.")
    assert done.correction_old is not None
    assert done.correction_new is not None
    fits = replace_lines(data, done.correction_old, done.correction_new)
    assert isinstance(fits, Replaced)
    assert fits.data == b"class A:\n    def f(self):\n        return 2\n"


def test_no_correction_is_offered_that_would_change_nothing() -> None:
    data = b"class A:\n    x\n    y\n"
    assert missed(data, "x", "x|y").correction_old is None


def test_a_large_file_of_equal_lines_is_answered() -> None:
    done = missed(b"    return None\n" * 100_000, "return None|return None", "pass")
    assert done.cause is MissCause.INDENTATION
    assert done.correction_old is None


def test_large_texts_are_replaced_as_one_part() -> None:
    old = [str(number) for number in range(2000)]
    new = [f"{line}!" if int(line) % 2 else line for line in old]
    done = replace_lines("\r\n".join([*old, ""]).encode(), old, new)
    assert isinstance(done, Replaced)
    assert done.data == "\r\n".join([*new, ""]).encode()


def test_the_likely_places_come_with_the_lines_around_them() -> None:
    data = b"".join(b"line %d\n" % number for number in range(1, 10)) + b"line 2\n"
    missed = replace_lines(data, ["line 4", "line five"], ["new"])
    assert isinstance(missed, Missed)
    assert missed.around == (Near(1, tuple(f"line {number}" for number in range(1, 9))),)
    twice = replace_lines(data, ["line 2"], ["new"])
    assert isinstance(twice, Missed)
    assert [place.line for place in twice.around] == [1, 7]
    assert twice.around[1].text == ("line 7", "line 8", "line 9", "line 2")
