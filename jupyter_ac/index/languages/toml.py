"""TOML."""

from typing import Final

from jupyter_ac.index.languages.language import Language, Reading

TOML: Final = Language(
    "toml",
    (".toml",),
    ("tree_sitter_toml", "language"),
    file_names=("Pipfile",),
    reading=Reading(is_settings=True),
)
