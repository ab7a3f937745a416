import pytest

from jupyter_ac.index.map.words import asked_stems, names, parts, stem, stems


def test_identifiers_are_split_at_capitals_digits_and_underscores() -> None:
    assert parts("readHTMLFile_v2") == ["read", "html", "file", "v"]
    assert parts("größte_Zahl") == ["gr", "öß", "te", "zahl"]


@pytest.mark.parametrize(
    "alike",
    [
        ("parse", "parser", "parsing", "parses", "parsed"),
        ("query", "queries"),
        ("setting", "settings", "set"),
        ("process", "processes", "processing"),
    ],
)
def test_words_that_differ_in_their_ending_are_one(alike: tuple[str, ...]) -> None:
    assert len({stem(word) for word in alike}) == 1


def test_common_words_of_a_question_say_nothing() -> None:
    assert asked_stems("Fix the parser in readFile, please") == {"pars", "read", "fil"}
    assert asked_stems("") == frozenset()


def test_a_name_of_any_length_is_split_in_bounds() -> None:
    assert len(stems("x" * 1_000_000)) == 1
    assert stems("parse_parsing") == {"pars"}
    assert list(names("a foo_bar, `Baz`()")) == ["foo_bar", "Baz"]
