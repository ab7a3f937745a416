from importlib import import_module

from tree_sitter import Language

from jupyter_ac.index.languages.registry import LANGUAGES
from jupyter_ac.index.occurrences.grammar_tables import (
    CALLS,
    CLASSES,
    DECLARING,
    KEYS,
    MAKING,
    MEMBERS,
    NAMES,
    THROUGH,
    WRAPPING,
    scopes_of,
)


def test_each_kind_of_node_is_one_of_some_grammar() -> None:
    known: set[str] = set()
    for language in LANGUAGES:
        module, function = language.grammar
        grammar = Language(getattr(import_module(module), function)())
        known.update(grammar.node_kind_for_id(at) or "" for at in range(grammar.node_kind_count))
    tables = (NAMES, CLASSES, DECLARING, WRAPPING, MEMBERS, KEYS, THROUGH, CALLS, MAKING)
    used = {kind for table in tables for kind in table}
    for name in ("python", "ruby", "bash", "go"):
        used |= scopes_of(name)
    assert used - known == set()
