"""Bash, and the syntax that other shells share with it."""

from typing import Final

from jupyter_ac.index.languages.language import Language, NameRules
from jupyter_ac.index.languages.syntax import COMMON

BASH: Final = Language(
    "bash",
    (".sh", ".bash", ".bats"),
    ("tree_sitter_bash", "language"),
    file_names=(".bashrc", ".bash_profile", ".profile", "PKGBUILD"),
    names=NameRules(bare_names="global", has_transitive_imports=True, repeats_names=True),
    syntax=COMMON._replace(
        scopes=frozenset({"function_definition"}), local_words=("local", "declare")
    ),
)
