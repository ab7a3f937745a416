"""Parsers and queries, loaded when the first file of their language comes."""

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple, get_args

from tree_sitter import Language as TreeLanguage
from tree_sitter import Parser, Query

from jupyter_ac.index.languages.registry import Language
from jupyter_ac.index.records import Kind

KINDS: Final = frozenset(get_args(Kind))
OTHER_ROLES: Final = frozenset({"import", "object", "outer", "scope"})

_QUERIES: Final = Path(__file__).parent / "queries"
_CAPTURE: Final = re.compile(r"@([a-z_]+)")
_COMMENT: Final = re.compile(r"^;.*$", re.MULTILINE)


class Grammar(NamedTuple):
    """What reads files of one language.

    Attributes:
        language: its row in the registry.
        parser: makes trees.
        query: finds what records hold.
        roles: for each pattern of the query what its matches are: a kind of symbol, one of
            `OTHER_ROLES`, or "" when they are uses only.
        plain: the patterns whose matches are uses and nothing else.
        others: all other patterns.
        uses: those among `others` whose matches are uses, too.
    """

    language: Language
    parser: Parser
    query: Query
    roles: tuple[str, ...]
    plain: frozenset[int]
    others: frozenset[int]
    uses: frozenset[int]


@cache
def grammar_of(language: Language) -> Grammar:
    """Load a language's grammar and its queries."""
    module, function = language.grammar
    tree_language = TreeLanguage(getattr(import_module(module), function)())
    text = query_text(language)
    query = Query(tree_language, text)
    source = text.encode()
    patterns = [
        source[query.start_byte_for_pattern(at) : query.end_byte_for_pattern(at)].decode()
        for at in range(query.pattern_count)
    ]
    captured = [_CAPTURE.findall(_COMMENT.sub("", pattern)) for pattern in patterns]
    roles = tuple(
        next((name for name in names if name in KINDS or name in OTHER_ROLES), "")
        for names in captured
    )
    uses = {at for at, names in enumerate(captured) if "use" in names}
    others = {at for at, role in enumerate(roles) if role}
    return Grammar(
        language,
        Parser(tree_language),
        query,
        roles,
        frozenset(uses - others),
        frozenset(others),
        frozenset(uses & others),
    )


def query_text(language: Language) -> str:
    """Return a language's queries as they are written."""
    names = language.queries or (language.name,)
    return "\n".join((_QUERIES / f"{name}.scm").read_text(encoding="utf-8") for name in names)
