from jupyter_ac.index.navigation.outline_rows import section_rows, symbol_rows
from jupyter_ac.index.records import Heading, Outline, Symbol


def test_a_symbol_s_range_includes_its_decorators() -> None:
    symbols = [
        Symbol("A", "class", 3, 6, 2, 9),
        Symbol("f", "method", 5, 8, 4, 9, parent=0),
    ]
    assert [tuple(row.values()) for row in symbol_rows(symbols)] == [
        ("A", "class", 2, 9, -1),
        ("f", "method", 4, 9, 0),
    ]


def test_sections_are_nested_by_level_and_end_with_their_last_sub_section() -> None:
    levels = ((1, 1, 2), (3, 3, 5), (2, 6, 7), (1, 8, 9), (2, 10, 12))
    headings = [Heading(f"H{line}", level, line, last, "", ()) for level, line, last in levels]
    rows = section_rows(Outline(tuple(headings), ()))
    assert [(row["line"], row["last_line"], row["parent"]) for row in rows] == [
        (1, 7, -1),
        (3, 5, 0),
        (6, 7, 0),
        (8, 12, -1),
        (10, 12, 3),
    ]
    assert {row["kind"] for row in rows} == {"section"}
