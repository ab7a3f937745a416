"""CSS."""

from typing import Final

from jupyter_ac.index.languages.language import Language, NameRules

CSS: Final = Language(
    "css", (".css",), ("tree_sitter_css", "language"), names=NameRules(bare_names="shared")
)
