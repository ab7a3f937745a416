import json
import sys
from pathlib import Path
from subprocess import run

import pytest

from jupyter_ac.index.extraction.code import read_code
from jupyter_ac.index.languages import grammars
from jupyter_ac.index.languages.grammars import KINDS, OTHER_ROLES, grammar_of, query_text
from jupyter_ac.index.languages.language import Language
from jupyter_ac.index.languages.registry import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_every_pattern_finds_something_that_a_record_holds(language: Language) -> None:
    grammar = grammar_of(language)
    for patterns in (grammar.top, grammar.anywhere):
        assert len(patterns.roles) == patterns.query.pattern_count
        assert set(patterns.roles) <= KINDS | OTHER_ROLES | {""}
        without_a_role = {at for at, role in enumerate(patterns.roles) if not role}
        assert patterns.plain == without_a_role
        assert patterns.plain.isdisjoint(patterns.uses)


def test_patterns_that_begin_with_the_root_are_looked_for_at_the_top_alone() -> None:
    go = next(language for language in LANGUAGES if language.name == "go")
    grammar = grammar_of(go)
    assert set(grammar.top.roles) == {"constant", "variable"}
    assert not {"constant", "variable"} & set(grammar.anywhere.roles)


def test_a_new_language_is_a_row_and_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON read as a toy language whose definitions are its nested keys."""
    toy = Language("toy", (".toy",), ("tree_sitter_json", "language"))
    queries = (
        "(pair key: (string) @name value: (object)) @class\n(pair key: (string) @name) @property"
    )
    monkeypatch.setattr(grammars, "query_text", lambda _: queries)
    record = read_code(toy, json.dumps({"a": {"b": 1}}).encode())
    assert [(symbol.name, symbol.parent) for symbol in record.symbols] == [("a", -1), ("b", 0)]


def test_queries_are_found_as_package_data() -> None:
    assert "@function" in query_text(LANGUAGES[0])


def test_the_registry_loads_no_grammar() -> None:
    code = (
        "import sys, jupyter_ac.index.languages.registry\n"
        "assert not [name for name in sys.modules if name.startswith('tree_sitter')]"
    )
    run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[3])
