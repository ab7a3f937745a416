"""Of an answer only what belongs at the cursor is inserted."""

import pytest

from jupyter_ac.chat.inline.code_place import CodePlace
from jupyter_ac.chat.inline.tidying import MOST_LINES, tidied


def at(prefix: str, suffix: str = "") -> CodePlace:
    return CodePlace("a.py", "python", prefix, suffix)


@pytest.mark.parametrize(
    ("answer", "place", "expected"),
    [
        pytest.param("sum(x)", at("y = "), "sum(x)", id="as it is"),
        pytest.param("  \n", at("y = "), "", id="nothing"),
        pytest.param("```python\nsum(x)\n```\nIt adds.", at("y = "), "sum(x)", id="in a fence"),
        pytest.param("```\nsum(x)```", at("y = "), "sum(x)", id="in a fence that ends on its line"),
        pytest.param("<think>a\nb</think>sum(x)", at("y = "), "sum(x)", id="after thoughts"),
        pytest.param("total = sum(x)", at("total = "), "sum(x)", id="with its line repeated"),
        pytest.param("total = 1", at("    total = "), "1", id="without the indentation"),
        pytest.param("    return 1", at("def f():\n    "), "return 1", id="indented twice"),
        pytest.param("x = 1\n", at(""), "x = 1", id="with a blank end"),
        pytest.param("sum(x)</before_cursor>\nx", at("y = "), "sum(x)", id="with our marks"),
        pytest.param("sum(x)<|endoftext|>", at("y = "), "sum(x)", id="with a model's marks"),
        pytest.param("a, b)", at("f(", ")\n"), "a, b", id="with the bracket behind it"),
        pytest.param("g(a)", at("f(", ")\n"), "g(a)", id="with a bracket of its own"),
        pytest.param("g(a))", at("f(", ")\n"), "g(a)", id="with both brackets"),
        pytest.param(
            "1\n    b = 2\n    c", at("a = ", "\n    b = 2\n"), "1", id="with the next line"
        ),
        pytest.param("a\nb", at("x = ", " + c\n"), "a", id="in the middle of a line"),
        pytest.param("a\nb", at("f(", ")\n"), "a\nb", id="before closing brackets only"),
        pytest.param("k\nt = '[secret 1]'\nu", at("x = "), "k", id="up to a masked secret"),
        pytest.param("'[secret 1]'", at("x = "), "", id="a masked secret only"),
        pytest.param("a\r\nb", at("x = "), "a\nb", id="with other line ends"),
    ],
)
def test_the_answer_is_tidied(answer: str, place: CodePlace, expected: str) -> None:
    assert tidied(answer, place) == expected


def test_an_answer_that_was_cut_ends_with_a_whole_line() -> None:
    assert tidied("a = 1\nb = 2\nc =", at(""), is_cut=True) == "a = 1\nb = 2"
    assert tidied("a_long_na", at(""), is_cut=True) == "a_long_na"


def test_it_is_no_longer_than_it_can_be_read_at_a_glance() -> None:
    text = tidied("x\n" * 100, at(""))
    assert len(text.split("\n")) == MOST_LINES
