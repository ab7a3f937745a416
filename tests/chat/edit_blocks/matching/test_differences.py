"""What keeps look-alikes apart, in words."""

from jupyter_ac.chat.edit_blocks.matching.differences import difference
from jupyter_ac.edit_rows import MissCause


def test_the_gravest_cause_is_named_and_where_it_shows() -> None:
    found = difference(["  a", "b ", '"c"'], ["a", "b", "'c'"], 10)
    assert (found.cause, found.line) == (MissCause.QUOTES, 12)
    assert found.words.startswith("line 13 ")


def test_what_is_easier_to_put_right_weighs_less() -> None:
    gravities = [
        difference([theirs], ["'a b'"], 0).gravity for theirs in ("  'a b'", "'a  b'", '"a b"')
    ]
    assert gravities == sorted(gravities)
    assert len(set(gravities)) == 3


def test_a_uniform_shift_is_told_as_one() -> None:
    assert difference(["\ta", "\tb"], ["a", "b"], 0).words == "each line is indented by 1 tab more"


def test_empty_lines_elsewhere_weigh_more_than_indentation() -> None:
    found = difference(["  a", "", "  b"], ["a", "b"], 0)
    assert found.cause is MissCause.WHITESPACE


def test_equal_lines_differ_in_the_empty_lines_around_them() -> None:
    assert difference(["a"], ["a"], 3).words == "empty lines stand elsewhere"


def test_a_blank_line_opposite_a_line_with_text_is_no_quote() -> None:
    assert difference(["a", "", "b", "c"], ["a", "b", "", "c"], 0).cause is MissCause.WHITESPACE


def test_an_indentation_of_tabs_and_spaces_is_told() -> None:
    found = difference(["\t  a", "b"], ["    a", "b"], 0)
    assert found.words == "line 1 is indented by 1 tab and 2 spaces, in the block by 4 spaces"
