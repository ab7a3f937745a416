"""TypeScript and TSX: their additions to JavaScript, whose files they can import."""

from typing import Final

from jupyter_ac.index.languages.javascript import IMPORTS, JAVASCRIPT, NAMES
from jupyter_ac.index.languages.language import Language, Reading

_SEPARATORS: Final = ("?.", "!.")

TYPESCRIPT: Final = Language(
    "typescript",
    (".ts", ".mts", ".cts"),
    ("tree_sitter_typescript", "language_typescript"),
    declaring=(".d.ts",),
    family=JAVASCRIPT.name,
    reading=Reading(queries=("ecmascript", "typescript"), separators=_SEPARATORS),
    names=NAMES,
    imports=IMPORTS,
)
TSX: Final = Language(
    "tsx",
    (".tsx",),
    ("tree_sitter_typescript", "language_tsx"),
    family=JAVASCRIPT.name,
    reading=Reading(queries=("ecmascript", "typescript", "jsx"), separators=_SEPARATORS),
    names=NAMES,
    imports=IMPORTS,
    has_class_attributes=True,
)
