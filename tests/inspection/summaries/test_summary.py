"""The parts of summaries."""

from jupyter_ac.inspection.summaries.summary import (
    LAZY,
    Column,
    Details,
    by_columns,
    lazy_summary,
    no_details,
)


def test_columns_become_rows() -> None:
    columns = [Column("a", "int"), Column("b", ""), Column("c", "str")]
    found = by_columns(columns, [["1", "2"], [], ["x", "y"]], 5, "a note")
    assert found.head == (("1", "", "x"), ("2", "", "y"))
    assert (found.columns_left_out, found.note) == (2, "a note")
    assert by_columns([], [], 0) == Details()


def test_lazy_values_say_so() -> None:
    assert lazy_summary(None).line == LAZY
    assert no_details(None) == Details()
