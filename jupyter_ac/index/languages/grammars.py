"""Loads parsers and queries lazily, for the first file of their language."""

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple, get_args

from tree_sitter import Language as TreeLanguage
from tree_sitter import Parser, Query

from jupyter_ac.index.languages.language import Language
from jupyter_ac.index.records import Kind

KINDS: Final = frozenset(get_args(Kind))
OTHER_ROLES: Final = frozenset({"import", "object", "outer", "package", "scope", "within"})

_QUERIES: Final = Path(__file__).parent
_CAPTURE: Final = re.compile(r"@([a-z_]+)")
_COMMENT: Final = re.compile(r"^;.*$", re.MULTILINE)
_FIRST: Final = re.compile(r"\(+(\w+)")
_WITHIN: Final = re.compile(r"\((\w+)\) @within\b")


class Patterns(NamedTuple):
    """Patterns that are looked for in one run.

    Attributes:
        query: finds what records hold.
        roles: for each pattern of the query what its matches are: a kind of symbol, one of
            `OTHER_ROLES`, or "" when they are uses only.
        plain: the patterns whose matches are uses and nothing else.
        uses: those of the others whose matches are uses, too.
    """

    query: Query
    roles: tuple[str, ...]
    plain: frozenset[int]
    uses: frozenset[int]


class Grammar(NamedTuple):
    """The parser and the queries of one language.

    Attributes:
        language: what is known of it.
        parser: makes trees.
        top: patterns that begin with the root of a tree, or with a node that is captured as
            `@within`. They are looked for at these nodes alone: among all patterns they would be
            compared with each node of the tree.
        anywhere: all others.
    """

    language: Language
    parser: Parser
    top: Patterns
    anywhere: Patterns


@cache
def grammar_of(language: Language) -> Grammar:
    """Load a language's grammar and its queries."""
    module, function = language.grammar
    tree_language = TreeLanguage(getattr(import_module(module), function)())
    parser = Parser(tree_language)
    text = query_text(language)
    firsts = {parser.parse(b"").root_node.type, *_WITHIN.findall(text)}
    top: list[str] = []
    anywhere: list[str] = []
    for pattern in _patterns(tree_language, text):
        first = _FIRST.match(pattern)
        (top if first and first[1] in firsts else anywhere).append(pattern)
    return Grammar(language, parser, _read(tree_language, top), _read(tree_language, anywhere))


def grammar_if_installed(language: Language) -> Grammar | None:
    """Load the same; None for a language whose grammar is in an extra that isn't installed."""
    try:
        return grammar_of(language)
    except ModuleNotFoundError:
        if not language.extra:
            raise
        return None


def query_text(language: Language) -> str:
    """Return a language's queries as they are written."""
    names = language.reading.queries or (language.name,)
    return "\n".join((_QUERIES / f"{name}.scm").read_text(encoding="utf-8") for name in names)


def _patterns(tree_language: TreeLanguage, text: str) -> list[str]:
    query, source = Query(tree_language, text), text.encode()
    return [
        _COMMENT.sub(
            "",
            source[query.start_byte_for_pattern(at) : query.end_byte_for_pattern(at)].decode(),
        )
        for at in range(query.pattern_count)
    ]


def _read(tree_language: TreeLanguage, patterns: list[str]) -> Patterns:
    captured = [_CAPTURE.findall(pattern) for pattern in patterns]
    roles = tuple(
        next((name for name in names if name in KINDS or name in OTHER_ROLES), "")
        for names in captured
    )
    uses = {at for at, names in enumerate(captured) if "use" in names}
    others = {at for at, role in enumerate(roles) if role}
    query = Query(tree_language, "\n".join(patterns))
    return Patterns(query, roles, frozenset(uses - others), frozenset(uses & others))
