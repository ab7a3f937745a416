"""Grammars that belong to an extra: found without loading them, or missed with a word on it."""

import logging
import sys
import tomllib
from pathlib import Path
from subprocess import run

import pytest

from jupyter_ac.index.cache_version import record_format
from jupyter_ac.index.extraction.code import NO_GRAMMAR
from jupyter_ac.index.languages.grammar_files import grammar_files, missing_package
from jupyter_ac.index.languages.grammars import grammar_if_installed
from jupyter_ac.index.languages.language import Language
from jupyter_ac.index.languages.registry import LANGUAGES
from jupyter_ac.index.occurrences.find_occurrences import occurrences_of
from jupyter_ac.index.parsing import parse
from tests.support.hidden_modules import hide

TOP = Path(__file__).parents[3]
OPTIONAL = [language for language in LANGUAGES if language.extra]
SOURCE = b"count_all <- function(x) x\ncount_all(1)\n"

optional = pytest.mark.parametrize("language", OPTIONAL, ids=lambda language: language.name)


def hide_grammar(monkeypatch: pytest.MonkeyPatch, language: Language) -> None:
    hide(monkeypatch, language.grammar[0].partition(".")[0])


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_every_grammar_is_found(language: Language) -> None:
    assert grammar_files(language.grammar[0])
    assert not missing_package(language)


def test_what_is_not_installed_has_no_files() -> None:
    assert not grammar_files("tree_sitter_nothing")
    assert not grammar_files("tree_sitter_nothing.bindings.r")
    assert not grammar_files("tree_sitter_language_pack.bindings.nothing")


def test_looking_for_grammars_imports_none() -> None:
    code = (
        "import sys\n"
        "from jupyter_ac.index.cache_version import record_format\n"
        "record_format()\n"
        "assert not [name for name in sys.modules if name.startswith('tree_sitter')]"
    )
    run([sys.executable, "-c", code], check=True, cwd=TOP)


@optional
def test_an_extra_is_what_pip_knows_and_what_the_tests_need(language: Language) -> None:
    extras = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert extras[language.extra]
    assert set(extras[language.extra]) <= set(extras["dev"])


@optional
def test_without_its_grammar_a_file_has_words_and_a_note(
    language: Language, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert parse(language.name, SOURCE).symbols
    hide_grammar(monkeypatch, language)
    with caplog.at_level(logging.DEBUG):
        record = parse(language.name, SOURCE)
        assert not occurrences_of(language.name, SOURCE, ["count_all"])
    assert (record.language, record.symbols, record.note) == (language.name, (), NO_GRAMMAR)
    assert "count_all" in record.words
    assert not caplog.records
    assert missing_package(language) == f"jupyter_ac[{language.extra}]"


@optional
def test_a_grammar_that_comes_later_is_used(language: Language) -> None:
    with pytest.MonkeyPatch.context() as patch:
        hide_grammar(patch, language)
        assert grammar_if_installed(language) is None
    assert parse(language.name, SOURCE).symbols


def test_a_grammar_that_must_be_there_is_not_missed_in_silence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    python = LANGUAGES[0]
    hide_grammar(monkeypatch, python)
    with pytest.raises(ModuleNotFoundError):
        grammar_if_installed(python)


@optional
def test_records_without_a_grammar_are_not_those_with_it(
    language: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = record_format()
    hide_grammar(monkeypatch, language)
    assert record_format() != there
