import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.index.extraction.syntax_errors import MAX_ERRORS, syntax_errors
from jupyter_ac.index.languages.registry import LANGUAGES, described


def test_sound_code_has_none() -> None:
    assert syntax_errors(described("go"), "package main\n\nfunc f() {}\n") == []


@pytest.mark.parametrize(
    ("code", "line", "column"),
    [("fn f() {}\nlet é = );\n", 2, 1), ("fn f() { g(1, }\n", 1, 10)],
)
def test_places_are_in_characters(code: str, line: int, column: int) -> None:
    found = syntax_errors(described("rust"), code)
    assert found
    first = found[0]
    assert first.line == line
    assert first.column >= column
    assert (first.end_line, first.end_column) >= (first.line, first.column)


def test_what_is_missing_is_named() -> None:
    found = syntax_errors(described("bash"), "if true; then\n  echo a\n")
    assert found is not None
    assert [fault.message for fault in found] == ["'fi' is missing"]


def test_there_are_not_too_many() -> None:
    found = syntax_errors(described("json"), '{"a": }\n' * 1000)
    assert found is not None
    assert 0 < len(found) <= MAX_ERRORS


@given(st.text(max_size=60), st.sampled_from([each for each in LANGUAGES if not each.extra]))
def test_any_text_has_an_answer(text: str, language: object) -> None:
    assert isinstance(language, type(LANGUAGES[0]))
    found = syntax_errors(language, text)
    assert found is not None
    rows = len(text.split("\n"))
    assert all(1 <= each.line <= rows and each.column >= 1 for each in found)
