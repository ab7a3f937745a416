"""HTML."""

from typing import Final

from jupyter_ac.index.languages.language import Language

HTML: Final = Language(
    "html",
    (".html", ".htm", ".xhtml"),
    ("tree_sitter_html", "language"),
    has_class_attributes=True,
)
