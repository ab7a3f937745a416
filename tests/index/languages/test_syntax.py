from importlib import import_module

import pytest
from tree_sitter import Language as Grammar

from jupyter_ac.index.languages.language import Language
from jupyter_ac.index.languages.registry import LANGUAGES
from jupyter_ac.index.languages.syntax import COMMON, Syntax


def node_types(language: Language) -> set[str]:
    module, function = language.grammar
    grammar = Grammar(getattr(import_module(module), function)())
    return {grammar.node_kind_for_id(at) or "" for at in range(grammar.node_kind_count)}


def named(syntax: Syntax) -> set[str]:
    tables = (
        *(syntax.names, syntax.text, syntax.scopes, syntax.barriers, syntax.classes),
        *(syntax.declaring, syntax.wrapping, syntax.members, syntax.keys, syntax.through),
        *(syntax.calls, syntax.making, syntax.variables),
        *(syntax.bounds, syntax.bounds.values()),
    )
    return {kind for table in tables for kind in table}


def test_what_all_share_is_in_some_grammar() -> None:
    known = {kind for language in LANGUAGES for kind in node_types(language)}
    assert named(COMMON) - known == set()


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_what_a_language_says_of_its_trees_is_in_its_grammar(language: Language) -> None:
    assert named(language.syntax) - named(COMMON) - node_types(language) == set()
    own = {
        field: getattr(language.syntax, field)
        for field in ("scopes", "barriers", "variables")
        if getattr(language.syntax, field) != getattr(COMMON, field)
    }
    assert {kind for kinds in own.values() for kind in kinds} - node_types(language) == set()
