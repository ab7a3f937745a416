"""JSON."""

from typing import Final

from jupyter_ac.index.languages.language import Language, Reading
from jupyter_ac.index.languages.npm_manifests import rows_of

JSON: Final = Language(
    "json",
    (".json", ".jsonc", ".webmanifest"),
    ("tree_sitter_json", "language"),
    reading=Reading(is_settings=True),
    manifest=rows_of,
)
