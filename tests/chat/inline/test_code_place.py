"""What is sent of a place in code: what is near, with a beginning that stays."""

from typing import cast

import pytest

from jupyter_ac.chat.inline.code_place import (
    BEFORE_CHARS,
    PREFIX_CHARS,
    STEP_CHARS,
    SUFFIX_CHARS,
    CodePlace,
)

LINES = "".join(f"line {number:04d}\n" for number in range(3000))


def texts(place: CodePlace) -> list[str]:
    (_, user) = place.messages()
    return [part["text"] for part in cast("list[dict[str, str]]", user["content"])]


def test_what_changes_with_each_key_stands_last() -> None:
    place = CodePlace("a/b.ipynb", "python", "x = ", "\ny = 2", ("import a",), ("z = 3",))
    about, code = texts(place)
    assert about == (
        "File: a/b.ipynb\nLanguage: python\n<cells_above>\nimport a\n</cells_above>\n"
        "<cells_below>\nz = 3\n</cells_below>\n"
    )
    assert code == "<behind_cursor>\ny = 2</behind_cursor>\n<before_cursor>x = "
    assert texts(CodePlace("c.txt", "", "a"))[0] == "File: c.txt\nLanguage: unknown\n"


def test_a_model_that_fills_gaps_gets_the_cells_around_it() -> None:
    place = CodePlace("b.ipynb", "python", "x = ", "\ny", ("import a", "b = 1"), ("z = 3",))
    assert place.gap() == ("import a\n\nb = 1\n\nx = ", "\ny\n\nz = 3")


def test_the_nearest_is_kept_and_the_beginning_stays_for_some_time() -> None:
    sent = CodePlace("a.py", "python", LINES, LINES).bounded()
    assert LINES.endswith(sent.prefix)
    assert LINES.startswith(sent.suffix)
    assert PREFIX_CHARS - STEP_CHARS <= len(sent.prefix) <= PREFIX_CHARS
    assert sent.prefix.startswith("line ")
    assert sent.suffix.endswith("\n")
    assert len(sent.suffix) <= SUFFIX_CHARS
    heads = {
        CodePlace("a.py", "", f"{LINES}{'x' * typed}").bounded().prefix[:40]
        for typed in range(0, 400, 20)
    }
    assert len(heads) <= 2


@pytest.mark.parametrize("prefix", ["x" * 20_000, "x" * 19_999 + "\n"])
def test_a_long_line_is_cut_inside(prefix: str) -> None:
    sent = CodePlace("a.py", "", prefix, "y" * 9_000).bounded()
    assert prefix.endswith(sent.prefix)
    assert 0 < len(sent.prefix) <= PREFIX_CHARS
    assert sent.suffix == "y" * SUFFIX_CHARS


def test_the_nearest_cells_are_kept_and_blank_ones_left_out() -> None:
    cells = ("far away, and too much", "a" * (BEFORE_CHARS - 10), " \n", "near")
    sent = CodePlace("a.ipynb", "", "", "", cells, ("", "next", "b" * 9_000, "last")).bounded()
    assert sent.before == (cells[1], "near")
    assert sent.after == ("next",)
