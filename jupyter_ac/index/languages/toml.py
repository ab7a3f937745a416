"""TOML."""

from typing import Final

from jupyter_ac.index.languages.language import Language, Reading
from jupyter_ac.index.languages.rust import cargo_rows

TOML: Final = Language(
    "toml",
    (".toml",),
    ("tree_sitter_toml", "language"),
    file_names=("Pipfile",),
    reading=Reading(is_settings=True),
    manifest=cargo_rows,
)
