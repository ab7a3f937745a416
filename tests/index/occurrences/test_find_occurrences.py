"""Names in the code of a file: what each of them is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.index.languages.registry import LANGUAGES
from jupyter_ac.index.occurrences.find_occurrences import occurrence_at, occurrences_of


def _places(language: str, text: str, name: str) -> list[tuple[int, int]]:
    return [(each.line, each.column) for each in occurrences_of(language, text.encode(), (name,))]


@pytest.mark.parametrize(
    ("language", "text", "places"),
    [
        ("python", "x = 1\n# x\nf'{x}' + 'x'\n", [(1, 0), (3, 3)]),
        ("javascript", "x; `${x} x`; /x/; 'x' // x\n", [(1, 0), (1, 6)]),
        ("typescript", "let a: x = b.x; /* x */\n", [(1, 7), (1, 13)]),
        ("c", '#define M(a) x(a)\nint x; char *s = "x"; /* x */\n', [(1, 13), (2, 4)]),
        ("cpp", "A::x y(x); // x\n", [(1, 3), (1, 7)]),
        ("go", 'package a\nvar x = `x` + "x" // x\n', [(2, 4)]),
        ("rust", 'fn f() { x!("x", x); } // x\n', [(1, 9), (1, 17)]),
        ("java", 'class A { int x = this.x; String s = "x"; }\n', [(1, 14), (1, 23)]),
        ("ruby", 'x = "x #{x}" # x\n@x = :x\n', [(1, 0), (1, 9), (2, 0), (2, 5)]),
        ("bash", 'x=1; echo "$x ${x}" # x\n', [(1, 0), (1, 12), (1, 16)]),
    ],
)
def test_comments_and_strings_hold_no_names(
    language: str, text: str, places: list[tuple[int, int]]
) -> None:
    assert _places(language, text, "x") == places


def test_columns_count_as_editors_do() -> None:
    assert _places("javascript", "f('é😀', x)\n", "x") == [(1, 9)]


def test_a_notebook_is_read_by_its_cells() -> None:
    cells = (
        '{"cells": [{"cell_type": "markdown", "source": "x"},'
        ' {"cell_type": "code", "source": "x = 1"}]}'
    )
    assert _places("notebook", cells, "x") == [(5, 0)]
    assert _places("notebook", "{}", "x") == []


def test_the_place_of_a_name_may_be_any_of_its_columns() -> None:
    for column in (4, 5, 7):
        found = occurrence_at("go", b"var abc int", "abc", 1, column)
        assert found is not None
        assert found.column == 4
    assert occurrence_at("go", b"var abc int", "abc", 1, 9) is None


@pytest.mark.parametrize("data", [b"", b"\0\xff", b"(" * 100_000, b"x" * 5000, b"\xff\xfe x"])
def test_sources_that_are_not_read_hold_nothing(data: bytes) -> None:
    for language in LANGUAGES:
        assert occurrences_of(language.name, data, ("y",)) == []


@given(st.text(st.sampled_from(list("xy.:-> (){}[]=,;'\"\n&*@#$|<>\\é")), max_size=60))
def test_any_text_is_looked_through(text: str) -> None:
    for language in LANGUAGES:
        for each in occurrences_of(language.name, text.encode(), ("x", "y")):
            assert text.split("\n")[each.line - 1]
