import pytest

from jupyter_ac.errors import InvalidParams
from jupyter_ac.index.languages.registry import LANGUAGES
from jupyter_ac.planner.validation.code_languages import KNOWN, NOTEBOOK, language_key
from jupyter_ac.planner.validation.data_parsers import PARSERS


def test_the_languages_are_those_that_something_can_parse() -> None:
    assert set(KNOWN) == {NOTEBOOK, *PARSERS, *(language.name for language in LANGUAGES)}


@pytest.mark.parametrize(
    ("name", "key"), [("Python", "python"), (" .ts ", "typescript"), ("C++", "cpp"), ("R", "r")]
)
def test_a_language_has_several_names(name: str, key: str) -> None:
    assert language_key(name) == key


def test_endings_of_files_are_names() -> None:
    for language in LANGUAGES:
        if language.name not in {"c", "cpp"}:
            assert language_key(language.name) == language.name


def test_others_are_refused_with_the_list() -> None:
    with pytest.raises(InvalidParams, match=r"klingon.*python"):
        language_key("klingon")
