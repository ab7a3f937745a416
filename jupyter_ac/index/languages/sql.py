"""SQL: tables and functions of a database, which all files of a tree can refer to."""

from typing import Final

from jupyter_ac.index.languages.language import Language, NameRules
from jupyter_ac.index.records import NOBODY, Symbol


def _is_public(symbol: Symbol) -> bool:
    return symbol.parent == NOBODY


SQL: Final = Language(
    "sql",
    (".sql",),
    ("tree_sitter_sql", "language"),
    names=NameRules(bare_names="global", scope="tree", repeats_names=True, is_public=_is_public),
)
